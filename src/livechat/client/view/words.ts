import { one } from '../../../hosted/client/tools/dom.ts'
import { speaker } from '../../../words/sentences.ts'
import type { en } from '../../words/en.ts'

/* The words of the chat's language, which come with the page, and what else is written as people there write it. */

const { content, dataset } = one<HTMLTemplateElement>(document, '#words')

const { locale = 'en' } = dataset

export const say = speaker<typeof en>(JSON.parse(content.textContent as string), dataset.list as string, locale)

const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' })
const shortDate = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const fullTime = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

/** A size in bytes: `48 kB`. */
export function writeSize(size: number): string {
  const [unit, of] = size < 1_000_000 ? (['kilobyte', 1000] as const) : (['megabyte', 1_000_000] as const)
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, maximumSignificantDigits: 2 })
  return format.format(Math.max(1, Math.round(size / 100) / 10) / (of / 1000))
}

/** The day of a moment on this device, as a number that grows by one each day. */
export function dayOf(at: Date): number {
  return Math.round(new Date(at.getFullYear(), at.getMonth(), at.getDate(), 12).getTime() / 86_400_000)
}

export const writeTime = (at: Date): string => time.format(at)
export const writeFullTime = (at: Date): string => fullTime.format(at)

/** `Today`, `Yesterday`, else the day; with its year where that is another one. */
export function writeDay(at: Date, now = new Date()): string {
  const days = dayOf(at) - dayOf(now)
  if (days === 0 || days === -1) {
    const text = relative.format(days, 'day')
    return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
  }
  return (at.getFullYear() === now.getFullYear() ? day : date).format(at)
}

/** For the list: the time of today, else the day. */
export function writeShort(at: Date): string {
  return dayOf(at) === dayOf(new Date()) ? time.format(at) : shortDate.format(at)
}
