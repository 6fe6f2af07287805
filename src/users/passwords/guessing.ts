import { AppError, type Rule, rule } from '../../errors.ts'
import { SideThread } from '../../lib/concurrency/side-thread.ts'

/** What is looked at, and what an attacker would try first. */
export interface ToGuess {
  readonly password: string
  readonly words: readonly string[]
}

/** From 0, guessed at once, to 4; and what is wrong with it, in the words of the library, where it says so. */
export interface Guess {
  readonly score: number
  readonly warning: string | null
}

/** decisions.md §14: the lowest score that does. */
const ENOUGH = 3
/** What is looked at of a long password, in UTF-16 units: time grows with the square of it. */
const LOOKED_AT = 64
const MAX_WORDS = 40
/** How long one may take and how long the thread is kept, in milliseconds: it holds 90 MB of words. */
const LIMITS = { time: 20_000, idle: 10_000 }

/** The worker is an entry point of the executable, too (`bun run build`), where this module lies in `main.ts`'s place. */
const WORKER = import.meta.url.includes('/$bunfs/') ? './users/passwords/guessing-worker.ts' : './guessing-worker.ts'
const thread = new SideThread<ToGuess, Guess>(() => new URL(WORKER, import.meta.url).href, LIMITS)

/** What is said of each thing that the library warns of. */
const rules: Readonly<Record<string, Rule>> = {
  simpleRepeat: rule('guessed_repeat'),
  extendedRepeat: rule('guessed_repeat'),
  sequences: rule('guessed_row'),
  straightRow: rule('guessed_row'),
  keyPattern: rule('guessed_row'),
  topTen: rule('guessed_often'),
  topHundred: rule('guessed_often'),
  common: rule('guessed_often'),
  similarToCommon: rule('guessed_often'),
  wordByItself: rule('guessed_word'),
  namesByThemselves: rule('guessed_names'),
  commonNames: rule('guessed_names'),
  userInputs: rule('guessed_own'),
  dates: rule('guessed_days'),
  recentYears: rule('guessed_days'),
}

/**
 * What is wrong with a password that is guessed easily, as the rule that it breaks; null for one that does (decisions.md
 * §14). `about` is what whoever has it is called, and where they work. Takes tenths of a second on a thread of its own.
 * Throws `unavailable` where that comes to nothing.
 */
export async function weaknessOf(password: string, about: readonly (string | null)[]): Promise<Rule | null> {
  const found = await thread.run({ password: password.slice(0, LOOKED_AT), words: wordsIn(about) })
  if (!found) throw new AppError('unavailable', 'passwords cannot be checked at the moment', { retryAfter: 10 })
  return found.score >= ENOUGH ? null : (rules[found.warning ?? ''] ?? rule('guessed'))
}

/** Whole names and addresses, and their parts: people leave out what is between them. */
function wordsIn(about: readonly (string | null)[]): string[] {
  const given = about.filter((text) => text !== null).map((text) => text.toLowerCase())
  const whole = given.flatMap((text) => [text, ...text.split('@')])
  const parts = whole.flatMap((text) => [text.replaceAll(/[^\p{L}\p{N}]/gu, ''), ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set([...whole, ...parts])].filter((word) => word.length > 2).slice(0, MAX_WORDS)
}
