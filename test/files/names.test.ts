import { describe, expect, test } from 'bun:test'
import { displayName } from '../../src/files/names.ts'

describe('the name of a file is shown and never a path', () => {
  const cases: [string, string][] = [
    ['cv.pdf', 'cv.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\cv.pdf', 'cv.pdf'],
    ['/', 'file'],
    ['..', 'file'],
    ['', 'file'],
    ['a\u0000b\r\nc.pdf', 'abc.pdf'],
    ['\u202efdp.exe', 'fdp.exe'],
    ['<img src=x onerror=alert(1)>.png', '_img src=x onerror=alert(1)_.png'],
    ['Zoë – Lebenslauf.pdf', 'Zoë – Lebenslauf.pdf'],
    [`${'x'.repeat(400)}.pdf`, `${'x'.repeat(251)}.pdf`],
  ]
  test.each(cases)('%p', (given, shown) => expect(displayName(given)).toBe(shown))
})
