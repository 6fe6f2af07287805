import type { Caller } from '../../../caller.ts'
import { AppError, notFound } from '../../../errors.ts'
import type { MailboxProblem, MailProvider, MailServer } from '../../../kinds/mailboxes.ts'
import { exchangeCode, providerEndpoints, type Renewal } from './oauth.ts'
import { type ConnectInput, type Connection, connectMailbox, emailInboxId, reconnectMailbox } from './operations.ts'
import { MailboxError } from './problems.ts'
import { findMailbox, renewAccess, type Secret, type SignInDeps, secretOf } from './sign-in.ts'
import { type Numbering, tryImap, trySmtp } from './trial.ts'

/** What is wrong with a mailbox, as a trial found it. */
export interface Fault {
  /** Which of its servers it is, or the provider that lets us in. */
  readonly where: 'imap' | 'smtp' | MailProvider | 'password'
  /** Host and port; null where it is none of the two servers. */
  readonly place: string | null
  readonly problem: MailboxProblem
  /** What the server said. */
  readonly detail: string | null
}

/** A mailbox that was tried in vain: everything that is to be put right, in one sentence and one by one. */
export class TrialError extends AppError {
  constructor(readonly faults: readonly [Fault, ...Fault[]]) {
    // Its faults are what pages read, and say in words of theirs.
    super('unprocessable' as never, faults.map(inWords).join('; '))
  }
}

const inWords = ({ where, place, problem, detail }: Fault): string => {
  const { message } = new MailboxError(problem)
  return `${where}${place === null ? '' : ` ${place}`}: ${message}${detail === null ? '' : ` (${detail})`}`
}

export type ConnectRequest = Pick<ConnectInput, 'inboxId' | 'provider' | 'secret' | 'old' | 'imap' | 'smtp'>

/**
 * Tries both servers of a mailbox, and connects an email inbox to it once both let us in. Not inside a transaction:
 * servers take seconds. For administrators; which servers they may name, `parseServerUrl` and `namedServer` say. Throws
 * `not_found`, and `unprocessable` for the inbox of another channel; TrialError.
 */
export async function tryAndConnect(deps: SignInDeps, caller: Caller, request: ConnectRequest): Promise<Connection> {
  const { inboxId, provider, secret, old, imap, smtp } = request
  await emailInboxId(deps.database.db, caller.tenantId, inboxId)
  const renewal = await explained(provider ?? 'password', () => renewalOf(deps, provider, secret))
  const way: Secret = renewal ? { accessToken: renewal.accessToken } : { password: secret }
  const numbering = await tryBoth(deps, { imap, smtp }, way)
  const input = { inboxId, provider, old, imap, smtp, renewal, numbering, secret: renewal?.refreshToken ?? secret }
  return deps.database.transaction((tx) => connectMailbox(tx, deps, caller, input))
}

/** What the page of a provider led back with, and what it was asked. */
export interface Consent {
  readonly inboxId: string
  readonly provider: MailProvider
  readonly user: string
  readonly code: string
  readonly verifier: string
  readonly returnTo: string
  readonly old: ConnectInput['old']
}

/** Connects an email inbox to the mailbox that somebody consented to. As `tryAndConnect` otherwise. */
export async function connectByConsent(deps: SignInDeps, caller: Caller, consent: Consent): Promise<Connection> {
  const { inboxId, provider, user, old } = consent
  const client = deps.config.oauth[provider]
  const endpoint = (deps.providerEndpoints ?? providerEndpoints)[provider]
  const secret = await explained(provider, async () => {
    if (client === null) throw new MailboxError('no_client')
    return exchangeCode(endpoint, client, consent)
  })
  const [imap, smtp] = [endpoint.imap, endpoint.smtp].map((server) => ({ ...server, user })) as [MailServer, MailServer]
  return tryAndConnect(deps, caller, { inboxId, provider, secret, old, imap, smtp })
}

/**
 * Tries both servers of a mailbox that an inbox is connected to; where all is well again that was not, the service goes on
 * at once. Not inside a transaction. Throws `not_found`, TrialError.
 */
export async function tryConnected(deps: SignInDeps, caller: Caller, inboxId: string): Promise<void> {
  const mailbox = await findMailbox(deps.database.db, { tenantId: caller.tenantId, inboxId })
  if (!mailbox) throw notFound('connected mailbox')
  const secret = await explained(mailbox.provider ?? 'password', () => secretOf(deps, mailbox))
  await tryBoth(deps, mailbox, secret)
  if (mailbox.state === 'failing') await deps.database.transaction((tx) => reconnectMailbox(tx, caller, mailbox))
}

/** Both are tried, so that one attempt tells all there is to put right. */
async function tryBoth(
  { config }: SignInDeps,
  { imap, smtp }: { imap: MailServer; smtp: MailServer },
  secret: Secret,
): Promise<Numbering> {
  const [inbox, sending] = await Promise.allSettled([
    explained('imap', () => tryImap(config, imap, secret), imap),
    explained('smtp', () => trySmtp(config, smtp, secret), smtp),
  ])
  const reasons: unknown[] = [inbox, sending].flatMap((tried) => (tried.status === 'rejected' ? [tried.reason] : []))
  const unexpected = reasons.find((reason) => !(reason instanceof TrialError))
  if (unexpected !== undefined) throw unexpected
  const [first, ...others] = (reasons as TrialError[]).flatMap(({ faults }) => faults)
  if (inbox.status === 'rejected' || first !== undefined) throw new TrialError([first as Fault, ...others])
  return inbox.value
}

async function renewalOf(deps: SignInDeps, provider: MailProvider | null, secret: string): Promise<Renewal | null> {
  return provider === null ? null : renewAccess(deps, provider, secret)
}

async function explained<T>(where: Fault['where'], work: () => Promise<T>, server?: MailServer): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof MailboxError)) throw error
    const place = server ? `${server.host}:${server.port}` : null
    throw new TrialError([{ where, place, problem: error.problem, detail: error.detail }])
  }
}
