import { openTicket } from '../../tickets/incoming/opening.ts'
import type { Ticket } from '../../tickets/model.ts'
import type { Step } from '../timeline.ts'

/** A ticket that later steps can name, once it has been opened. */
export function newTicket() {
  let ticket: Ticket | null = null
  return {
    id: () => (ticket as Ticket).id,
    open:
      (input: Parameters<typeof openTicket>[2]): Step['run'] =>
      async (tx, caller) => {
        ticket = await openTicket(tx, caller, input)
      },
  }
}
