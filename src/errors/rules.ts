import type { Places, Plural } from '../words/sentences.ts'
import { addresses } from './rules/addresses.ts'
import { answers } from './rules/answers.ts'
import { automation } from './rules/automation.ts'
import { backups } from './rules/backups.ts'
import { calendars } from './rules/calendars.ts'
import { conditions } from './rules/conditions.ts'
import { contacts } from './rules/contacts.ts'
import { forms } from './rules/forms.ts'
import { mail } from './rules/mail.ts'
import { people } from './rules/people.ts'
import { promises } from './rules/promises.ts'
import { requests } from './rules/requests.ts'
import { tickets } from './rules/tickets.ts'
import { values } from './rules/values.ts'

/*
 * Every rule that something can break, by its key: once, with the values that belong to it and the English that the API
 * says. Pages have words of their own for the same keys. A sentence is what follows a place, `name: must be …`; the words
 * of one that stands alone begin small, too.
 */

/** What pages of the console can be refused as well: they have words for each in every language. */
export const pageRules = {
  ...values,
  ...addresses,
  ...people,
  ...contacts,
  ...forms,
  ...tickets,
  ...mail,
  ...conditions,
  ...automation,
  ...backups,
  ...calendars,
  ...promises,
} as const

/** What programs, respondents and the command line alone are refused. */
export const programRules = { ...requests, ...answers } as const

export const rules = { ...pageRules, ...programRules } as const

type Rules = typeof rules

export type RuleKey = keyof Rules

export type PageRuleKey = keyof typeof pageRules

/** What may stand in a place: `why` is a rule itself, `count` decides between one and several, `size` is in bytes. */
type ValueOf<P> = P extends 'why' ? Rule : P extends 'count' | 'size' ? number : string | number

export type RuleValues<K extends RuleKey = RuleKey> = { readonly [P in Places<Rules[K]>]: ValueOf<P> }

/** A rule that was broken: its key, and the values of its sentence. */
export interface Rule {
  readonly key: RuleKey
  readonly values: Readonly<Record<string, string | number | Rule>>
}

/** Names a rule that was broken. A value that its sentence has a place for, left out, does not compile. */
export function rule<K extends RuleKey>(
  key: K,
  ...[values]: Places<Rules[K]> extends never ? [] : [values: RuleValues<K>]
): Rule {
  return { key, values: (values ?? {}) as Rule['values'] }
}

/** A rule in the English of the API. */
export function sentenceOf({ key, values }: Rule): string {
  const sentence: string | Plural = rules[key]
  const form =
    typeof sentence === 'string' ? sentence : values.count === 1 ? (sentence.one ?? sentence.other) : sentence.other
  return form.replace(/\{(\w+)\}/g, (_, place: string) => {
    const value = values[place] ?? ''
    if (typeof value === 'object') return sentenceOf(value)
    return place === 'size' ? sizeOf(Number(value)) : String(value)
  })
}

const KIB = 1024
const MIB = 1024 * KIB

/** Of limits, which are even: programs read them in the units of the documentation. */
function sizeOf(bytes: number): string {
  return bytes < MIB ? `${bytes / KIB} KiB` : `${bytes / MIB} MiB`
}
