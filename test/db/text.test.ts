import { expect, test } from 'bun:test'
import { decodeText, encodeText } from '../../src/db/postgres/text.ts'

for (const text of ['', 'plain', 'a\0b', '\0', '\uFDD0', '\uFDD00', '\0\uFDD01\0', 'x\uFDD0\0']) {
  test(`${JSON.stringify(text)} comes back as it was, and without U+0000 in between`, () => {
    const encoded = encodeText(text)
    expect(encoded).not.toContain('\0')
    expect(decodeText(encoded)).toBe(text)
  })
}
