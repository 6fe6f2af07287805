import type { ImapFlow } from 'imapflow'
import type { Deps } from '../../../deps.ts'
import { type FetchDeps, Fetching, type Stumbling } from './fetching.ts'
import { closeImap, openImap, openInbox } from './imap.ts'
import { MailboxError } from './problems.ts'
import { addressOf } from './reach.ts'
import { type MailboxRow, type SignInDeps, secretOf } from './sign-in.ts'

export type SessionDeps = SignInDeps & FetchDeps & Pick<Deps, 'log'>

export interface SessionTerms {
  signal: AbortSignal
  /** Milliseconds; see `openImap`. */
  pollMs: number
  stumbling: Stumbling
  /** Called once the INBOX is open. */
  connected(): Promise<void>
}

/**
 * Takes what comes into a mailbox, from now on and for as long as the connection lasts. Resolves when `signal` says
 * stop, after the mail that is being taken. Throws MailboxError, or `unavailable` when nothing can be stored.
 */
export async function followMailbox(deps: SessionDeps, mailbox: MailboxRow, terms: SessionTerms): Promise<void> {
  const { signal, pollMs } = terms
  const client = await signedIn(deps, mailbox, terms)
  const news = new News(client)
  try {
    const fetching = new Fetching(deps, mailbox, terms.stumbling)
    await fetching.agree(await openInbox(client))
    await terms.connected()
    while (!signal.aborted) {
      const heard = news.heard
      await fetching.takeNew(client, signal)
      if (signal.aborted) break
      if (news.heard === heard) await listened(client, news, pollMs, signal)
      if (!client.usable && !signal.aborted) throw new MailboxError('lost')
    }
  } finally {
    news.end()
    await closeImap(client)
  }
}

/** An access token may end before its time: once more with another one. */
async function signedIn(deps: SessionDeps, mailbox: MailboxRow, terms: SessionTerms): Promise<ImapFlow> {
  const secret = await secretOf(deps, mailbox)
  const address = await addressOf(mailbox.imap, deps.config)
  try {
    return await openImap(mailbox.imap, address, secret, terms)
  } catch (error) {
    const isRefused = error instanceof MailboxError && error.problem === 'sign_in' && 'accessToken' in secret
    if (!isRefused) throw error
    return await openImap(mailbox.imap, address, await secretOf(deps, mailbox, secret.accessToken), terms)
  }
}

/** Resolves at the next news. Where the server will not have us listen, after `pollMs`. */
async function listened(client: ImapFlow, news: News, pollMs: number, signal: AbortSignal): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  let timer: Timer | undefined
  let isOver = false
  const stop = () => resolve()
  signal.addEventListener('abort', stop)
  // Goes on by itself until it is refused, or the next command comes.
  const refused = () => {
    if (!isOver) timer = setTimeout(resolve, pollMs)
  }
  client.idle().then(refused, refused)
  await Promise.race([over, news.next()])
  isOver = true
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
}

/** Counts what a server lets us know of an open mailbox, the end of the connection included. */
class News {
  heard = 0
  #tell = () => {}
  readonly #note = () => {
    this.heard += 1
    this.#tell()
  }

  constructor(private readonly client: ImapFlow) {
    client.on('exists', this.#note)
    client.on('close', this.#note)
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#tell = resolve
    })
  }

  end(): void {
    this.client.off('exists', this.#note)
    this.client.off('close', this.#note)
  }
}
