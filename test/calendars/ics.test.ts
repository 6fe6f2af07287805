import { describe, expect, test } from 'bun:test'
import { dayNumberOf } from '../../src/calendars/clock.ts'
import { daysOffIn } from '../../src/calendars/ics.ts'

const today = dayNumberOf('2026-11-24') as number
const file = (...events: string[]) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.map((event) => `BEGIN:VEVENT\r\nUID:1\r\n${event}\r\nEND:VEVENT\r\n`).join('')}END:VCALENDAR\r\n`
const read = (...events: string[]) =>
  daysOffIn(file(...events), today, 'file').map(({ date, name }) => `${date} ${name}`)

describe('days off from an ICS file', () => {
  test('are its events that last whole days, each day of them, in order', () => {
    expect(
      read(
        'DTSTART;VALUE=DATE:20261231\r\nSUMMARY:New Year’s Eve',
        'DTSTART;VALUE=DATE:20261224\r\nDTEND;VALUE=DATE:20261227\r\nSUMMARY:Christmas\\, all of\r\n  it',
        'DTSTART:20261201T090000Z\r\nDTEND:20261201T100000Z\r\nSUMMARY:A meeting',
        'DTSTART;VALUE=DATE:20261202\r\nSTATUS:CANCELLED\r\nSUMMARY:Not this one',
        'DTSTART;VALUE=DATE:20261203\r\nBEGIN:VALARM\r\nSUMMARY:Of the alarm\r\nEND:VALARM',
      ),
    ).toEqual([
      '2026-12-24 Christmas, all of it',
      '2026-12-25 Christmas, all of it',
      '2026-12-26 Christmas, all of it',
      '2026-12-31 New Year’s Eve',
    ])
  })

  test('come again each year, for five years from now, but for what is left out', () => {
    expect(
      read('DTSTART;VALUE=DATE:20200501\r\nRRULE:FREQ=YEARLY\r\nEXDATE;VALUE=DATE:20280501\r\nSUMMARY:May Day'),
    ).toEqual([2026, 2027, 2029, 2030, 2031].map((year) => `${year}-05-01 May Day`))
    expect(
      read('DTSTART;VALUE=DATE:20260525\r\nRRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO;COUNT=2\r\nSUMMARY:Memorial'),
    ).toEqual(['2026-05-25 Memorial', '2027-05-31 Memorial'])
  })

  test.each([
    ['that is none', 'hello', 'file: must be an ICS file'],
    ['that is cut off', 'BEGIN:VCALENDAR', null],
    ['with a line that means nothing', file('DTSTART;VALUE=DATE:soon\r\nSUMMARY:x'), 'file: must be an ICS file'],
    ['that is too large', file(`SUMMARY:${'x'.repeat(300_000)}`), 'file: must be at most 256 KiB'],
    [
      'with too many events',
      file(...Array(1001).fill('SUMMARY:x')),
      'file: holds more events than a calendar of holidays has',
    ],
    [
      'with too many that repeat for ever',
      file(...Array(900).fill('DTSTART;VALUE=DATE:19700101\r\nRRULE:FREQ=YEARLY;BYMONTH=1;BYDAY=1MO\r\nSUMMARY:x')),
      'file: holds more events than a calendar of holidays has',
    ],
    ['with components in one another', 'BEGIN:VCALENDAR\r\n'.repeat(15_000), null],
    [
      'with a rule for every second',
      file('DTSTART;VALUE=DATE:20261225\r\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30\r\nSUMMARY:x'),
      null,
    ],
    [
      'with a day that never comes',
      file('DTSTART;VALUE=DATE:20261225\r\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\r\nSUMMARY:x'),
      null,
    ],
    ['with thousands of parameters', file(`SUMMARY;${'A="x";'.repeat(40_000)}:x`), 'file: must be an ICS file'],
    ['folded thousands of times', file(`SUMMARY:${'\r\n '.repeat(80_000)}`), null],
  ])('a file %s is refused or read, and holds nobody up', (_, text, message) => {
    const before = process.cpuUsage()
    const look = () => daysOffIn(text, today, 'file')
    if (message === null) expect(look().length).toBeLessThan(10)
    else expect(look).toThrow(message)
    const { user, system } = process.cpuUsage(before)
    // Far more than it takes: a hostile file would take minutes.
    expect((user + system) / 1000).toBeLessThan(5_000)
  })
})
