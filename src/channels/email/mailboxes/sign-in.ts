import { and, eq } from 'drizzle-orm'
import type { Database, Reader } from '../../../db/index.ts'
import { ofTenant } from '../../../db/index.ts'
import { mailboxes } from '../../../db/schema.ts'
import type { Deps } from '../../../deps.ts'
import type { MailProvider } from '../../../kinds/mailboxes.ts'
import { formatTime } from '../../../lib/time.ts'
import { providerEndpoints, type Renewal, renew } from './oauth.ts'
import { MailboxError } from './problems.ts'

export type SignInDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets' | 'providerEndpoints'>

/** By what a mail server lets us in. */
export type Secret = { readonly password: string } | { readonly accessToken: string }

export type MailboxRow = typeof mailboxes.$inferSelect
export type MailboxKey = Pick<MailboxRow, 'tenantId' | 'inboxId'>

/** An access token that lasts less than this is renewed first, in milliseconds. */
const MARGIN = 60_000
/** How long to wait for another node that is renewing it: so often, so many milliseconds. */
const WAITS = { count: 80, each: 250 }

/** What a secret of a mailbox is sealed for. */
export function secretContext({ tenantId, inboxId }: MailboxKey): string {
  return `mailbox secret ${tenantId} ${inboxId}`
}

function accessContext({ tenantId, inboxId }: MailboxKey): string {
  return `mailbox access ${tenantId} ${inboxId}`
}

/** The mailbox that an inbox is connected to, or null. */
export async function findMailbox(db: Reader, { tenantId, inboxId }: MailboxKey): Promise<MailboxRow | null> {
  const own = and(ofTenant(mailboxes, tenantId), eq(mailboxes.inboxId, inboxId))
  const [row] = await db.select().from(mailboxes).where(own)
  return row ?? null
}

/** Has a provider renew access, with the client that is configured. Throws MailboxError; see `renew`. */
export async function renewAccess(
  { config, providerEndpoints: endpoints = providerEndpoints }: Pick<SignInDeps, 'config' | 'providerEndpoints'>,
  provider: MailProvider,
  refreshToken: string,
): Promise<Renewal> {
  const client = config.oauth[provider]
  if (client === null) throw new MailboxError('no_client')
  return renew(endpoints[provider], client, refreshToken)
}

/**
 * What lets us into a mailbox now. Access by OAuth 2 is renewed when it ends, by one process at a time, and what the
 * provider gave is stored for all: a refresh token may be good for one time only. `refused` is an access token that a
 * server no longer takes. Throws MailboxError.
 */
export async function secretOf(deps: SignInDeps, mailbox: MailboxRow, refused: string | null = null): Promise<Secret> {
  if (mailbox.provider === null) return { password: open(deps, mailbox.sealedSecret, secretContext(mailbox)) }
  for (let tries = 0; tries < WAITS.count; tries++) {
    const current = await ownRow(deps.database.db, mailbox)
    const accessToken = accessIn(deps, current, refused)
    if (accessToken !== null) return { accessToken }
    const renewed = await alone(deps.database, mailbox, () => renewRow(deps, mailbox, refused))
    if (renewed) return renewed
    await Bun.sleep(WAITS.each)
  }
  throw new MailboxError('unreachable', 'access is still being renewed')
}

/** The row as it is now, of the same connection. */
async function ownRow(db: Reader, mailbox: MailboxRow): Promise<MailboxRow> {
  const current = await findMailbox(db, mailbox)
  if (current?.revision !== mailbox.revision) throw new MailboxError('lost', 'it was connected anew')
  return current
}

function accessIn(deps: SignInDeps, row: MailboxRow, refused: string | null): string | null {
  if (row.sealedAccess === null || row.accessUntil === null) return null
  if (Date.parse(row.accessUntil) - MARGIN <= deps.clock.now()) return null
  const token = open(deps, row.sealedAccess, accessContext(row))
  return token === refused ? null : token
}

async function renewRow(deps: SignInDeps, mailbox: MailboxRow, refused: string | null): Promise<Secret> {
  // Who was at it before may have done it.
  const current = await ownRow(deps.database.db, mailbox)
  const known = accessIn(deps, current, refused)
  if (known !== null) return { accessToken: known }
  const refreshToken = open(deps, current.sealedSecret, secretContext(mailbox))
  const renewal = await renewAccess(deps, current.provider as MailProvider, refreshToken)
  const sealed = sealedRenewal(deps, mailbox, renewal)
  await deps.database.transaction((tx) =>
    tx
      .update(mailboxes)
      .set(sealed)
      .where(
        and(
          ofTenant(mailboxes, mailbox.tenantId),
          eq(mailboxes.inboxId, mailbox.inboxId),
          eq(mailboxes.revision, mailbox.revision),
        ),
      ),
  )
  return { accessToken: renewal.accessToken }
}

/** What is stored of a renewal. */
export function sealedRenewal(
  { secrets, clock }: Pick<SignInDeps, 'secrets' | 'clock'>,
  key: MailboxKey,
  { accessToken, lasts, refreshToken }: Renewal,
): Pick<MailboxRow, 'sealedAccess' | 'accessUntil'> & { sealedSecret?: string } {
  return {
    sealedAccess: secrets.seal(accessToken, accessContext(key)),
    accessUntil: formatTime(clock.now() + lasts * 1000),
    ...(refreshToken === null ? {} : { sealedSecret: secrets.seal(refreshToken, secretContext(key)) }),
  }
}

function open({ secrets }: Pick<SignInDeps, 'secrets'>, sealed: string, context: string): string {
  try {
    return secrets.open(sealed, context)
  } catch (cause) {
    throw new MailboxError('sealed', null, { cause })
  }
}

const renewing = new WeakMap<Database, Set<string>>()

/** Runs `work` while nobody else renews the same mailbox's access, in this process or another; null where somebody does. */
async function alone<T>(
  database: Database,
  { tenantId, inboxId }: MailboxKey,
  work: () => Promise<T>,
): Promise<T | null> {
  const name = `access to mailbox ${tenantId} ${inboxId}`
  const here = renewing.get(database) ?? new Set()
  renewing.set(database, here)
  if (here.has(name)) return null
  here.add(name)
  try {
    return (await database.exclusively(name, work))?.done ?? null
  } finally {
    here.delete(name)
  }
}
