import { describe, expect, test } from 'bun:test'
import { checkHours, hoursOf, isWithin } from '../../../src/lib/input/hours.ts'

describe('hours', () => {
  test.each([
    ['Mon-Fri 09:00-17:00 Europe/Berlin', 'Mon-Fri 09:00-17:00 Europe/Berlin'],
    ['  mon-fri  09:00 - 17:00 europe/berlin ', 'Mon-Fri 09:00-17:00 Europe/Berlin'],
    ['Mon, Wed 09:00-12:00, 13:00-24:00; SAT 10:00-14:00 UTC', 'Mon,Wed 09:00-12:00,13:00-24:00; Sat 10:00-14:00 UTC'],
  ])('%p is kept as %p', (text, kept) => {
    expect(checkHours(text)).toBe(kept)
    expect(checkHours(kept)).toBe(kept)
  })

  test.each([
    ['always', 'hours: must be like Mon-Fri 09:00-17:00 Europe/Berlin'],
    [
      'Mon-Fri 09:00-17:00',
      'hours: "09:00-17:00" is not a time zone: the last word must be one, such as Europe/Berlin or UTC',
    ],
    [
      'Mon-Fri 09:00-17:00 Mars/Base',
      'hours: "Mars/Base" is not a time zone: the last word must be one, such as Europe/Berlin or UTC',
    ],
    ['Mon-Fri UTC', 'hours: "Mon-Fri" must be days and times, such as Mon-Fri 09:00-17:00'],
    ['; Mon 09:00-10:00 UTC', 'hours: "" must be days and times, such as Mon-Fri 09:00-17:00'],
    ['Mo-Fr 09:00-17:00 UTC', 'hours: "Mo" is not a day: Mon, Tue, Wed, Thu, Fri, Sat, Sun'],
    ['Mon-Wed-Fri 09:00-17:00 UTC', 'hours: "Mon-Wed-Fri" must be days such as Mon-Fri'],
    ['Mon 9-17 UTC', 'hours: "9" must be a time such as 09:00'],
    ['Mon 09:00 UTC', 'hours: "09:00" must be times such as 09:00-17:00'],
    ['Mon 09:60-17:00 UTC', 'hours: "09:60" must be a time such as 09:00'],
    ['Mon 09:00-24:01 UTC', 'hours: "24:01" must be a time such as 09:00'],
    [
      'Mon 17:00-09:00 UTC',
      'hours: 17:00-09:00 must end after it begins: for a night, write 22:00-24:00 and, on the next day, 00:00-06:00',
    ],
    [`Mon 09:00-10:00${' '.repeat(10)}${';Mon 09:00-10:00'.repeat(40)} UTC`, 'hours: must be at most 500 characters'],
  ])('that cannot be read are refused: %#', (text, message) => {
    expect(() => checkHours(text)).toThrow(message)
  })

  test.each([
    // A Monday; Berlin is an hour ahead of UTC in winter and two in summer.
    ['2026-03-02T07:59:59Z', false],
    ['2026-03-02T08:00:00Z', true],
    ['2026-03-02T15:59:59Z', true],
    ['2026-03-02T16:00:00Z', false],
    ['2026-07-06T07:00:00Z', true],
    ['2026-07-06T15:00:00Z', false],
    ['2026-03-06T12:00:00Z', true],
    ['2026-03-07T12:00:00Z', false],
    ['2026-03-08T12:00:00Z', false],
  ])('on weekdays from nine to five in Berlin: %p → %p', (at, expected) => {
    expect(isWithin(hoursOf('Mon-Fri 09:00-17:00 Europe/Berlin'), Date.parse(at))).toBe(expected)
  })

  test('may go round the end of the week, and last until midnight', () => {
    const hours = hoursOf('Sat-Mon 22:00-24:00,00:00-01:00 UTC')
    const open = ['2026-03-01T23:59:59Z', '2026-03-02T00:30:00Z', '2026-03-07T22:00:00Z']
    const closed = ['2026-03-02T01:00:00Z', '2026-03-03T23:00:00Z', '2026-03-06T23:00:00Z']
    expect(open.map((at) => isWithin(hours, Date.parse(at)))).toEqual([true, true, true])
    expect(closed.map((at) => isWithin(hours, Date.parse(at)))).toEqual([false, false, false])
  })
})
