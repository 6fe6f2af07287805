import { type Rule, sentenceOf } from '../errors.ts'
import type { ChannelName } from '../kinds/inboxes.ts'

/** A reply on its way to a customer. It is stored already, and header values are in one line: whoever makes it sees to that. */
export interface OutgoingMessage extends Addressed {
  tenantId: string
  /** The inbox it goes out from. */
  inboxId: string
  id: string
  html: string
  text: string
  /** Whether no person wrote it: other programs are not to answer it then. */
  isAutomatic?: boolean
  /** Safe HTML to stand below it where messages are letters; null for none. */
  signature: string | null
  /** Safe HTML, and text, to stand below all that: what it forwards. */
  quoted?: { readonly html: string; readonly text: string }
  /** Files that go with it. An image that `html` shows by `/v1/attachments/{id}` is among them. */
  files: readonly OutgoingFile[]
  /** Addresses of those who get a copy. */
  cc: readonly string[]
  /** Addresses of those who get a copy of which nothing in it tells. */
  bcc: readonly string[]
  /** Where an answer finds its way back to the ticket. */
  replyTo: string | null
  /** Of this installation: what it sent itself is known by it when it comes back. */
  installationId: string
  /** Name of the inbox, as the customer reads it. */
  fromName: string
  /** Name of the first recipient, where it is known. */
  toName: string
  /** Message-IDs of the thread's mails, oldest first; the last one is what this one answers. */
  references: readonly string[]
  /** Milliseconds since 1970. */
  at: number
}

/** A file that goes with a message. */
export interface OutgoingFile {
  id: string
  fileName: string
  contentType: string
  content: Uint8Array
}

/** What a channel puts on a message so that it finds its way; nothing of it where the way needs no address. */
export interface Addressed {
  subject: string | null
  from: string | null
  to: readonly string[]
  /** The mail's Message-ID, in angle brackets. */
  mailId: string | null
}

/** One of several recipients whom a message does not reach. */
export interface Unreached {
  address: string
  /** In the other side's words, in one line. */
  why: string
}

/** What is to be addressed: an answer to this ticket, from this inbox. */
export interface Answering {
  subject: string
  requesterEmail: string | null
  inbox: { readonly channel: ChannelName; readonly emailAddress: string | null }
  /** Names the message for good: the same words make the same Message-ID. */
  token: string
}

/**
 * Called once, just before a message leaves for good: what comes earlier, connecting and signing in, can be done again. What
 * it throws is thrown on, and then nothing has left.
 */
export type BeforeHandover = () => Promise<void>

/** A way to customers. The one seam to what carries messages: features know no more of it. */
export interface Channel {
  /** How an answer is addressed here, or null when it cannot reach its customer. */
  address(answering: Answering): Addressed | null
  /**
   * Resolves once the message has been taken over by whoever carries it from here, with those of its recipients whom they
   * refused. Throws DeliveryError where that is all of them.
   */
  deliver(message: OutgoingMessage, before?: BeforeHandover): Promise<readonly Unreached[]>
}

export type Channels = Readonly<Record<ChannelName, Channel>>

/**
 * Why a message was not delivered. `refused` and `deferred`: the other side said no for good, or for now. `interrupted`:
 * it may have arrived all the same.
 */
export type DeliveryFailure =
  | 'refused'
  | 'deferred'
  | 'sign_in'
  | 'unreachable'
  | 'interrupted'
  | 'unwritable'
  | 'impossible'

/** A message that was not delivered, and cannot have been where `isForNow` says so. What it says may be shown to the tenant: it names no host, user or file of ours. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'

  constructor(
    readonly failure: DeliveryFailure,
    readonly rule: Rule,
    options?: ErrorOptions,
  ) {
    super(sentenceOf(rule), options)
  }

  /** Whether trying again may help, and cannot deliver it twice: it was refused for now, or nobody was there. */
  get isForNow(): boolean {
    return this.failure === 'deferred' || this.failure === 'unreachable'
  }
}
