/*
 * Sentences for people, from a list for each language. A list holds no code: `{file}` stands for a value, and where a
 * count decides on the words there is a form for each plural category that the language has.
 */

/** The forms of a sentence by the plural category of its `{count}`; `other` wherever a form is left out. */
export type Plural = { readonly other: string } & { readonly [category in Intl.LDMLPluralRule]?: string }

/** The same sentences in another language, plurals where `W` has them. */
export type Translation<W> = { readonly [K in keyof W]: W[K] extends string ? string : Plural }

type PlacesIn<S, Found = never> = S extends `${string}{${infer Place}}${infer Rest}`
  ? PlacesIn<Rest, Found | Place>
  : Found
/** The names of the values that a sentence has places for. */
export type Places<S> = S extends string ? PlacesIn<S> : PlacesIn<S[keyof S]>

type Values<S> = { readonly [P in Places<S>]: P extends 'count' ? number : string | number }

/** Says a sentence of a list, with its values; a place that is given no value does not compile. */
export type Say<W> = <K extends keyof W>(
  key: K,
  ...values: Places<W[K]> extends never ? [] : [values: Values<W[K]>]
) => string

/** Of the scripts that are written from right to left: what turns a sentence around that they stand in. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * How the sentences of a list are said. Plurals go by the `language` of the list, numbers by the `locale` of the reader.
 * Values that may run in another direction than the sentence are kept apart from it (Unicode's isolates).
 */
export function speaker<W>(words: Translation<W>, language: string, locale: string): Say<W> {
  const plurals = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(locale)
  return (key, ...[values = {}]: [Record<string, string | number>?]) => {
    const sentence = words[key] as string | Plural
    const form =
      typeof sentence === 'string' ? sentence : (sentence[plurals.select(Number(values.count))] ?? sentence.other)
    return form.replace(/\{(\w+)\}/g, (_, place: string) => {
      const value = values[place] ?? ''
      if (typeof value === 'number') return numbers.format(value)
      return RIGHT_TO_LEFT.test(form + value) ? `\u2068${value}\u2069` : value
    })
  }
}
