import { cut } from '../../lib/text/one-line.ts'

/* How it is told, in `messages.error`, whom a reply that was sent did not reach. */

/** What is kept, in characters: a mail to several people can come back several times. */
const MAX_WORDS = 1000

/** Whom it did not reach, and why in the words of the mail server. */
export function notReached(address: string, why: string): string {
  return `${address} was not reached: ${why}`
}

/** What is known of a reply, and what became known now. */
export function withMore(known: string, said: string): string {
  return cut(known.includes(said) ? known : `${known} · ${said}`, MAX_WORDS)
}
