import { expect, test } from 'bun:test'
import { newId, timeOfId } from '../../src/lib/ids.ts'

/** RFC 9562 §5.7. */
const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

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

test('however many ids a time has, they sort, are of it and are UUIDs, and those of the next sort behind them', () => {
  const ids = Array.from({ length: 30_000 }, () => {
    newId(at + 60_000)
    return newId(at + 30_000)
  })
  ids.push(newId(at + 30_001), newId(at + 30_002))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(ids.slice(0, -2).map(timeOfId))).toEqual(new Set([at + 30_000]))
  expect(ids.filter((id) => !VERSION_7.test(id))).toEqual([])
})
