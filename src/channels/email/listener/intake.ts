/** Where a mail is to go. */
export interface Inbox {
  tenantId: string
  id: string
}

/** A mail for one inbox. */
export interface IncomingMail {
  raw: Uint8Array
  at: number
  inbox: Inbox
  envelope: { from: string | null; recipients: readonly string[] } | null
  connection: { address: string; hello: string } | null
}

export type MailOutcome = 'created' | 'threaded' | 'duplicate' | 'bounce' | 'ignored' | 'quarantined'

/** What the listener hands mail to. */
export interface MailIntake {
  /** The inbox that a recipient is an address of; null: nobody's. Throws `unavailable`. */
  inboxOf(recipient: string): Promise<Inbox | null>
  /** Stores a mail for one inbox; whatever comes of it is an outcome. Throws `unavailable` alone: nothing is stored. */
  receive(mail: IncomingMail): Promise<{ outcome: MailOutcome; ticketId: string | null }>
}
