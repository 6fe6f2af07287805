import type { AddedAttachment } from '../attachments/operations.ts'
import type { Ticket } from '../model.ts'
import type { Content } from '../thread/content.ts'

/** How it came: on a channel, or told by a program of the tenant's. */
export type Source = Ticket['channel'] | 'api'

/** What a customer wrote. Of `html` and `text`, the missing one is made from the other; neither is trusted. */
export interface IncomingMessage {
  html?: string | null | undefined
  text?: string | null | undefined
  /** Both of them, made by `contentOf` already. */
  content?: Content | undefined
  /** What of the text was newly written, for the excerpt. */
  newText?: string | undefined
  /** How it came, if not by the channel of the ticket: a chat can be answered by mail, and a program tell what was said. */
  source?: Source | undefined
  /** Whether a program sent it by itself: then a closed ticket stays closed (decisions §13). */
  isAutomatic?: boolean | undefined
  /** Addresses the mail went to; the inbox's own when left out. */
  to?: readonly string[] | undefined
  cc?: readonly string[] | undefined
  /** The mail's Message-ID, in its angle brackets. */
  mailId?: string | null | undefined
  /** Files that came along, stored before (`storeAttachment`). */
  attachments?: readonly AddedAttachment[] | undefined
}

/** How what came in is stored, unless it says otherwise. For the operations of this folder. */
export function inboundColumns(input: IncomingMessage, source: Source, inboxAddress: string | null) {
  return {
    state: 'public',
    direction: 'inbound',
    source,
    to: input.to ?? (inboxAddress === null ? [] : [inboxAddress]),
    cc: input.cc ?? [],
    isAutomatic: input.isAutomatic ?? false,
    mailId: input.mailId && MAIL_ID.test(input.mailId) ? input.mailId : null,
    attachments: input.attachments ?? [],
  } as const
}

/** What can be repeated in a header of ours as it is. */
const MAIL_ID = /^<[^\s<>\p{Cc}]{1,900}>$/u
