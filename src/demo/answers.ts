import type { DemoContact } from './people.ts'
import type { Random } from './random.ts'
import { remarks, supportRemarks } from './tickets/phrases.ts'
import { DAY, HOUR } from './timeline.ts'

/** Somebody who fills in a form. Moods colour every answer, so that those of one person go together. */
export interface Respondent {
  readonly random: Random
  /** 0: lost to us, 1: delighted. */
  readonly mood: number
  /** Null for somebody who does not say who they are. */
  readonly person: DemoContact | null
  /** The language that they chose, BCP 47; null for the form's own. */
  readonly language: string | null
  /** When the form is filled in, in milliseconds since 1970. */
  readonly at: number
}

/** What somebody sends for one question; null to leave it out. */
export type Answering = (who: Respondent) => unknown

/** Most people are content, some are lukewarm, a few are cross. */
export function someMood(random: Random): number {
  const [mean, deviation] = random.weighted([
    [[0.9, 0.07], 60],
    [[0.68, 0.09], 27],
    [[0.25, 0.14], 13],
  ] as const)
  return Math.min(1, Math.max(0, random.normal(mean, deviation)))
}

/** A step from `lowest` to `highest` that fits the mood. */
export function rated(lowest: number, highest: number): (who: Respondent) => number {
  return ({ mood, random }) => {
    const span = highest - lowest
    const value = Math.round(lowest + mood * span + random.normal(0, span / 14))
    return Math.min(highest, Math.max(lowest, value))
  }
}

/** An answer that only some people give. */
export function sometimes(p: number, answer: Answering): Answering {
  return (who) => (who.random.chance(p) ? answer(who) : null)
}

/** Yes from the content, no from the others, with exceptions. */
export const content: Answering = ({ mood, random }) => random.chance(mood > 0.55 ? 0.94 : 0.25)

/** The same answer whenever it is asked for, where what else somebody is asked follows from it. */
export function settled(answer: Answering): Answering {
  const given = new WeakMap<Respondent, unknown>()
  return (who) => {
    if (!given.has(who)) given.set(who, answer(who))
    return given.get(who)
  }
}

/** What is written, in the language that somebody chose. */
export function inOwnLanguage(answer: Answering, others: Readonly<Record<string, Answering>>): Answering {
  return (who) => (others[who.language ?? ''] ?? answer)(who)
}

/** A single choice; options as often as their weights say. `others` is typed instead now and then. */
export function oneOf(weights: Readonly<Record<string, number>>, others: readonly string[] = []): Answering {
  return ({ random }) =>
    others.length > 0 && random.chance(0.06)
      ? { selected: null, other: random.pick(others) }
      : { selected: random.weighted(Object.entries(weights)), other: null }
}

/** A multiple choice of `min` to `max` options. */
export function someOf(options: readonly string[], min: number, max: number): Answering {
  return ({ random }) => {
    const wanted = new Set(random.shuffle(options).slice(0, random.integer(min, max)))
    return { selected: options.filter((option) => wanted.has(option)), other: null }
  }
}

/** Every scale or row answered; `answer` gives the step, `name` is what decisions §4 calls it. */
export function each(count: number, row: 'scale' | 'row', name: 'value' | 'column', answer: Answering): Answering {
  return (who) => Array.from({ length: count }, (_, index) => ({ [row]: index, [name]: answer(who) }))
}

/** All labels; those that come first are liked better by most. */
export function inOrder(labels: readonly string[]): Answering {
  return ({ random }) =>
    labels
      .map((label, index) => ({ label, place: index + random.normal(0, 1.8) }))
      .sort((a, b) => a.place - b.place)
      .map(({ label }) => label)
}

/** One of these texts. */
export function says(texts: readonly string[]): Answering {
  return ({ random }) => random.pick(texts)
}

type Mood = 'happy' | 'fair' | 'unhappy'

function moodOf({ mood }: Respondent): Mood {
  return mood > 0.78 ? 'happy' : mood > 0.48 ? 'fair' : 'unhappy'
}

export const remark: Answering = (who) => {
  const { openings, details } = remarks[moodOf(who)]
  const opening = who.random.pick<string>(openings)
  return who.random.chance(0.7) ? `${opening} ${who.random.pick<string>(details)}` : opening
}

export const remarkOnSupport: Answering = (who) => who.random.pick<string>(supportRemarks[moodOf(who)])

/** The day some days before (less than 0) or after the form is filled in. */
export function dayAround(from: number, to: number): (who: Respondent) => string {
  return ({ at, random }) => new Date(at + random.integer(from, to) * DAY).toISOString().slice(0, 10)
}

/** A day with a time, on the hour or the half hour of an afternoon. */
export function afternoonAround(from: number, to: number): Answering {
  return (who) => `${dayAround(from, to)(who)}T${who.random.integer(13, 17)}:${who.random.pick(['00', '30'])}`
}

/** A range of days. */
export const stay: Answering = (who) => {
  const from = dayAround(20, 120)(who)
  const to = new Date(Date.parse(from) + who.random.integer(5, 60) * DAY + HOUR).toISOString().slice(0, 10)
  return { from, to }
}

type DetailName = 'first_name' | 'last_name' | 'email' | 'company' | 'phone_number' | 'city'

/** The contact details asked for, as far as there are any. */
export function details(...names: readonly DetailName[]): Answering {
  return ({ person, random }) => {
    if (!person) return null
    const all: Record<DetailName, string | null> = {
      first_name: person.first,
      last_name: person.last,
      email: person.email,
      company: person.organisation,
      phone_number: person.phone,
      city: random.pick(['Bristol', 'Bergen', 'Lyon', 'Málaga', 'Leipzig', 'Galway', 'Utrecht', 'Kraków', 'Ghent']),
    }
    return Object.fromEntries(names.map((name) => [name, all[name]]))
  }
}
