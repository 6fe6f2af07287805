import { expect, test } from 'bun:test'
import { sizeOf } from '../../src/console/inbox/sizes.ts'
import type { View } from '../../src/console/visit.ts'

test.each([
  ['en', 1, '1 byte'],
  ['en', 5, '5 bytes'],
  ['de', 5, '5 Byte'],
  ['en', 5000, '5 kB'],
])('in %s, %d bytes read %p', (locale, bytes, text) => {
  expect(sizeOf({ wording: { locale } } as View, bytes)).toBe(text)
})
