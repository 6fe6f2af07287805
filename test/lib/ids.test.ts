import { expect, test } from 'bun:test'
import { newId, timeOfId } from '../../src/lib/ids.ts'

const at = Date.parse('2026-03-01T09:00:00.000Z')

test('ids of one time sort as they were made, whatever times those have that are made in between', () => {
  const ids: string[] = [newId(at)]
  // It was asked for first, and stays known as long as it is asked for.
  for (let n = 0; n < 900; n++) newId(at - 10_000 - n)
  for (let n = 0; n < 3_000; n++) {
    ids.push(newId(at))
    newId(at + 1 + (n % 500))
    newId(at - 1 - (n % 400))
  }
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(timeOfId(ids[0] as string)).toBe(at)
})

test('more ids than a millisecond has places for take those of the next', () => {
  const ids = Array.from({ length: 10_000 }, () => {
    newId(at + 60_000)
    return newId(at + 30_000)
  })
  expect(ids.toSorted()).toEqual(ids)
  expect(timeOfId(ids.at(-1) as string)).toBeLessThan(at + 30_000 + 10)
})

test('ids of later times sort behind those that had to take places of theirs', () => {
  const start = at + 90_000
  const spilled = Array.from({ length: 5_000 }, () => newId(start))
  expect(timeOfId(spilled.at(-1) as string)).toBe(start + 1)
  const ids = [...spilled, newId(start + 1), newId(start), newId(start + 2)]
  expect(ids.toSorted()).toEqual(ids)
})
