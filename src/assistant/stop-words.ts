import { deferred } from '../lib/deferred.ts'
import { baseOf } from '../lib/language/languages.ts'
import { wordsIn } from '../lib/text/words.ts'

const lists = deferred(async (): Promise<Readonly<Record<string, readonly string[]>>> => {
  const { ara, dan, deu, eng, fra, heb, ita, nld, pol, por, spa, swe } = await import('stopword')
  return {
    ar: ara,
    da: dan,
    de: deu,
    en: eng,
    es: spa,
    fr: fra,
    he: heb,
    it: ita,
    nl: nld,
    pl: pol,
    pt: por,
    sv: swe,
  }
})

const made = new Map<string, ReadonlySet<string>>()

/**
 * Words that mean nothing by themselves in a language (BCP 47), as `wordsIn` has them; none of one without a list. In a
 * large source they fall out by how frequent they are. In one of twenty articles a “does” can look rare.
 */
export async function stopWordsOf(language: string): Promise<ReadonlySet<string>> {
  const base = baseOf(language) ?? ''
  const known = made.get(base)
  if (known) return known
  const all = await lists()
  const list = Object.hasOwn(all, base) ? (all[base] as readonly string[]) : []
  const words = new Set([...wordsIn(list.join(' '))].map(({ word }) => word))
  made.set(base, words)
  return words
}
