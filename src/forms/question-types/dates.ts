import { Type } from '@sinclair/typebox'
import { invalid, rule } from '../../errors.ts'
import { nullable } from '../../http/requests/schemas.ts'
import { isBlank, readFields, readString } from '../../lib/input/read.ts'
import { isCalendarDate } from '../../lib/time.ts'
import { part, pickInteger, readOptionalString } from './answers.ts'
import { flag, optionalText } from './fields.ts'
import { questionType } from './types.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d$/
const MAX_DATE_LENGTH = 100

const collectTime = flag('Whether a time of day is asked for too.')

/** A date is `2026-03-01`, with collectTime `2026-03-01T14:30` (decisions §4). */
export const date = questionType({
  type: 'date',
  meaning: 'A single date.',
  fields: { datePlaceholder: optionalText('Shown while nothing is chosen.'), collectTime },
  answerSchema: Type.String({ description: '2026-03-01, with collectTime 2026-03-01T14:30.' }),
  accept: (value, _settings, place) => readString(value, MAX_DATE_LENGTH, place),
  isEmpty: isBlank,
  check: (answer, settings, place) => requireDate(answer, settings.collectTime, place),
  sample: (settings, random) => sampleDate(2025, settings.collectTime, random),
  text: readable,
})

export const dateRange = questionType({
  type: 'date_range',
  meaning: 'A range of dates, from and to.',
  fields: {
    startDatePlaceholder: optionalText('Shown while no first date is chosen.'),
    endDatePlaceholder: optionalText('Shown while no last date is chosen.'),
    collectTime,
  },
  answerSchema: Type.Object({
    from: nullable(Type.String({ description: 'The first date; null only in a partial response.' })),
    to: nullable(Type.String({ description: 'The last date; null only in a partial response.' })),
  }),
  accept(value, _settings, place) {
    const given = readFields(value, ['from', 'to'], place)
    return {
      from: readOptionalString(given.from, MAX_DATE_LENGTH, part(place, '.from')),
      to: readOptionalString(given.to, MAX_DATE_LENGTH, part(place, '.to')),
    }
  },
  isEmpty: (answer) => answer.from === null && answer.to === null,
  check({ from, to }, settings, place) {
    requireDate(from, settings.collectTime, part(place, '.from'))
    requireDate(to, settings.collectTime, part(place, '.to'))
    // Both are written alike, so that they compare as text.
    if (from > to) throw invalid(place, rule('period'))
  },
  sample: (settings, random) => ({
    from: sampleDate(2025, settings.collectTime, random),
    to: sampleDate(2026, settings.collectTime, random),
  }),
  text: ({ from, to }) => `${readable(from ?? '')} – ${readable(to ?? '')}`,
})

/** Throws `invalid` for what is not a date of that form. */
export function requireDate(text: string | null, withTime: boolean, place: string): asserts text is string {
  if (text === null) throw invalid(place, rule('required'))
  const match = (withTime ? DATE_TIME : DATE).exec(text)
  if (!match) throw invalid(place, rule('date', { example: withTime ? '2026-03-01T14:30' : '2026-03-01' }))
  if (!isCalendarDate(Number(match[1]), Number(match[2]), Number(match[3]))) throw invalid(place, rule('calendar_date'))
}

function sampleDate(year: number, withTime: boolean, random: () => number): string {
  const two = (min: number, max: number) => String(pickInteger(min, max, random)).padStart(2, '0')
  const day = `${year}-${two(1, 12)}-${two(1, 28)}`
  return withTime ? `${day}T${two(8, 17)}:${two(0, 59)}` : day
}

function readable(date: string): string {
  return date.replace('T', ' ')
}
