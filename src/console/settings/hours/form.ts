import type { Calendar } from '../../../calendars/model.ts'
import { checkDaysOff, checkZone, MAX_DAYS_OFF } from '../../../calendars/parse.ts'
import { readTimes } from '../../../calendars/week-text.ts'
import { invalid, rule } from '../../../errors.ts'
import { type DayOff, type Weekday, weekdays } from '../../../kinds/calendars.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { quote } from '../../../lib/input/read.ts'
import { button, field, fieldset, form, textArea } from '../../components/forms.ts'
import type { FormFields } from '../../form-fields.ts'
import { seenInput } from '../../seen.ts'
import type { Again, Visit } from '../../visit.ts'

/** Where a week begins for `dayNameOf`: a Monday. */
const MONDAY = Date.UTC(2026, 0, 5)

/** The days of a week as the reader calls them. */
export function dayNames(visit: Visit): Readonly<Record<Weekday, string>> {
  const names = new Intl.DateTimeFormat(visit.wording.locale, { weekday: 'long', timeZone: 'UTC' })
  const named = weekdays.map((day, index) => [day, names.format(MONDAY + index * 86_400_000)])
  return Object.fromEntries(named) as Record<Weekday, string>
}

/** A calendar to change: its zone, the times of each day, and a line for each day off. */
export function hoursForm(
  visit: Visit,
  {
    action,
    own,
    calendar,
    again,
  }: { action: string; own: Calendar | null; calendar: Calendar; again: Again | undefined },
): Markup {
  const { say } = visit.wording
  const names = dayNames(visit)
  return form(visit, { action }, [
    seenInput({ own }),
    field(visit, {
      name: 'zone',
      label: say('hoursZone'),
      help: say('hoursZoneHelp'),
      value: calendar.zone,
      required: true,
      autocomplete: 'off',
      list: Intl.supportedValuesOf('timeZone'),
      again,
    }),
    fieldset({ legend: say('hoursWeek'), help: say('hoursWeekHelp') }, [
      weekdays.map((day) =>
        field(visit, {
          name: placeOf(day),
          label: names[day],
          value: calendar.hours[day].map((span) => span.join('-')).join(', '),
          placeholder: say('hoursClosed'),
          autocomplete: 'off',
          // Empty means that nobody works.
          required: 'depends',
          again,
        }),
      ),
    ]),
    textArea(visit, {
      name: 'daysOff',
      label: say('daysOff'),
      help: say('daysOffHelp'),
      value: calendar.daysOff.map(({ date, name }) => `${date} ${name}`).join('\n'),
      rows: Math.min(12, Math.max(4, calendar.daysOff.length + 1)),
      again,
    }),
    button(say('save')),
  ])
}

/** A file with days off, to be taken in. */
export function daysOffForm(visit: Visit, action: string, again: Again | undefined): Markup {
  const { say } = visit.wording
  return form(visit, { action, files: true }, [
    html`<p class="help">${say('daysOffFileHelp')}</p>`,
    field(visit, {
      name: 'file',
      label: say('daysOffFileLabel'),
      type: 'file',
      required: true,
      accept: '.ics,text/calendar',
      again,
    }),
    button(say('daysOffTake'), { kind: 'secondary' }),
  ])
}

const placeOf = (day: Weekday) => `hours.${day}`

/** The calendar as it was typed. Throws `invalid_request` naming the field. */
export function readHoursForm(sent: FormFields): Calendar {
  const week = weekdays.map((day) => {
    const text = sent.text(placeOf(day))
    return [day, text === '' ? [] : readTimes(text, placeOf(day))]
  })
  return {
    zone: checkZone(sent.text('zone'), 'zone'),
    hours: Object.fromEntries(week),
    daysOff: readDaysOff(sent.text('daysOff')),
  }
}

function readDaysOff(text: string): DayOff[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > MAX_DAYS_OFF) throw invalid('daysOff', rule('too_many_items', { most: MAX_DAYS_OFF }))
  const seen = new Set<string>()
  const days = lines.map((line) => {
    const [, date = '', name = ''] = /^\s*(\d{4}-\d{2}-\d{2})[\s,;:]+(\S.*)$/.exec(line) ?? []
    if (seen.has(date)) throw invalid('daysOff', rule('listed_twice', { item: date }))
    seen.add(date)
    return checkedDay(line, { date, name })
  })
  return checkDaysOff(days, 'daysOff')
}

function checkedDay(line: string, day: DayOff): DayOff {
  try {
    checkDaysOff([day], 'daysOff')
    return day
  } catch {
    throw invalid('daysOff', rule('day_off', { text: quote(line.trim()) }))
  }
}
