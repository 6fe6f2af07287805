import { and, asc, count, eq, sql } from 'drizzle-orm'
import { audit } from '../../../audit/record.ts'
import type { Caller } from '../../../caller.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../../../db/index.ts'
import { mailboxes } from '../../../db/schema.ts'
import { notFound, refusal, rule } from '../../../errors.ts'
import { findInbox, requireInUse } from '../../../inboxes/operations.ts'
import { type MailboxState, type MailProvider, type MailServer, mailboxStates } from '../../../kinds/mailboxes.ts'
import { newId } from '../../../lib/ids.ts'
import { formatTime } from '../../../lib/time.ts'
import type { Renewal } from './oauth.ts'
import { problemWords } from './problems.ts'
import { findMailbox, type MailboxRow, type SignInDeps, sealedRenewal, secretContext } from './sign-in.ts'
import type { Numbering } from './trial.ts'

/** How an inbox is connected, as administrators see it: without secrets. */
export interface Connection {
  state: MailboxState
  /** Why it is failing, in plain words, and what the server said. */
  error: string | null
  /** Since when the state is what it is. */
  since: string
  imap: MailServer
  smtp: MailServer
  signIn: 'password' | MailProvider
}

export interface ConnectInput {
  inboxId: string
  imap: MailServer
  smtp: MailServer
  /** Null: by password. */
  provider: MailProvider | null
  /** The password or the refresh token. */
  secret: string
  /** What the refresh token was tried with. */
  renewal: Renewal | null
  /** As the trial found it. */
  numbering: Numbering
  /**
   * Which mails that are there already are taken: all of them, or those that arrived since a time (as `formatTime` writes
   * it). Left out: none, and those that have come since an earlier connection of the same account was last read.
   */
  old?: 'all' | string | undefined
}

/** The id of an email inbox. Throws `not_found`, `unprocessable` for an inbox of another channel, `conflict` for an archived one. */
export async function emailInboxId(db: Reader, tenantId: string, id: string): Promise<string> {
  const inbox = await findInbox(db, tenantId, id.toLowerCase())
  if (!inbox) throw notFound('inbox')
  if (inbox.channel !== 'email') throw refusal('unprocessable', rule('inbox_mailbox'))
  requireInUse(inbox)
  return inbox.id
}

/**
 * Connects an email inbox to a mailbox that was tried (`trial.ts`), in the place of an earlier one. The running service
 * goes on from there by itself. Throws `not_found`, `unprocessable`.
 */
export async function connectMailbox(
  tx: Tx,
  deps: Pick<SignInDeps, 'secrets' | 'clock'>,
  caller: Caller,
  input: ConnectInput,
): Promise<Connection> {
  const { tenantId } = caller
  const inboxId = await emailInboxId(tx, tenantId, input.inboxId)
  const key = { tenantId, inboxId }
  const at = formatTime(caller.at)
  const { imap, smtp, provider, secret, renewal } = input
  const row: MailboxRow = {
    ...key,
    ...{ imap, smtp, provider },
    revision: newId(caller.at),
    sealedSecret: deps.secrets.seal(secret, secretContext(key)),
    sealedAccess: null,
    accessUntil: null,
    ...(renewal === null ? {} : sealedRenewal(deps, key, renewal)),
    ...progressOf(input, await findMailbox(tx, key), at),
    ...{ state: 'connecting', problem: null, detail: null, since: at },
  }
  await tx
    .insert(mailboxes)
    .values(row)
    .onConflictDoUpdate({ target: [mailboxes.tenantId, mailboxes.inboxId], set: row })
  await audit(tx, caller, 'inbox.connected', inboxId)
  return connectionOf(row)
}

type Progress = Pick<MailboxRow, 'uidValidity' | 'lastUid' | 'oldestAt' | 'lastMailAt' | 'createdAt'>

/** From where on mails are taken. A new password for the same account loses none that came meanwhile. */
function progressOf({ imap, numbering, old }: ConnectInput, before: MailboxRow | null, at: string): Progress {
  const { uidValidity, uidNext } = numbering
  if (old === 'all') return { uidValidity, lastUid: 0, oldestAt: null, lastMailAt: formatTime(0), createdAt: at }
  if (old !== undefined) return { uidValidity, lastUid: 0, oldestAt: old, lastMailAt: old, createdAt: at }
  if (before && before.imap.host === imap.host && before.imap.user === imap.user) {
    const { lastUid, oldestAt, lastMailAt, createdAt } = before
    return { uidValidity: before.uidValidity, lastUid, oldestAt, lastMailAt, createdAt }
  }
  return { uidValidity, lastUid: uidNext - 1, oldestAt: null, lastMailAt: at, createdAt: at }
}

/** Lets go of an inbox's mailbox, and forgets its password. Throws `not_found`. */
export async function disconnectMailbox(tx: Tx, caller: Caller, inboxId: string): Promise<void> {
  const own = and(ofTenant(mailboxes, caller.tenantId), eq(mailboxes.inboxId, inboxId.toLowerCase()))
  const gone = await tx.delete(mailboxes).where(own).returning({ inboxId: mailboxes.inboxId })
  if (gone.length === 0) throw notFound('connected mailbox')
  await audit(tx, caller, 'inbox.disconnected', inboxId.toLowerCase())
}

