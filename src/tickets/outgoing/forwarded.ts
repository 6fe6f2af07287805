import { and, eq, sql } from 'drizzle-orm'
import { isOneOf, named, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { forwards, messages } from '../../db/schema.ts'
import type { Message } from '../model.ts'

/** What a mail of ours forwards. */
export interface Forwarded {
  /** The message that it forwards. */
  readonly forwardedId: string
  /** Ids of that one's files which do not come along. */
  readonly leftOut: readonly string[]
}

/** That message in short, for agents; null in place of it once it is gone. */
export interface ForwardedMessage extends Forwarded {
  readonly original: {
    readonly ticketId: string
    readonly authorName: string | null
    readonly from: string | null
  } | null
}

const forwardsOfMessages = prepared((db) =>
  db
    .select(
      named({
        messageId: forwards.messageId,
        forwardedId: forwards.forwardedId,
        leftOut: forwards.leftOut,
        ticketId: messages.ticketId,
        authorName: messages.authorName,
        from: messages.fromAddress,
      }),
    )
    .from(forwards)
    .leftJoin(messages, and(eq(messages.tenantId, forwards.tenantId), eq(messages.id, forwards.forwardedId)))
    .where(and(ofTenant(forwards), isOneOf(db, forwards.messageId, sql.placeholder('messageIds'))))
    .prepare(),
)

/** What those of these messages forward that do, by their ids. */
export async function forwardsAmong(
  db: Reader,
  tenantId: string,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, ForwardedMessage>> {
  if (messageIds.length === 0) return new Map()
  const rows = await forwardsOfMessages(db).execute({ tenantId, messageIds: JSON.stringify(messageIds) })
  return new Map(
    rows.map(({ messageId, forwardedId, leftOut, ticketId, authorName, from }) => [
      messageId,
      { forwardedId, leftOut, original: ticketId === null ? null : { ticketId, authorName, from } },
    ]),
  )
}

/** What a message forwards; null for any other one. */
export async function forwardOf(db: Reader, tenantId: string, messageId: string): Promise<Forwarded | null> {
  return (await forwardsAmong(db, tenantId, [messageId])).get(messageId) ?? null
}

/** The files of a message that go with it where it is forwarded. */
export function carriedBy({ attachments }: Pick<Message, 'attachments'>, leftOut: readonly string[]) {
  return attachments.filter(({ id }) => !leftOut.includes(id))
}
