import type { Caller } from '../../../caller.ts'
import type { Tx } from '../../../db/index.ts'
import type { DraftInput } from '../../../tickets/writing/drafts.ts'
import type { Visit } from '../../visit.ts'
import { beside } from '../answer/drafting.ts'

type Work<T> = (tx: Tx, caller: Caller) => Promise<T>

/**
 * Keeps what an agent has written and sends it, in one transaction, so that what the same person sends from another tab is
 * another mail. Refuses, beside the field, what cannot be sent: then it is kept.
 */
export async function keepAndSend<T>(
  visit: Visit,
  input: Pick<DraftInput, 'recipients' | 'bcc'>,
  { keep, send }: { keep: Work<unknown>; send: Work<T> },
): Promise<T> {
  try {
    return await beside(visit, input, () =>
      visit.change(async (tx, caller) => {
        await keep(tx, caller)
        return send(tx, caller)
      }),
    )
  } catch (error) {
    await beside(visit, input, () => visit.change(keep))
    throw error
  }
}
