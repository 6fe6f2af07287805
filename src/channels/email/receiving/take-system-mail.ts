import type { Config } from '../../../config.ts'
import type { Database, Reader } from '../../../db/index.ts'
import { inboxesOf } from '../../../inboxes/recipient.ts'
import type { Log } from '../../../lib/log/log.ts'
import type { Secrets } from '../../../secrets/seal.ts'
import { noteLinkReturned, noteReturned } from '../../../users/links/account-mails.ts'
import { findLinkHashes } from '../../../users/links/links.ts'
import type { ParsedMail, ParseResult, Traces } from '../parsed-mail.ts'
import { isSystemAddress, provenMail, type SystemMailName } from '../system/naming.ts'
import { wordsOfBounce } from './add-mail.ts'

/*
 * What comes in because of a mail that we sent by ourselves (decisions §14). It may hold a link by which somebody gets into
 * an account, which nobody but them may read: so nothing of a machine's answer is kept, and a link that a person passes on
 * ends.
 */

export type SystemMailDeps = { database: Database; log: Log; secrets: Pick<Secrets, 'mac'> } & {
  config: Pick<Config, 'systemFrom' | 'baseUrl'>
}

/** What a mail repeats of mails of ours. */
export interface Repeated {
  readonly mails: readonly SystemMailName[]
  /** Hashes of links that are there. */
  readonly links: readonly string[]
  /** Whether it repeats a link of this service, whether that is there or not. */
  readonly hasLink: boolean
}

const NOTHING: Repeated = { mails: [], links: [], hasLink: false }

/** What a mail repeats of mails that this installation sent by itself. */
export async function repeatedIn(
  db: Reader,
  { secrets, config }: Pick<SystemMailDeps, 'secrets' | 'config'>,
  traces: Traces | undefined,
): Promise<Repeated> {
  if (!traces) return NOTHING
  const { host } = new URL(config.baseUrl)
  const links = await findLinkHashes(
    db,
    traces.links.map(({ token }) => token),
  )
  return {
    mails: traces.proofs.flatMap((words) => provenMail(secrets, words) ?? []),
    links,
    hasLink: links.length > 0 || traces.links.some(({ before }) => before.includes(host)),
  }
}

/**
 * Whether a mail is a machine's answer to one that we sent by ourselves, or that mail itself: then `takeAnswer` is all that
 * becomes of it.
 */
export async function isMachinesAnswer(
  db: Reader,
  { config }: Pick<SystemMailDeps, 'config'>,
  repeated: Repeated,
  parsed: ParseResult,
  envelope: { from: string | null; recipients: readonly string[] } | null,
): Promise<boolean> {
  const isOfOurs = repeated.mails.length > 0 || repeated.hasLink
  if (!isMachines(parsed, envelope, isOfOurs)) return false
  if (isOfOurs) return true
  // Sent to whom our mails are from, which may end in an inbox that takes all the mail of its domain.
  const written = 'mail' in parsed ? [...parsed.mail.to, ...parsed.mail.cc].map(({ address }) => address) : []
  const addressed = [...(envelope?.recipients ?? []), ...written].find((address) => isSystemAddress(config, address))
  return addressed !== undefined && (await inboxesOf(db, addressed)) === null
}

/** Senders who are programs, and how their mails begin; of what repeats a mail of ours alone, so that no ticket gets lost. */
const MACHINES = /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|auto-?reply|bounces?)\b/i
const SUBJECTS =
  /^\s*(?:auto(?:matic|mated|-|:| )|out of (?:the )?office|abwesenheit|automatische|undeliver|unzustellbar|delivery (?:status|failure)|mail delivery|returned mail|failure notice|absence|réponse automatique|respuesta automática|risposta automatica|afwezig)/i

function isMachines(parsed: ParseResult, envelope: { from: string | null } | null, isOfOurs: boolean): boolean {
  const mail = 'mail' in parsed ? { ...parsed.mail, from: parsed.mail.from.address } : parsed
  if (mail.isAutomatic || mail.bounce || (envelope !== null && !envelope.from)) return true
  return isOfOurs && (MACHINES.test(mail.from ?? '') || SUBJECTS.test(mail.subject ?? ''))
}

/** Takes note of such an answer: what came back shows with the user. Nothing of it is kept. */
export async function takeAnswer(
  { database, log }: SystemMailDeps,
  { mails, links }: Repeated,
  parsed: ParseResult,
  at: number,
): Promise<'bounce' | 'ignored'> {
  const { bounce, mailId = null } = 'mail' in parsed ? parsed.mail : parsed
  // The mail itself has come back: to an inbox whose address somebody signs in with, say.
  if (!bounce || mails.some(({ id }) => mailId?.includes(id))) return 'ignored'
  if (!bounce.isFinal) return 'bounce'
  const words = wordsOfBounce(bounce)
  if (mails.length + links.length > 0) {
    await database.transaction(async (tx) => {
      for (const { kind, id } of mails) if (kind === 'account') await noteReturned(tx, id, words, at)
      for (const hash of links) await noteLinkReturned(tx, hash, words, at)
    })
  }
  for (const [kind, what] of [
    ['notification', 'a response'],
    ['alert', 'an alert'],
  ]) {
    const ids = mails.filter((mail) => mail.kind === kind).map(({ id }) => id)
    if (ids.length > 0) log.warn(`a mail about ${what} came back`, { mails: ids, why: words })
  }
  return 'bounce'
}

/** Between two characters of a token where a mail program has broken a line. */
const BREAK = '(?:=?(?:\\r?\\n[ \\t>|]*)+)?'

/** A mail without the tokens of the links that it repeats: what people read, and what is searched. */
export function withoutTokens(mail: ParsedMail): ParsedMail {
  const tokens = mail.traces?.links.map(({ token }) => [...token].join(BREAK)) ?? []
  if (tokens.length === 0) return mail
  const any = new RegExp(tokens.join('|'), 'g')
  const hidden = (words: string) => words.replace(any, '…')
  const hiddenIn = ({ text, html, newText, subject }: Said): Said => ({
    text: text && hidden(text),
    html: html && hidden(html),
    newText: hidden(newText),
    subject: hidden(subject),
  })
  const { forwarded } = mail
  return {
    ...mail,
    ...hiddenIn(mail),
    ...(forwarded && {
      forwarded: { ...forwarded, ...hiddenIn(forwarded), comment: hidden(forwarded.comment) },
    }),
  }
}

type Said = Pick<ParsedMail, 'text' | 'html' | 'newText' | 'subject'>
