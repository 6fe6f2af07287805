import type { Deps } from '../../../deps.ts'
import { checkRoom } from '../../../files/room.ts'
import { inboxesOf, type ReceivingInbox } from '../../../inboxes/recipient.ts'
import type { MailOutcome } from '../../../kinds/received-mails.ts'
import { ticketOfReplyAddress } from '../../../tickets/addressing/reply-address.ts'
import type { IncomingMail } from '../incoming-mail.ts'
import { type Reading, readIncoming } from '../receiving/reading.ts'
import { receiveForSystem, receiveMail } from '../receiving/receive.ts'
import { isSystemAddress } from '../system/naming.ts'

/** Where a mail is to go. */
export type Inbox = IncomingMail['inbox']

/** What the listener hands mail to. */
export interface MailIntake {
  /**
   * The inbox that a recipient is an address of; `system`: it is whom our own mails are from, which takes what comes back
   * alone; null: nobody's. Throws `unavailable`.
   */
  inboxOf(recipient: string): Promise<Inbox | 'system' | null>
  /** Throws `NoRoom`. */
  checkRoom(): Promise<void>
  /** As `readIncoming`: once, for all whom a mail is for. */
  read(mail: Pick<IncomingMail, 'raw' | 'envelope' | 'connection'>): Promise<Reading>
  /** As `receiveMail`. */
  receive(mail: IncomingMail, reading: Reading): Promise<{ outcome: MailOutcome; ticketId: string | null }>
  /** As `receiveForSystem`. */
  receiveForSystem(at: number, reading: Reading): Promise<MailOutcome>
}

/** An archived inbox takes what customers answer to a ticket's own address, and nothing else (decisions §20). */
async function takes({ database, secrets }: Deps, inbox: ReceivingInbox, recipient: string): Promise<boolean> {
  return !inbox.isArchived || (await ticketOfReplyAddress(database.db, secrets, inbox, recipient)) !== null
}

/** What the service does with mail. */
export function mailIntake(deps: Deps): MailIntake {
  return {
    async inboxOf(recipient) {
      const inbox = await inboxesOf(deps.database.db, recipient)
      if (inbox) return (await takes(deps, inbox, recipient)) ? inbox : null
      return isSystemAddress(deps.config, recipient) ? 'system' : null
    },
    checkRoom: () => checkRoom(deps, 0),
    read: (mail) => readIncoming(deps, mail),
    receive: (mail, reading) => receiveMail(deps, mail, reading),
    receiveForSystem: (at, reading) => receiveForSystem(deps, at, reading),
  }
}
