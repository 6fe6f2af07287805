import type { Deps } from '../../../deps.ts'
import { type IncomingMail, receiveMail } from '../receive.ts'
import { inboxesOf } from '../recipient.ts'

/** Where a mail is to go. */
export type Inbox = IncomingMail['inbox']

/** What the listener hands mail to. */
export interface MailIntake {
  /** The inbox that a recipient is an address of; null: nobody's. Throws `unavailable`. */
  inboxOf(recipient: string): Promise<Inbox | null>
  /** As `receiveMail`. */
  receive(mail: IncomingMail): Promise<Pick<Awaited<ReturnType<typeof receiveMail>>, 'outcome' | 'ticketId'>>
}

/** What the service does with mail. */
export function mailIntake(deps: Deps): MailIntake {
  return {
    inboxOf: (recipient) => inboxesOf(deps.database.db, recipient),
    receive: (mail) => receiveMail(deps, mail),
  }
}
