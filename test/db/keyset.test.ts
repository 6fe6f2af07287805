import { expect, test } from 'bun:test'
import { fitting } from '../../src/db/lists/keyset.ts'

test.each([
  // Each row takes a comma, or the end of the list, besides.
  [[4, 4], 10, 2],
  [[4, 4], 9, 1],
  [[9], 10, 1],
  [[3, 3, 3], 12, 3],
  [[3, 3, 3], 11, 2],
  [[100, 1], 10, 1],
  [[], 10, 1],
])('rows of %j bytes in a page of %d: the first %d', (sizes, max, count) => {
  expect(fitting(sizes, max)).toBe(count)
})