/** Has the running service reach a mailbox anew, without waiting for as long as after a failure. */
export async function reconnectMailbox(
  tx: Tx,
  { tenantId, at }: Pick<Caller, 'tenantId' | 'at'>,
  { inboxId, revision }: Pick<MailboxRow, 'inboxId' | 'revision'>,
): Promise<void> {
  await tx
    .update(mailboxes)
    .set({ revision: newId(at), state: 'connecting', problem: null, detail: null, since: formatTime(at) })
    .where(and(ofTenant(mailboxes, tenantId), eq(mailboxes.inboxId, inboxId), eq(mailboxes.revision, revision)))
}

const record = {
  inboxId: mailboxes.inboxId,
  imap: mailboxes.imap,
  smtp: mailboxes.smtp,
  provider: mailboxes.provider,
  state: mailboxes.state,
  problem: mailboxes.problem,
  detail: mailboxes.detail,
  since: mailboxes.since,
  createdAt: mailboxes.createdAt,
}

/** A connected mailbox, without its secrets. */
export type ConnectedMailbox = Pick<MailboxRow, keyof typeof record>

/** The connected mailboxes of a tenant, by inbox. */
export async function listMailboxes(db: Reader, tenantId: string): Promise<Map<string, ConnectedMailbox>> {
  const rows = await db.select(record).from(mailboxes).where(ofTenant(mailboxes, tenantId))
  return new Map(rows.map((row) => [row.inboxId, row]))
}

/** The mailbox that an inbox is connected to, or null. */
export async function getMailbox(db: Reader, tenantId: string, inboxId: string): Promise<ConnectedMailbox | null> {
  const own = and(ofTenant(mailboxes, tenantId), eq(mailboxes.inboxId, inboxId))
  const [row] = await db.select(record).from(mailboxes).where(own)
  return row ?? null
}

/** The connections of a tenant's inboxes, by inbox: for the command line. */
export async function listConnections(db: Reader, tenantId: string): Promise<Map<string, Connection>> {
  const all = await listMailboxes(db, tenantId)
  return new Map([...all].map(([inboxId, mailbox]) => [inboxId, connectionOf(mailbox)]))
}

type Shown = Pick<ConnectedMailbox, 'state' | 'problem' | 'detail' | 'since' | 'imap' | 'smtp' | 'provider'>

function connectionOf({ state, problem, detail, since, imap, smtp, provider }: Shown): Connection {
  const error = problem === null ? null : `${problemWords[problem]}${detail === null ? '' : ` (${detail})`}`
  return { state, error, since, imap, smtp, signIn: provider ?? 'password' }
}

/** How many mailboxes of the tenant cannot be reached; `most` where there are as many or more. */
export async function countFailingMailboxes(db: Reader, tenantId: string, most: number): Promise<number> {
  const found = db
    .select({ inboxId: mailboxes.inboxId })
    .from(mailboxes)
    .where(and(ofTenant(mailboxes, tenantId), isFailing))
    .limit(most)
    .as('found')
  const [row] = await db.select({ count: count() }).from(found)
  return row?.count ?? 0
}

/** Failing mailboxes that are named one by one; what is more of them is only said to be there. */
const NAMED = 10

/** Written out, so that the index over such mailboxes alone can answer it. */
const isFailing = sql`state = 'failing'`

const failing = prepared((db) =>
  db
    .select({ inboxId: mailboxes.inboxId, problem: mailboxes.problem })
    .from(mailboxes)
    .where(isFailing)
    .orderBy(asc(mailboxes.tenantId), asc(mailboxes.inboxId))
    .limit(NAMED + 1)
    .prepare(),
)

const byState = prepared((db) =>
  db.select({ state: mailboxes.state, count: count() }).from(mailboxes).groupBy(mailboxes.state).prepare(),
)

/** How many mailboxes are in which state, of all tenants: for who runs the service. */
export async function countMailboxes(db: Reader): Promise<Record<MailboxState, number>> {
  const counts = Object.fromEntries(mailboxStates.map((state) => [state, 0])) as Record<MailboxState, number>
  for (const { state, count } of await byState(db).execute()) counts[state] = count
  return counts
}

/**
 * A sentence for each mailbox that fails, of all tenants. Anybody may read them: they hold the inbox's id and our own
 * words, and neither names nor hosts.
 */
export async function failingMailboxes(db: Reader): Promise<string[]> {
  const rows = await failing(db).execute()
  const named = rows.slice(0, NAMED).map(({ inboxId, problem }) => {
    return `the mailbox of inbox ${inboxId} cannot be reached: ${problemWords[problem ?? 'trouble']}`
  })
  return rows.length > NAMED ? [...named, 'more mailboxes cannot be reached: see `frontdesk inbox list`'] : named
}
