import { isIP } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import { rule } from '../../errors.ts'
import type { MailboxProblem, MailServer } from '../../kinds/mailboxes.ts'
import { Turns } from '../../lib/concurrency/turns.ts'
import { isThisMachine } from '../../lib/network/outbound-address.ts'
import { type BeforeHandover, DeliveryError, type Unreached } from '../../ports/channel.ts'
import { explainFailure, type Handover, unreachedOf } from './failures.ts'
import { MailboxError } from './mailboxes/problems.ts'
import { addressOf } from './mailboxes/reach.ts'
import {
  findMailbox,
  type MailboxKey,
  type MailboxRow,
  type Secret,
  type SignInDeps,
  secretOf,
} from './mailboxes/sign-in.ts'
import { OutboxFolder } from './outbox-folder.ts'

/** A mail as it goes over the wire (RFC 5322), and from whom to whom. */
export interface WireMail {
  /** Names the file when mail becomes files. */
  id: string
  envelope: { from: string; to: string[] }
  message: Buffer
}

/** What takes a composed mail out of the house. */
export interface Transport {
  /**
   * Resolves once the mail has been taken over: by the mail server, with those of several recipients whom it refused, or
   * by the disk. Throws DeliveryError.
   */
  send(mail: WireMail, before?: BeforeHandover): Promise<readonly Unreached[]>
}

/** Milliseconds. They can be set in the URL, too, by the same names: `smtp://host?socketTimeout=60000`. */
const TIMEOUTS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
/** What one mail may take in all, in milliseconds; less than a quiet HTTP connection lives. */
const DEADLINE = 50_000
/** Mail is made of what we hand over, never of files or addresses that a message names. */
const SAFE = { disableFileAccess: true, disableUrlAccess: true }
/** Why access may not be renewed now, and may be in a moment. */
const PASSING: readonly MailboxProblem[] = ['unreachable', 'lost']
/** Connections at once, to the server of one mailbox and to all of them: what is over that waits. */
const MOST_OF_ONE = 4
const MOST = 32

/** To FRONTDESK_SMTP_URL, or into `.eml` files under `DATA/outbox/` when none is set. */
export function houseTransport(
  { smtpUrl, dataDir }: Pick<Config, 'smtpUrl' | 'dataDir'>,
  deadline = DEADLINE,
): Transport {
  if (smtpUrl === null) return outboxTransport(dataDir)
  const options = houseOptions(smtpUrl)
  return { send: (mail, before) => sendBySmtp(options, mail, AbortSignal.timeout(deadline), before) }
}

/** How nodemailer reaches the server of FRONTDESK_SMTP_URL. */
export function houseOptions(smtpUrl: string) {
  return { url: smtpUrl, ...TIMEOUTS, ...SAFE }
}

/** How nodemailer reaches the server of a mailbox, at `address`: see `addressOf`. */
export function smtpOptions({ host, port, security, user }: MailServer, address: string, secret: Secret) {
  const auth =
    'password' in secret
      ? { user: user ?? '', pass: secret.password }
      : { type: 'OAuth2' as const, user: user ?? '', accessToken: secret.accessToken }
  return {
    host: address,
    // Whom the certificate has to be of.
    ...(isIP(host) ? {} : { servername: host }),
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls' && !isThisMachine(host),
    // A bridge on this machine has a certificate that nobody vouches for, and nobody listens in.
    tls: { rejectUnauthorized: security === 'tls' || !isThisMachine(host) },
    ...(user === null ? {} : { auth }),
    ...TIMEOUTS,
    ...SAFE,
  }
}

/** The ways by which inboxes send: each by the server of its own mailbox, and those without one by the house's. */
export class Transports {
  readonly #all = new Turns(MOST)
  /** Of mailboxes that are sending now. */
  readonly #each = new Map<string, Turns>()

  constructor(
    private readonly deps: SignInDeps,
    private readonly house: Transport = houseTransport(deps.config),
    private readonly deadline = DEADLINE,
  ) {}

