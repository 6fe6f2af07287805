import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { invalid, rule } from '../../errors.ts'
import { ticketAfterMerges } from '../merging/merges.ts'
import { ticketRowOf } from '../read.ts'
import { contentOf, isEmpty } from './content.ts'
import { addMessage } from './messages.ts'

/**
 * Adds an internal note, which never leaves the team: no answer, event or count tells of it, and the ticket's
 * `updatedAt` does not move. To a merged ticket it is a note to the one that has its messages. Returns its id. For the
 * command line and the console. Throws `invalid_request` for an empty note, `not_found`.
 */
export async function addNote(
  tx: Tx,
  caller: Caller,
  ticketId: string,
  input: { html?: string | null | undefined; text?: string | null | undefined },
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
  })
  await audit(tx, caller, 'ticket.note_added', ticket.id)
  return id
}
