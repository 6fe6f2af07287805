import { alertPeople } from '../../alerts/operations.ts'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { invalid, rule } from '../../errors.ts'
import type { NewAttachment } from '../attachments/operations.ts'
import { noteMentions } from '../mentions.ts'
import { ticketAfterMerges } from '../merging/merges.ts'
import { ticketRowOf } from '../read.ts'
import { contentOf, isEmpty } from './content.ts'
import { addMessage } from './messages.ts'

/**
 * Adds an internal note, which never leaves the team: no answer, event or count tells of it, and the ticket's
 * `updatedAt` does not move. To a merged ticket it is a note to the one that has its messages. Whom it names by `@` is
 * told (decisions §20). Returns its id. Throws `invalid_request` for an empty note, `not_found`.
 */
export async function addNote(
  tx: Tx,
  caller: Caller,
  ticketId: string,
  input: {
    html?: string | null | undefined
    text?: string | null | undefined
    /** Files that belong to it, stored before. */
    attachments?: readonly NewAttachment[]
  },
): Promise<string> {
  const content = contentOf(input)
  if (isEmpty(content)) throw invalid('text', rule('not_empty'))
  const { tenantId } = caller
  const ticket = await ticketRowOf(tx, tenantId, await ticketAfterMerges(tx, tenantId, ticketId))
  const id = await addMessage(tx, caller, {
    ...content,
    ticketId: ticket.id,
    state: 'note',
    direction: 'outbound',
    source: caller.author.type === 'api' ? 'api' : 'web',
    author: caller.author,
    subject: null,
    from: null,
    to: [],
    cc: [],
    mailId: null,
    attachments: input.attachments ?? [],
  })
  await audit(tx, caller, 'ticket.note_added', ticket.id)
  const userIds = await noteMentions(tx, caller, id, content.text)
  await alertPeople(tx, caller, { kind: 'mentioned', ticketId: ticket.id, messageId: id, userIds })
  return id
}