  /** The way of an inbox, or of nobody's mail. It is looked up for each mail: a mailbox may be connected at any time. */
  of(inbox: MailboxKey | null): Transport {
    if (inbox === null) return this.house
    return {
      send: async (mail, before) => {
        const mailbox = await findMailbox(this.deps.database.db, inbox)
        if (!mailbox) return this.house.send(mail, before)
        const over = AbortSignal.timeout(this.deadline)
        return this.#inTurn(mailbox, () => this.#send(mailbox, mail, over, before))
      },
    }
  }

  async #inTurn<T>(mailbox: MailboxRow, work: () => Promise<T>): Promise<T> {
    const key = `${mailbox.tenantId} ${mailbox.inboxId}`
    const turns = this.#each.get(key) ?? new Turns(MOST_OF_ONE)
    this.#each.set(key, turns)
    try {
      return await turns.take(() => this.#all.take(work))
    } finally {
      if (turns.isIdle) this.#each.delete(key)
    }
  }

  async #send(
    mailbox: MailboxRow,
    mail: WireMail,
    over: AbortSignal,
    before?: BeforeHandover,
  ): Promise<readonly Unreached[]> {
    const secret = await this.#secretOf(mailbox, null)
    const address = await this.#addressOf(mailbox)
    try {
      return await sendBySmtp(smtpOptions(mailbox.smtp, address, secret), mail, over, before)
    } catch (error) {
      const isRefused = error instanceof DeliveryError && error.failure === 'sign_in' && 'accessToken' in secret
      if (!isRefused) throw error
      // A token may end before its time: nothing was handed over yet, so once more with another one.
      const another = await this.#secretOf(mailbox, secret.accessToken)
      return sendBySmtp(smtpOptions(mailbox.smtp, address, another), mail, over, before)
    }
  }

  async #addressOf({ smtp }: MailboxRow): Promise<string> {
    try {
      return await addressOf(smtp, this.deps.config)
    } catch (error) {
      if (!(error instanceof MailboxError)) throw error
      // A name may be known again in a moment; an address that must not be reached stays one.
      const failure = error.problem === 'not_public' ? 'impossible' : 'unreachable'
      throw new DeliveryError(failure, rule('mail_unreachable_because', { problem: error.message }), {
        cause: error,
      })
    }
  }

  async #secretOf(mailbox: MailboxRow, refused: string | null): Promise<Secret> {
    try {
      return await secretOf(this.deps, mailbox, refused)
    } catch (error) {
      if (!(error instanceof MailboxError)) throw error
      const failure = PASSING.includes(error.problem) ? 'unreachable' : 'sign_in'
      throw new DeliveryError(failure, rule('mail_no_access', { problem: error.message }), { cause: error })
    }
  }
}

type SmtpOptions = Parameters<typeof createTransport>[0]

async function sendBySmtp(
  options: SmtpOptions,
  { envelope, message }: WireMail,
  over: AbortSignal,
  before: BeforeHandover = async () => {},
): Promise<readonly Unreached[]> {
  let handedOver = false
  let kept: { readonly error: unknown } | undefined
  async function* content() {
    try {
      await before()
    } catch (error) {
      kept = { error }
      throw error
    }
    handedOver = true
    yield message
  }
  const nodemailer = await import('nodemailer')
  const transport = nodemailer.createTransport(options)
  // Its own stream is read ahead; this one is once the server waits for the content.
  transport.use('stream', (mail, done) => {
    mail.message.createReadStream = () => Readable.from(content())
    done()
  })
  try {
    over.throwIfAborted()
    return unreachedOf((await transport.sendMail({ envelope, raw: message, signal: over })) as Handover)
  } catch (error) {
    throw kept ? kept.error : explainFailure(error, handedOver)
  }
}

function outboxTransport(dataDir: string): Transport {
  const folder = new OutboxFolder(join(dataDir, 'outbox'))
  return {
    async send({ id, message }, before) {
      await before?.()
      try {
        await folder.add(`${id}.eml`, message)
        return []
      } catch (error) {
        throw new DeliveryError('unwritable', rule('mail_unwritable'), { cause: error })
      }
    },
  }
}
