import { expect, test } from 'bun:test'
import { wordLists } from '../../../src/hosted/words/index.ts'
import { writeSize } from '../../../src/lib/language/amounts.ts'

/** How one and five bytes are called. */
const BYTES: Record<string, [one: string, five: string]> = {
  en: ['1 byte', '5 bytes'],
  de: ['1 Byte', '5 Byte'],
  fr: ['1 octet', '5 octets'],
  es: ['1 byte', '5 bytes'],
  it: ['1 byte', '5 byte'],
  nl: ['1 byte', '5 byte'],
  pl: ['1 bajt', '5 bajtów'],
  pt: ['1 byte', '5 bytes'],
  sv: ['1 byte', '5 byte'],
  da: ['1 byte', '5 bytes'],
  ja: ['1 バイト', '5 バイト'],
  ar: ['1 بايت', '5 بايت'],
  he: ['1 בייט', '5 בייט'],
}

test.each(Object.keys(wordLists))('sizes in %s say how many bytes it is', (language) => {
  const said = [1, 5].map((bytes) => writeSize(bytes, language).replaceAll('\u00a0', ' '))
  expect(said).toEqual(BYTES[language] as [string, string])
})

test('sizes are in the largest unit of which there is one', () => {
  const sizes = [0, 1023, 1024, 10_240, 1_047_999, 1_048_575, 1_572_864, 25 * 1024 * 1024]
  const written = ['0 bytes', '1,023 bytes', '1 kB', '10 kB', '1,023 kB', '1 MB', '1.5 MB', '25 MB']
  expect(sizes.map((bytes) => writeSize(bytes, 'en'))).toEqual(written)
})
