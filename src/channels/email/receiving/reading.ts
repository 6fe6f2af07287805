import type { Config } from '../../../config.ts'
import type { Deps } from '../../../deps.ts'
import { checkRoom } from '../../../files/room.ts'
import type { Authentication } from '../../../kinds/received-mails.ts'
import { isEmail } from '../../../lib/input/email.ts'
import type { IncomingMail } from '../incoming-mail.ts'
import { parseMail } from '../parse.ts'
import type { ParseResult, UnreadableMail } from '../parsed-mail.ts'
import { tracesIn } from '../parsing/traces.ts'
import { authenticate } from './authenticate.ts'
import { type Repeated, repeatedIn } from './take-system-mail.ts'
import { asUnavailable } from './unavailable.ts'

/** decisions §13: what a mail may weigh, in bytes. */
export const MAX_MAIL = 25 * 1024 * 1024
/** How much is looked at of a larger one, for who sent it: in bytes. */
const MAX_HEADER = 64 * 1024

export type ReceiveDeps = Pick<Deps, 'database' | 'files' | 'secrets' | 'log' | 'resolver' | 'channels' | 'meter'> & {
  config: Pick<Config, 'dataDir' | 'minFree' | 'systemFrom' | 'baseUrl'>
}

/** What a mail says, and who sent it: read once, for all inboxes it goes to. */
export interface Reading {
  readonly parsed: ParseResult
  /** What it repeats of mails that we sent by ourselves. */
  readonly repeated: Repeated
  /** Files that each of its messages gets. */
  readonly files: number
  /** Found out when it is first asked for. */
  authentication(): Promise<Authentication>
}

/** Reads a mail that is to be taken. Keeps nothing of it. Throws `unavailable`, `NoRoom` while there is no room for it. */
export async function readIncoming(
  deps: ReceiveDeps,
  mail: Pick<IncomingMail, 'raw' | 'envelope' | 'connection'>,
): Promise<Reading> {
  try {
    await checkRoom(deps, mail.raw.length)
    return await readMail(deps, mail)
  } catch (error) {
    throw asUnavailable(deps, error)
  }
}

async function parse(raw: Uint8Array): Promise<ParseResult> {
  if (raw.length > MAX_MAIL) {
    const start = await parseMail(raw.subarray(0, MAX_HEADER))
    // The whole of it goes into quarantine: no sender over the network may send as much.
    return { ...unreadable(`is larger than ${MAX_MAIL / 1024 / 1024} MiB`, start), traces: tracesIn(raw) }
  }
  const parsed = await parseMail(raw)
  if ('unreadable' in parsed || isEmail(parsed.mail.from.address)) return parsed
  return unreadable('has a sender whose address is none', parsed)
}

/** As `readIncoming`, without asking whether there is room: for what is kept already. */
export async function readMail(
  deps: ReceiveDeps,
  mail: Pick<IncomingMail, 'raw' | 'envelope' | 'connection'>,
): Promise<Reading> {
  const parsed = await parse(mail.raw)
  let found: Promise<Authentication> | undefined
  const isRead = 'mail' in parsed
  return {
    parsed,
    repeated: await repeatedIn(deps.database.db, deps, isRead ? parsed.mail.traces : parsed.traces),
    files: isRead ? parsed.mail.attachments.length : 0,
    authentication() {
      found ??= authenticate(mail.raw, isRead ? parsed.mail.from.address : '', mail, deps.resolver)
      return found
    },
  }
}

/** Why a mail is not taken, with what is known of it. */
export function unreadable(why: string, parsed: ParseResult): UnreadableMail {
  const known = 'unreadable' in parsed ? parsed : { ...parsed.mail, from: parsed.mail.from.address }
  const { from, subject, mailId, traces, isAutomatic, bounce = null } = known
  return {
    ...{ unreadable: why, from, subject, mailId, bounce },
    ...(traces ? { traces } : {}),
    ...(isAutomatic === undefined ? {} : { isAutomatic }),
  }
}
