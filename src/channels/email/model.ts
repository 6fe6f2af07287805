/** What became of a mail that was taken. `duplicate` is none of a mail's own: the first of its kind has another. */
export const receivedOutcomes = ['created', 'threaded', 'bounce', 'ignored', 'quarantined'] as const
export type ReceivedOutcome = (typeof receivedOutcomes)[number]
export type MailOutcome = ReceivedOutcome | 'duplicate'

/** What can be said of who sent a mail. `unknown`: it could not be found out, which is nobody's fault. */
export type Verdict = 'pass' | 'fail' | 'none' | 'unknown'

/** SPF, DKIM and DMARC of a mail, as it came in. */
export interface Authentication {
  spf: Verdict
  dkim: Verdict
  dmarc: Verdict
}

/** A mail on its way to one inbox: one that goes to two of them comes twice. */
export interface IncomingMail {
  raw: Uint8Array
  /** Milliseconds since 1970. */
  at: number
  inbox: { tenantId: string; id: string }
  /**
   * As the server that brought it said: an empty or no sender is the empty return path, recipients are those of this
   * inbox, as they were addressed. Null where nobody said.
   */
  envelope: { from: string | null; recipients: readonly string[] } | null
  /** That server, where it is known. */
  connection: { address: string; hello: string } | null
}
