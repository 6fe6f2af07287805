import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { icons } from '../icons.ts'
import { referringPage } from '../referring-page.ts'
import type { OpenVisit, View } from '../visit.ts'

/** The heading of a page, with what can be done on it beside it. */
export function pageHead(title: string, actions?: Insert, intro?: Insert): Markup {
  return html`<div class="head"><div><h1>${title}</h1>${intro && html`<p class="intro">${intro}</p>`}</div>${actions && html`<div class="buttons">${actions}</div>`}</div>`
}

/** Where a page belongs: back to the list it is one of, as searched, filtered and paged as whoever comes from it left it. */
export function backLink(view: View & Partial<Pick<OpenVisit, 'request'>>, path: string, text: Insert): Markup {
  const from = view.request ? referringPage(view.request, view.href('')) : null
  const to = from?.startsWith(`${path}?`) ? from : path
  return html`<p class="back"><a href="${view.href(to)}">${icons.back}<span>${text}</span></a></p>`
}

/** A link that looks like a button. */
export function linkButton(view: View, path: string, text: Insert, kind: 'primary' | 'secondary' = 'primary'): Markup {
  return html`<a class="${kind}" href="${view.href(path)}">${text}</a>`
}

/** A state in a word or two. The word says it; the colour repeats it. */
export function badge(text: Insert, tone: 'neutral' | 'good' | 'warn' | 'bad' | 'accent' = 'neutral'): Markup {
  return html`<span class="badge ${tone}">${text}</span>`
}

/** Colours there are for people: see `theme.css`. */
const HUES = 8

/** The initials of somebody, in a colour of theirs: the name stands beside it. */
export function avatar(name: string): Markup {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '').join('')
  const hue = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_536, 7) % HUES
  return html`<span class="avatar hue-${hue}" aria-hidden="true">${initials.toUpperCase() || '?'}</span>`
}

/** A part of a page, with its heading. */
export function card(title: string, content: Insert, { id, actions }: { id?: string; actions?: Insert } = {}): Markup {
  const heading = id ?? `card-${title.replace(/[^\p{L}\p{N}]+/gu, '-')}`
  return html`<section class="card" aria-labelledby="${heading}"><div class="head"><h2 id="${heading}">${title}</h2>${actions && html`<div class="buttons">${actions}</div>`}</div>${content}</section>`
}

/** What stands where there is nothing yet: why, and what to do about it. */
export function emptyState(content: Insert, action?: Insert): Markup {
  return html`<div class="empty"><p>${content}</p>${action && html`<p>${action}</p>`}</div>`
}

/** Names and what they stand for; those without a value are left out. */
export function definitions(pairs: readonly (readonly [name: string, value: Insert])[]): Markup {
  const given = pairs.filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
  return html`<dl>${given.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Something that is shown but once, with a button that copies it where scripts run. */
export function copyable(view: View, { label, value, id }: { label: string; value: string; id: string }): Markup {
  return html`<div class="copyable"><label for="${id}">${label}</label><div><input class="text code" id="${id}" value="${value}" readonly><button type="button" class="secondary" data-copy="${id}" hidden>${icons.copy}<span>${view.wording.say('copy')}</span></button></div></div>`
}

/** Making a format takes far longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

type TimeStyle = 'date' | 'moment' | 'clock'

function formatOf(locale: string, style: TimeStyle): Intl.DateTimeFormat {
  const key = `${locale} ${style}`
  const known = formats.get(key)
  if (known) return known
  const date = style === 'clock' ? {} : ({ dateStyle: 'medium' } as const)
  const time = style === 'date' ? {} : ({ timeStyle: 'short' } as const)
  const made = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...date, ...time })
  formats.set(key, made)
  return made
}

/**
 * A moment as the API writes it, in the reader's language: in UTC, which a script makes the reader's own time.
 * `date` leaves the time of day out, `clock` the date.
 */
export function time({ wording }: View, iso: string, style: TimeStyle = 'moment'): Markup {
  const text = formatOf(wording.locale, style).format(new Date(iso))
  return html`<time datetime="${iso}" data-time="${style}">${text}${style !== 'date' && ' UTC'}</time>`
}
