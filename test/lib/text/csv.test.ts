import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import Papa from 'papaparse'
import { csvLine, withoutMarks } from '../../../src/lib/text/csv.ts'

/** What a cell is in a file, without the quotes around it. */
function written(text: string): string {
  const cells = Papa.parse<string[]>(csvLine([text]), { delimiter: ',', newline: '\r\n' }).data[0]
  return cells?.[0] ?? ''
}

describe('a cell of a CSV file', () => {
  test.each(['=', '+', '-', '@', '＝', '＋', '－', '＠'])(
    'that begins with %s is marked, wherever one may begin',
    (sign) => {
      const formula = `${sign}HYPERLINK(1)`
      expect(written(formula)).toBe(`'${formula}`)
      expect(written(`x;${formula}`)).toBe(`x;'${formula}`)
      expect(written(`x\t${formula}`)).toBe(`x\t'${formula}`)
      expect(written(`x\n${formula}`)).toBe(`x\n'${formula}`)
      expect(written(`x\r\n${formula}`)).toBe(`x\r\n'${formula}`)
      expect(written(`x\r${formula}`)).toBe(`x\r'${formula}`)
      expect(written(`${formula};${formula};y`)).toBe(`'${formula};'${formula};y`)
      expect(written(` ${formula};  ${formula}`)).toBe(`' ${formula};'  ${formula}`)
      expect(written(`x;"${formula}"`)).toBe(`x;'"${formula}"`)
      expect(written(`x;\u200b${formula}`)).toBe(`x;'\u200b${formula}`)
    },
  )

  test('that begins with a tab or a carriage return is marked, and a line break is none', () => {
    expect(written('\tx')).toBe("'\tx")
    expect(written('x;\ty')).toBe("x;'\ty")
    expect(csvLine(['\rx'])).toBe(`"'\rx"\r\n`)
    expect(written('one\r\n\r\ntwo;\r\nthree\n\nfour')).toBe('one\r\n\r\ntwo;\r\nthree\n\nfour')
  })

  test.each(['-5', '-12.75', '-1e-7', '-1e+21', '5', '1e+21'])('that is the number %s stays one', (text) => {
    expect(csvLine([text])).toBe(`${text}\r\n`)
  })

  test.each(['-5 apples', '-1+1', '--5', '-', '-5;-5', '+49 30 1234'])('%s is no number', (text) => {
    expect(written(text)).toStartWith("'")
  })

  test.each(['a=b', 'ada@acme.test', 'a-b; c+d', "it's", "'s-Hertogenbosch", 'x ;y', '2026-03-01T09:00:00.000Z', ''])(
    '%p stays as it is',
    (text) => expect(written(text)).toBe(text),
  )
})

const pieces = fc.constantFrom(...'=+-@＝＋－＠;\t\r\n\'", \u200b\u00a0a1.'.split(''))
const texts = fc.array(pieces, { maxLength: 12 }).map((some) => some.join(''))

test('whatever separates cells and however quotes are read, none begins with what makes it a formula', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 3 }), (cells) => {
      const line = csvLine(cells)
      // Commas within quotes separate nothing for anybody who knows quotes.
      for (const [delimiter, quoteChar] of [
        [',', '"'],
        [';', '"'],
        ['\t', '"'],
        [';', '\0'],
        ['\t', '\0'],
      ]) {
        const read = Papa.parse<string[]>(line, { delimiter, quoteChar }).data.flat()
        const runs = read.filter(
          (text) => /^["\s\u200b]*[=+\-@＝＋－＠]/.test(text) && !/^-\d+(\.\d+)?(,|$)/.test(text),
        )
        expect(runs).toEqual([])
      }
    }),
    { numRuns: 5_000 },
  )
})

test('marks can be taken away again: what stood there before is left, its own apostrophes too', () => {
  expect(withoutMarks("'=1;'+2; '@3;-4")).toBe("=1;+2; '@3;-4")
  fc.assert(
    fc.property(texts, (text) => expect(withoutMarks(written(text))).toBe(text)),
    { numRuns: 5_000 },
  )
})
