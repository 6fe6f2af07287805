import { expect, test } from 'bun:test'
import { mentionedIn } from '../../src/tickets/mentions.ts'

const people = [
  { id: 'ann', name: 'Ann' },
  { id: 'marie', name: 'Ann Marie Ø' },
  { id: 'robin', name: 'Robin Achebe' },
  { id: 'other', name: 'robin achebe' },
  { id: 'mail', name: 'eve@acme.test' },
]

test.each<[string, string[]]>([
  ['@Ann', ['ann']],
  ['ask @ann, please', ['ann']],
  ['(@Ann)', ['ann']],
  ['@Ann Marie Ø has it', ['marie']],
  ['@Ann Marie', ['ann']],
  ['@Ann  Marie\nø', ['marie']],
  ['@Ann Marie O\u0338', ['ann']],
  ['@ROBIN ACHEBE and @Ann', ['robin', 'other', 'ann']],
  ['@Annabel', []],
  ['@Ann_b', []],
  ['@Ann\u0301', []],
  ['Ann', []],
  ['mail@Ann', []],
  ['@eve@acme.test', ['mail']],
  ['@ Ann', []],
  ['@@Ann', ['ann']],
  ['', []],
])('%j names %j', (text, ids) => {
  expect(mentionedIn(text, people)).toEqual(ids)
})

test('a text of nothing but marks is looked at for a bounded time', () => {
  const many = Array.from({ length: 500 }, (_, i) => ({ id: String(i), name: `Person ${'x'.repeat(i % 250)}` }))
  expect(mentionedIn(`${'@'.repeat(100_000)}Person x`, many)).toEqual([])
})
