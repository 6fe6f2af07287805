import { describe, expect, test } from 'bun:test'
import { parseCalendar } from '../../src/calendars/parse.ts'
import { readHours, writeHours } from '../../src/calendars/week-text.ts'
import { AppError } from '../../src/errors.ts'

const good = { zone: 'Europe/Copenhagen', hours: { mon: [['09:00', '17:00']] }, daysOff: [] }
const withDays = (daysOff: unknown) => ({ ...good, daysOff })
const withMonday = (mon: unknown) => ({ ...good, hours: { mon } })

function refusal(given: unknown): string {
  try {
    parseCalendar(given)
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
  return 'taken'
}

describe('a calendar', () => {
  test('has every day, its zone as it is usually spelt, and its days off in order', () => {
    const given = {
      zone: 'europe/copenhagen',
      hours: {
        mon: [
          ['09:00', '12:00'],
          ['12:30', '17:00'],
        ],
        sat: [['22:00', '06:00']],
        sun: [],
      },
      daysOff: [
        { date: '2026-12-26', name: ' Second day ' },
        { date: '2026-12-25', name: 'Christmas' },
      ],
    }
    expect(parseCalendar(given)).toEqual({
      zone: 'Europe/Copenhagen',
      hours: { ...given.hours, tue: [], wed: [], thu: [], fri: [] } as never,
      daysOff: [
        { date: '2026-12-25', name: 'Christmas' },
        { date: '2026-12-26', name: 'Second day' },
      ],
    })
    expect(parseCalendar({ zone: 'UTC', hours: {} }).daysOff).toEqual([])
  })

  test.each([
    [null, 'calendar: must be an object'],
    [[], 'calendar: must be an object'],
    [{ ...good, holidays: [] }, 'calendar: unknown field "holidays"'],
    [{ hours: {} }, 'zone: is required'],
    [{ zone: 'UTC' }, 'hours: is required'],
    [{ ...good, zone: 7 }, 'zone: must be a string'],
    [
      { ...good, zone: 'Mars/Base' },
      'zone: "Mars/Base" is not a time zone: it must be one such as Europe/Berlin or UTC',
    ],
    [{ ...good, zone: '+02:00' }, 'zone: "+02:00" is not a time zone: it must be one such as Europe/Berlin or UTC'],
    [{ ...good, zone: 'x'.repeat(101) }, 'zone: must be at most 100 characters'],
    [{ ...good, hours: [] }, 'hours: must be an object'],
    [{ ...good, hours: { Mon: [] } }, 'hours: "Mon" is not a day: mon, tue, wed, thu, fri, sat, sun'],
    [
      { ...good, hours: JSON.parse('{"__proto__": []}') },
      'hours: "__proto__" is not a day: mon, tue, wed, thu, fri, sat, sun',
    ],
    [withMonday('09:00-17:00'), 'hours.mon: must be a list'],
    [withMonday([['09:00']]), 'hours.mon[0]: must be two times, such as ["09:00", "17:00"]'],
    [withMonday([['09:00', '12:00', '17:00']]), 'hours.mon[0]: at most 2 items are allowed'],
    [withMonday([['09:00', 17]]), 'hours.mon[0][1]: must be a string'],
    [
      withMonday([
        ['09:00', '17:00'],
        ['9', '10:00'],
      ]),
      'hours.mon[1][0]: "9" must be a time such as 09:00',
    ],
    [withMonday([['09:00', '24:01']]), 'hours.mon[0][1]: "24:01" must be a time such as 09:00'],
    [
      withMonday([['24:00', '06:00']]),
      'hours.mon[0][0]: must begin before 24:00: what begins at midnight begins the next day at 00:00',
    ],
    [
      withMonday([['09:00', '09:00']]),
      'hours.mon[0][1]: 09:00-09:00 must end at another time than it begins: a whole day is 00:00-24:00',
    ],
    [withMonday(Array(13).fill(['09:00', '10:00'])), 'hours.mon: at most 12 items are allowed'],
    [withDays({}), 'daysOff: must be a list'],
    [withDays(['2026-12-25']), 'daysOff[0]: must be an object'],
    [withDays([{ name: 'Christmas' }]), 'daysOff[0].date: is required'],
    [withDays([{ date: '25.12.2026', name: 'Christmas' }]), 'daysOff[0].date: must be a date such as 2026-12-25'],
    [withDays([{ date: '2026-02-30', name: 'Never' }]), 'daysOff[0].date: must be a date such as 2026-12-25'],
    [withDays([{ date: '2026-12-25', name: ' ' }]), 'daysOff[0].name: must not be blank'],
    [withDays([{ date: '2026-12-25', name: 'x'.repeat(101) }]), 'daysOff[0].name: must be at most 100 characters'],
    [
      withDays([
        { date: '2026-12-25', name: 'a' },
        { date: '2026-12-25', name: 'b' },
      ]),
      'daysOff[1].date: 2026-12-25 is listed twice',
    ],
    [withDays(Array(501).fill({ date: '2026-12-25', name: 'a' })), 'daysOff: at most 500 items are allowed'],
  ])('that means nothing is refused at its place: %#', (given, message) => {
    expect(refusal(given)).toBe(message)
  })
})

describe('hours as people write them', () => {
  test.each([
    ['Mon-Fri 09:00-17:00 Europe/Berlin', 'Mon-Fri 09:00-17:00 Europe/Berlin'],
    ['  mon-fri  09:00 - 17:00 europe/berlin ', 'Mon-Fri 09:00-17:00 Europe/Berlin'],
    ['Mon, Wed 09:00-12:00, 13:00-24:00; SAT 10:00-14:00 UTC', 'Mon,Wed 09:00-12:00,13:00-24:00; Sat 10:00-14:00 UTC'],
    ['Mon,Tue,Wed,Sat 09:00-12:00 UTC', 'Mon-Wed,Sat 09:00-12:00 UTC'],
    ['Sat-Mon 22:00-06:00 UTC', 'Mon,Sat,Sun 22:00-06:00 UTC'],
    ['Mon 09:00-12:00; Mon 13:00-17:00 UTC', 'Mon 09:00-12:00,13:00-17:00 UTC'],
  ])('%p is shown as %p', (text, kept) => {
    expect(writeHours(readHours(text))).toBe(kept)
    expect(readHours(kept)).toEqual(readHours(text))
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
    ['Mon 09:00-09:00 UTC', 'hours: 09:00-09:00 must end at another time than it begins: a whole day is 00:00-24:00'],
    [`Mon 09:00-10:00${' '.repeat(10)}${';Mon 09:00-10:00'.repeat(40)} UTC`, 'hours: must be at most 500 characters'],
  ])('that cannot be read are refused: %#', (text, message) => {
    expect(() => readHours(text)).toThrow(message)
  })
})
