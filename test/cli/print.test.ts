import { expect, test } from 'bun:test'
import { display } from '../../src/cli/print.ts'

test('what commands print of a list are names, else the records themselves', () => {
  expect(
    display([
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bob' },
    ]),
  ).toBe('Ada,Bob')
  expect(display([{ do: 'note', text: 'Look' }, { do: 'stop' }])).toBe('{"do":"note","text":"Look"},{"do":"stop"}')
  expect(display(['billing', 7, null])).toBe('billing,7,null')
  expect(display({ normal: '4h' })).toBe('{"normal":"4h"}')
  expect(display(null)).toBe('-')
})

test('no name commands the terminal', () => {
  expect(display([{ name: 'A\u001b[2Jda' }])).toBe('A [2Jda')
})
