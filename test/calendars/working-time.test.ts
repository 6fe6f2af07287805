import { describe, expect, test } from 'bun:test'
import { alwaysOpen, type Calendar, everyDay, type Week } from '../../src/calendars/model.ts'
import { readWeek } from '../../src/calendars/week-text.ts'
import { afterWorkingTime, isWorkingTime, workingTimeBetween } from '../../src/calendars/working-time.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const of = (zone: string, week: string | Week, daysOff: readonly string[] = []): Calendar => ({
  zone,
  hours: typeof week === 'string' ? readWeek(week) : week,
  daysOff: daysOff.map((date) => ({ date, name: 'Off' })),
})

const office = of('Europe/Berlin', 'Mon-Fri 09:00-17:00')
const lunch = of('Europe/Copenhagen', 'Mon-Fri 09:00-12:00,12:30-17:00')
const night = of('Europe/Berlin', 'Mon-Sun 22:00-06:00')
const allDay = (zone: string) => of(zone, 'Mon-Sun 00:00-24:00')
const christmas = of('Europe/Berlin', 'Mon-Fri 09:00-17:00', ['2026-12-24', '2026-12-25'])
const nightOff = of('UTC', 'Mon-Sun 22:00-06:00', ['2026-12-25'])

/** From, how much is worked, and when that is reached: the first instant at which so much has passed. */
const cases: readonly [title: string, Calendar, from: string, minutes: number, until: string][] = [
  ['within a day', office, '2026-11-24T09:00:00+01:00', 60, '2026-11-24T10:00:00+01:00'],
  ['right to the second', office, '2026-11-24T09:00:30+01:00', 30, '2026-11-24T09:30:30+01:00'],
  [
    'up to the end of a day, and not into the next',
    office,
    '2026-11-24T16:00:00+01:00',
    60,
    '2026-11-24T17:00:00+01:00',
  ],
  ['a minute more goes on the next morning', office, '2026-11-24T16:00:00+01:00', 61, '2026-11-25T09:01:00+01:00'],
  ['over a weekend', office, '2026-11-27T16:30:00+01:00', 60, '2026-11-30T09:30:00+01:00'],
  ['from before the hours', office, '2026-11-24T05:00:00+01:00', 30, '2026-11-24T09:30:00+01:00'],
  ['from a Sunday', office, '2026-11-29T12:00:00+01:00', 480, '2026-11-30T17:00:00+01:00'],
  ['a whole week', office, '2026-11-23T09:00:00+01:00', 40 * 60, '2026-11-27T17:00:00+01:00'],
  ['over a break at noon', lunch, '2026-11-24T11:45:00+01:00', 30, '2026-11-24T12:45:00+01:00'],
  ['from within the break', lunch, '2026-11-24T12:10:00+01:00', 10, '2026-11-24T12:40:00+01:00'],
  ['always', alwaysOpen, '2026-11-28T23:00:00Z', 26 * 60, '2026-11-30T01:00:00Z'],

  // Summer time.
  ['over the weekend of its beginning', office, '2026-03-27T16:30:00+01:00', 60, '2026-03-30T09:30:00+02:00'],
  ['over the weekend of its end', office, '2026-10-23T16:30:00+02:00', 60, '2026-10-26T09:30:00+01:00'],
  ['the day with 23 hours', allDay('Europe/Berlin'), '2026-03-29T00:00:00+01:00', 23 * 60, '2026-03-30T00:00:00+02:00'],
  ['the day with 25 hours', allDay('Europe/Berlin'), '2026-10-25T00:00:00+02:00', 25 * 60, '2026-10-26T00:00:00+01:00'],
  ['a night that is an hour short', night, '2026-03-28T22:00:00+01:00', 7 * 60, '2026-03-29T06:00:00+02:00'],
  ['a night that is an hour long', night, '2026-10-24T22:00:00+02:00', 9 * 60, '2026-10-25T06:00:00+01:00'],
  [
    'hours that the clock skips',
    of('Europe/Berlin', 'Sun 02:00-03:00'),
    '2026-03-29T00:00:00+01:00',
    60,
    '2026-04-05T03:00:00+02:00',
  ],
  [
    'hours that begin in what it skips',
    of('Europe/Berlin', 'Sun 02:30-04:00'),
    '2026-03-29T00:00:00+01:00',
    60,
    '2026-03-29T04:00:00+02:00',
  ],
  [
    'hours that it shows twice',
    of('Europe/Berlin', 'Sun 02:00-03:00'),
    '2026-10-25T00:00:00+02:00',
    120,
    '2026-10-25T03:00:00+01:00',
  ],
  [
    'hours that end in what it shows twice',
    of('Europe/Berlin', 'Sun 01:00-02:30'),
    '2026-10-25T00:00:00+02:00',
    120,
    '2026-10-25T02:30:00+01:00',
  ],
  [
    'New York, beginning',
    of('America/New_York', 'Mon-Fri 09:00-17:00'),
    '2026-03-06T16:00:00-05:00',
    120,
    '2026-03-09T10:00:00-04:00',
  ],
  [
    'New York, end',
    of('America/New_York', 'Mon-Fri 09:00-17:00'),
    '2026-10-30T16:00:00-04:00',
    120,
    '2026-11-02T10:00:00-05:00',
  ],
  [
    'the south, whose summer begins in October',
    of('Australia/Sydney', 'Mon-Fri 09:00-17:00'),
    '2026-10-02T16:00:00+10:00',
    120,
    '2026-10-05T10:00:00+11:00',
  ],
  [
    'the south, and ends in April',
    of('Australia/Sydney', 'Mon-Fri 09:00-17:00'),
    '2026-04-03T16:00:00+11:00',
    120,
    '2026-04-06T10:00:00+10:00',
  ],
  [
    'half an hour of summer',
    allDay('Australia/Lord_Howe'),
    '2026-04-05T00:00:00+11:00',
    24 * 60 + 30,
    '2026-04-06T00:00:00+10:30',
  ],
  [
    'half an hour less',
    allDay('Australia/Lord_Howe'),
    '2026-10-04T00:00:00+10:30',
    23 * 60 + 30,
    '2026-10-05T00:00:00+11:00',
  ],
  [
    'a change at midnight: Cairo’s Friday begins at one',
    allDay('Africa/Cairo'),
    '2026-04-23T00:00:00+02:00',
    24 * 60 + 1,
    '2026-04-24T01:01:00+03:00',
  ],
  [
    'and one midnight comes twice',
    allDay('Africa/Cairo'),
    '2026-10-29T00:00:00+03:00',
    25 * 60,
    '2026-10-30T00:00:00+02:00',
  ],
  [
    'hours from midnight on the day that has none',
    of('Asia/Beirut', 'Sun 00:00-02:00'),
    '2026-03-28T12:00:00+02:00',
    60,
    '2026-03-29T02:00:00+03:00',
  ],
  [
    'a night into the day that has no midnight',
    of('Asia/Beirut', 'Sat 22:00-04:00'),
    '2026-03-28T12:00:00+02:00',
    5 * 60,
    '2026-03-29T04:00:00+03:00',
  ],
  [
    'São Paulo has none since 2019',
    of('America/Sao_Paulo', 'Mon-Fri 09:00-17:00'),
    '2026-10-16T16:00:00-03:00',
    120,
    '2026-10-19T10:00:00-03:00',
  ],
  [
    'and had its change at midnight',
    allDay('America/Sao_Paulo'),
    '2018-11-03T00:00:00-03:00',
    24 * 60 + 1,
    '2018-11-04T01:01:00-02:00',
  ],

  // Zones that are not whole hours ahead.
  ['Kolkata', of('Asia/Kolkata', 'Mon-Fri 09:30-18:00'), '2026-11-24T12:30:00Z', 1, '2026-11-25T04:01:00Z'],
  ['Kathmandu', of('Asia/Kathmandu', 'Mon-Fri 10:00-17:00'), '2026-11-24T11:14:00Z', 2, '2026-11-25T04:16:00Z'],
  [
    'Adelaide in summer',
    of('Australia/Adelaide', 'Mon-Fri 09:00-17:00'),
    '2026-11-24T06:30:00Z',
    1,
    '2026-11-24T22:31:00Z',
  ],
  [
    'the Chatham Islands',
    of('Pacific/Chatham', 'Mon-Fri 09:00-17:00'),
    '2026-07-06T20:15:00Z',
    1,
    '2026-07-06T20:16:00Z',
  ],
  [
    'a day ahead of UTC',
    of('Pacific/Kiritimati', 'Mon 00:00-24:00'),
    '2026-11-22T09:00:00Z',
    60,
    '2026-11-22T11:00:00Z',
  ],
  ['a day that Samoa left out', allDay('Pacific/Apia'), '2011-12-29T23:00:00-10:00', 120, '2011-12-31T01:00:00+14:00'],

  // Spans that pass midnight.
  ['through a night', night, '2026-11-24T23:00:00+01:00', 120, '2026-11-25T01:00:00+01:00'],
  ['from one night to the next', night, '2026-11-25T05:30:00+01:00', 60, '2026-11-25T22:30:00+01:00'],
  [
    'the night of Sunday ends on Monday',
    of('UTC', 'Sun 22:00-06:00'),
    '2026-11-29T12:00:00Z',
    8 * 60,
    '2026-11-30T06:00:00Z',
  ],
  ['until midnight, and no longer', of('UTC', 'Mon 22:00-24:00'), '2026-11-30T22:00:00Z', 121, '2026-12-07T22:01:00Z'],
  [
    '00:00 as an end is midnight, too',
    of('UTC', 'Mon 22:00-00:00'),
    '2026-11-30T22:00:00Z',
    121,
    '2026-12-07T22:01:00Z',
  ],
  [
    'spans that overlap count once',
    of('UTC', 'Mon 09:00-12:00,11:00-13:00'),
    '2026-11-30T00:00:00Z',
    240,
    '2026-11-30T13:00:00Z',
  ],
  [
    'a night that reaches into the hours of the next day',
    of('UTC', 'Mon 22:00-10:00; Tue 09:00-11:00'),
    '2026-11-30T00:00:00Z',
    13 * 60,
    '2026-12-01T11:00:00Z',
  ],

  // Days off.
  ['over Christmas', christmas, '2026-12-23T16:00:00+01:00', 120, '2026-12-28T10:00:00+01:00'],
  ['from a day off', christmas, '2026-12-24T10:00:00+01:00', 1, '2026-12-28T09:01:00+01:00'],
  ['a night ends at the midnight of a day off', nightOff, '2026-12-24T22:00:00Z', 120, '2026-12-25T00:00:00Z'],
  ['and no night begins on it', nightOff, '2026-12-24T22:00:00Z', 121, '2026-12-26T22:01:00Z'],
]

