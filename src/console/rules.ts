import { type PageRuleKey, pageRules } from '../errors/rules.ts'
import { type Rule, sentenceOf } from '../errors.ts'
import { writeSize } from '../lib/language/amounts.ts'
import type { ConsoleWording } from './words/index.ts'

/** What was refused, in the reader's language; what only programs are refused, and no page can cause, in English. */
export function sayRule(wording: Pick<ConsoleWording, 'say' | 'locale'>, rule: Rule): string {
  if (!isOfPages(rule.key)) return asSentence(sentenceOf(rule))
  const values = Object.fromEntries(
    Object.entries(rule.values).map(([place, value]) => [
      place,
      typeof value === 'object' ? sayRule(wording, value) : written(wording, place, value),
    ]),
  )
  // A rule brings what its sentence has places for: that compiles where it is named, and a test goes over the words.
  const speak = wording.say as (word: `rule_${PageRuleKey}`, values: Record<string, string | number>) => string
  return speak(`rule_${rule.key}`, values)
}

function isOfPages(key: Rule['key']): key is PageRuleKey {
  return key in pageRules
}

function written({ locale }: Pick<ConsoleWording, 'locale'>, place: string, value: string | number): string | number {
  if (place === 'size') return writeSize(Number(value), locale)
  return place === 'item' ? unquoted(value) : value
}

/** An item stands in quotation marks of the reader's language in place of those of JSON. */
function unquoted(item: string | number): string {
  return String(item).replace(/^"(.*)"$/s, '$1')
}

/** The English of a rule, which is written to follow a place, as a sentence of its own. */
export function asSentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`
}
