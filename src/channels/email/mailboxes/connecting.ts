import type { Caller } from '../../../caller.ts'
import { AppError } from '../../../errors.ts'
import { MailboxError, type MailProvider, type MailServer } from './model.ts'
import type { Renewal } from './oauth.ts'
import { type ConnectInput, type Connection, connectMailbox, emailInboxId } from './operations.ts'
import { parseServerUrl } from './server-url.ts'
import { renewAccess, type Secret, type SignInDeps } from './sign-in.ts'
import { tryImap, trySmtp } from './trial.ts'

export interface ConnectRequest extends Pick<ConnectInput, 'inboxId' | 'provider' | 'secret' | 'old'> {
  /** URLs; see `parseServerUrl`. */
  imap: string
  smtp: string
}

/**
 * Tries both servers of a mailbox, and connects an email inbox to it once both let us in. Not inside a transaction:
 * servers take seconds. For an administrator: the servers may be any, of a private network too. Throws
 * `invalid_request`, `not_found`, and `unprocessable`, which says which server it was and what is wrong, for the inbox of
 * another channel too.
 */
export async function tryAndConnect(deps: SignInDeps, caller: Caller, request: ConnectRequest): Promise<Connection> {
  const { inboxId, provider, secret, old } = request
  const imap = parseServerUrl('imap', request.imap)
  const smtp = parseServerUrl('smtp', request.smtp)
  await emailInboxId(deps.database.db, caller.tenantId, inboxId)
  const renewal = await explained(nameOf(provider), () => renewalOf(deps, provider, secret))
  const way: Secret = renewal ? { accessToken: renewal.accessToken } : { password: secret }
  // Both are tried, so that one attempt tells all there is to put right.
  const [inbox, sending] = await Promise.allSettled([
    explained(place('imap', imap), () => tryImap(imap, way)),
    explained(place('smtp', smtp), () => trySmtp(smtp, way)),
  ])
  const faults = [inbox, sending].flatMap((tried) => (tried.status === 'rejected' ? [tried.reason as AppError] : []))
  if (inbox.status === 'rejected' || faults.length > 0) {
    throw new AppError('unprocessable', faults.map(({ message }) => message).join('; '))
  }
  const input = { inboxId, provider, old, imap, smtp, renewal, secret: renewal?.refreshToken ?? secret }
  return deps.database.transaction((tx) => connectMailbox(tx, deps, caller, { ...input, numbering: inbox.value }))
}

async function renewalOf(deps: SignInDeps, provider: MailProvider | null, secret: string): Promise<Renewal | null> {
  return provider === null ? null : renewAccess(deps, provider, secret)
}

function nameOf(provider: MailProvider | null): string {
  return provider ?? 'password'
}

function place(kind: string, { host, port }: MailServer): string {
  return `${kind} ${host}:${port}`
}

async function explained<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof MailboxError)) throw error
    throw new AppError(
      'unprocessable',
      `${where}: ${error.message}${error.detail === null ? '' : ` (${error.detail})`}`,
    )
  }
}
