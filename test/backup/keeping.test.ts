import { describe, expect, test } from 'bun:test'
import { kept } from '../../src/backup/keeping.ts'
import type { Keep } from '../../src/config.ts'

const DAY = 86_400_000
const at = (text: string) => Date.parse(text.length === 10 ? `${text}T03:00:00Z` : text)
const rule = (text: string): Keep => {
  const of = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0)
  return { hours: of('h'), days: of('d'), weeks: of('w'), months: of('m') }
}
const days = (from: string, to: string, hours: readonly string[] = ['03:00']): string[] => {
  const found: string[] = []
  for (let day = at(from); day <= at(to); day += DAY) {
    for (const hour of hours) found.push(`${new Date(day).toISOString().slice(0, 10)}T${hour}:00Z`)
  }
  return found
}

interface Case {
  name: string
  made: string[]
  keep: string
  now: string
  left: string[]
}

const cases: Case[] = [
  {
    name: 'a year of nights: the last seven, the Sundays of four weeks and the ends of six months',
    made: days('2025-11-25', '2026-11-24'),
    keep: '7d 4w 6m',
    now: '2026-11-24',
    left: [
      '2026-06-30',
      '2026-07-31',
      '2026-08-31',
      '2026-09-30',
      '2026-10-31',
      '2026-11-08',
      '2026-11-15',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
      '2026-11-22',
      '2026-11-23',
      '2026-11-24',
    ],
  },
  {
    name: 'of two a day the later one',
    made: days('2026-11-20', '2026-11-24', ['03:00', '15:00']),
    keep: '3d',
    now: '2026-11-24T16:00:00Z',
    left: ['2026-11-22T15:00:00Z', '2026-11-23T15:00:00Z', '2026-11-24T15:00:00Z'],
  },
  {
    name: 'gaps count for nothing: seven days are seven that have a backup',
    made: [
      '2026-01-05',
      '2026-01-06',
      '2026-03-01',
      '2026-07-01',
      '2026-11-01',
      '2026-11-10',
      '2026-11-23',
      '2026-11-24',
    ],
    keep: '7d',
    now: '2026-11-24',
    left: ['2026-01-06', '2026-03-01', '2026-07-01', '2026-11-01', '2026-11-10', '2026-11-23', '2026-11-24'],
  },
  {
    name: 'the nights on which summer time begins and ends are days as others: each has its own',
    made: [
      '2026-03-28T23:30:00Z',
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:30:00Z',
      '2026-10-24T23:30:00Z',
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:30:00Z',
    ],
    keep: '4d',
    now: '2026-10-26',
    left: ['2026-03-28T23:30:00Z', '2026-03-29T01:30:00Z', '2026-10-24T23:30:00Z', '2026-10-25T01:30:00Z'],
  },
  {
    name: 'what a clock made that went ahead stays until its time comes, and takes no other’s place',
    made: ['2026-11-22', '2026-11-23', '2026-11-24', '2031-01-01', '2031-01-02'],
    keep: '2d',
    now: '2026-11-24',
    left: ['2026-11-23', '2026-11-24', '2031-01-01', '2031-01-02'],
  },
  {
    name: 'and goes like all others then',
    made: ['2031-01-01', '2031-01-02', '2031-01-03', '2031-01-04'],
    keep: '2d',
    now: '2031-01-04',
    left: ['2031-01-03', '2031-01-04'],
  },
  {
    name: 'a week begins on Monday, also across the turn of the year',
    made: days('2026-12-26', '2027-01-05'),
    keep: '2w',
    now: '2027-01-05',
    left: ['2027-01-03', '2027-01-05'],
  },
  {
    name: 'hours, where it says so',
    made: [
      '2026-11-24T01:10:00Z',
      '2026-11-24T01:50:00Z',
      '2026-11-24T02:10:00Z',
      '2026-11-24T03:59:59Z',
      '2026-11-24T04:00:00Z',
    ],
    keep: '3h',
    now: '2026-11-24T04:00:01Z',
    left: ['2026-11-24T02:10:00Z', '2026-11-24T03:59:59Z', '2026-11-24T04:00:00Z'],
  },
  {
    name: 'the newest is of its day, its week and its month at once',
    made: ['2026-11-23', '2026-11-24'],
    keep: '1d 1w 1m',
    now: '2026-11-24',
    left: ['2026-11-24'],
  },
  { name: 'none at all', made: [], keep: '7d 4w 6m', now: '2026-11-24', left: [] },
]

const shown = (times: Iterable<number>) => [...times].sort((a, b) => a - b).map((ms) => new Date(ms).toISOString())

describe('which backups are kept', () => {
  test.each(cases)('$name', ({ made, keep, now, left }) => {
    expect(shown(kept(made.map(at), rule(keep), at(now)))).toEqual(shown(left.map(at)))
  })

  test('thinned out night after night, what is left is what a rule keeps of all that were ever made', () => {
    const keep = rule('7d 4w 6m')
    let there: number[] = []
    for (const made of days('2025-01-01', '2026-11-24').map(at)) {
      there.push(made)
      there = [...kept(there, keep, made)]
    }
    expect(shown(there)).toEqual(shown(kept(days('2025-01-01', '2026-11-24').map(at), keep, at('2026-11-24'))))
  })
})
