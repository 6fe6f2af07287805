import ICAL from 'ical.js'
import { invalid, rule } from '../errors.ts'

/** Characters of a file, and of a line of it, and its events at most. */
export const MAX_ICS = 256 * 1024
const MAX_LINE = 1000
const MAX_EVENTS = 1000

/** What is read of an event. Dates are `2026-12-25`; null where there is none, or a time. */
export interface IcsEvent {
  readonly summary: string
  readonly start: string | null
  /** The day after its last. */
  readonly end: string | null
  readonly repeats: string | null
  readonly except: readonly string[]
  readonly isCancelled: boolean
}

/** The lines of an event that are read: nothing else gets to the parser, which takes seconds for some of what can be made up. */
const READ = /^(?:SUMMARY|DTSTART|DTEND|RRULE|EXDATE|STATUS)[:;]/i

/** The events of an ICS file. Throws `invalid_request` for what is none, and for too many. */
export function eventsIn(text: string, place: string): IcsEvent[] {
  if (text.length > MAX_ICS) throw invalid(place, rule('too_large', { size: MAX_ICS }))
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)
  if (!/^\uFEFF?BEGIN:VCALENDAR\s*$/i.test(lines[0] ?? '')) throw invalid(place, rule('ics'))
  const events: string[][] = []
  const within: string[] = []
  for (const line of lines) {
    const [, step, name = ''] = /^(BEGIN|END):([\w-]{1,40})\s*$/i.exec(line) ?? []
    if (step?.toUpperCase() === 'BEGIN') {
      within.push(name.toUpperCase())
      if (within.length === 2 && within[1] === 'VEVENT') events.push([])
    } else if (step) within.pop()
    // Alarms in an event have summaries of their own.
    else if (within.length === 2 && within[1] === 'VEVENT' && READ.test(line))
      events.at(-1)?.push(line.slice(0, MAX_LINE))
    if (events.length > MAX_EVENTS) throw invalid(place, rule('ics_too_much'))
  }
  return events.map((own) => eventOf(own, place))
}

function eventOf(lines: readonly string[], place: string): IcsEvent {
  // Read by us: the parser would refuse the file for a rule that it does not know.
  const own = lines.filter((line) => !/^RRULE[:;]/i.test(line))
  const rrule = lines.find((line) => /^RRULE[:;]/i.test(line))
  try {
    const event = new ICAL.Component(ICAL.parse(['BEGIN:VEVENT', ...own, 'END:VEVENT'].join('\r\n')))
    return { ...readEvent(event), repeats: rrule === undefined ? null : rrule.slice(rrule.indexOf(':') + 1).trim() }
  } catch {
    throw invalid(place, rule('ics'))
  }
}

function readEvent(event: ICAL.Component): Omit<IcsEvent, 'repeats'> {
  const text = (name: string) => String(event.getFirstPropertyValue(name) ?? '')
  const date = (name: string) => {
    const value = event.getFirstPropertyValue(name)
    return value instanceof ICAL.Time && value.isDate ? value.toString() : null
  }
  return {
    summary: text('summary'),
    start: date('dtstart'),
    end: date('dtend'),
    except: event
      .getAllProperties('exdate')
      .flatMap((property) => property.getValues().map((value) => String(value).slice(0, 10))),
    isCancelled: text('status').toUpperCase() === 'CANCELLED',
  }
}
