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