describe('working time', () => {
  test.each(cases)('%s', (_, calendar, start, minutes, end) => {
    const [from, until, length] = [Date.parse(start), Date.parse(end), minutes * MINUTE]
    expect(new Date(afterWorkingTime(calendar, from, length) ?? 0).toISOString()).toBe(new Date(until).toISOString())
    expect(workingTimeBetween(calendar, from, until)).toBe(length)
    // Until then, and not a moment before.
    expect(isWorkingTime(calendar, until - 1)).toBe(true)
    expect(workingTimeBetween(calendar, from, until - 1)).toBe(length - 1)
  })

  test.each(cases)('counted minute by minute: %s', (_, calendar, start, minutes, end) => {
    const [from, until] = [Date.parse(start), Date.parse(end)]
    let worked = 0
    for (let at = from; at < until; at += MINUTE) if (isWorkingTime(calendar, at)) worked += 1
    expect(worked).toBe(minutes)
  })

  test('what is none is none at any time', () => {
    const never = of('Europe/Berlin', everyDay([]))
    const from = Date.parse('2026-11-24T09:00:00Z')
    expect(isWorkingTime(never, from)).toBe(false)
    expect(workingTimeBetween(never, from, from + 1000 * HOUR)).toBe(0)
    expect(afterWorkingTime(never, from, 1)).toBeNull()
  })

  test('what comes within ten years alone is looked for', () => {
    const rare = of('Europe/Berlin', 'Sun 02:00-02:01')
    const from = Date.parse('2026-11-24T09:00:00Z')
    expect(afterWorkingTime(rare, from, 100 * MINUTE)).toBeGreaterThan(from)
    expect(afterWorkingTime(rare, from, 1000 * MINUTE)).toBeNull()
    expect(afterWorkingTime(office, from, Number.MAX_SAFE_INTEGER)).toBeNull()
  })

  test('is right where the very instant of a change is asked about first', () => {
    const saturday = of('Europe/Vienna', 'Sat 09:00-10:00')
    expect(isWorkingTime(saturday, Date.parse('2026-03-29T01:00:00Z'))).toBe(false)
    expect(isWorkingTime(saturday, Date.parse('2026-03-28T08:30:00Z'))).toBe(true)
    expect(isWorkingTime(saturday, Date.parse('2026-04-04T07:30:00Z'))).toBe(true)
  })

  test('no time at all has passed at once, and backwards none does', () => {
    const from = Date.parse('2026-11-29T09:00:00Z')
    expect(afterWorkingTime(office, from, 0)).toBe(from)
    expect(workingTimeBetween(office, from, from)).toBe(0)
    expect(workingTimeBetween(office, from, from - 100 * HOUR)).toBe(0)
  })

  test('adds up wherever it is cut', () => {
    for (const calendar of [office, lunch, night, christmas, nightOff, allDay('Australia/Lord_Howe')]) {
      const [from, until] = [Date.parse('2026-03-20T07:13:11Z'), Date.parse('2027-01-04T18:31:47Z')]
      const whole = workingTimeBetween(calendar, from, until)
      for (const at of [0.1, 0.25, 0.5, 0.77, 0.99].map((share) => Math.round(from + share * (until - from)))) {
        expect(workingTimeBetween(calendar, from, at) + workingTimeBetween(calendar, at, until)).toBe(whole)
      }
    }
  })
})
