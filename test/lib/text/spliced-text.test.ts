import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { SplicedText } from '../../../src/lib/text/spliced-text.ts'
import { refusalOf } from '../../support/refusal.ts'

const words = 'Zoë fills in “forms” 文 '
const cases: [string, string, string][] = [
  ['a page', words.repeat(500), words.repeat(9000)],
  ['nothing before', '', words],
  ['nothing after', words, ''],
  ['nothing around', '', ''],
  ['what does not compress', crypto.randomUUID(), Array.from({ length: 3000 }, () => crypto.randomUUID()).join()],
]

test.each(cases)('%s is the same text around any piece, plain and as gzip', async (_name, head, tail) => {
  const text = await SplicedText.around('MARK', `${head}MARK${tail}`)
  for (const piece of ['', 'x', 'ü'.repeat(300), 'x'.repeat(65_535)]) {
    const whole = `${head}${piece}${tail}`
    expect(new TextDecoder().decode(text.plain(piece))).toBe(whole)
    expect(gunzipSync(text.gzip(piece)).toString()).toBe(whole)
    expect(new TextDecoder().decode(Bun.gunzipSync(text.gzip(piece)))).toBe(whole)
  }
})

test('is compressed', async () => {
  const text = await SplicedText.around('MARK', `${words.repeat(1000)}MARK${words.repeat(1000)}`)
  expect(text.gzip('x').length).toBeLessThan(1000)
})

test.each(['no mark', 'MARK twice MARK'])('%p is refused', async (text) => {
  expect(await refusalOf(SplicedText.around('MARK', text))).toMatch(/mark is in the text/)
})
