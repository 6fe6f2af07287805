import type { MailOutcome } from '../kinds/received-mails.ts'
import type { PostFailure } from '../lib/network/outbound-post.ts'
import type { DeliveryFailure } from './channel.ts'

/** Why a request was refused. `key_limit` and `address_limit`: a key, or an address without one, asked too often. */
export const refusals = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'too_large',
  'unprocessable',
  'key_limit',
  'address_limit',
  'too_soon',
  'no_room',
  'unavailable',
  'other',
] as const
export type Refusal = (typeof refusals)[number]

/** What came of an attempt to deliver a batch of events; `internal` is a fault of ours. */
export type DeliveryOutcome = 'delivered' | PostFailure | 'internal'

/** What became of a mail: of one that came in a word of `MailOutcome`, of one that went out another. */
export type MeteredMail = MailOutcome | 'sent' | DeliveryFailure

/** `failed`: not all of its actions could be done. `not_matched`: its conditions did not hold, or it had just run. */
export type RuleOutcome = 'done' | 'failed' | 'not_matched'

/**
 * Is told of what happens, to count it (decisions §22). Whoever tells it knows nothing of where the numbers go. No word of
 * these is a tenant's or a stranger's. Costs a tenth of a microsecond. Times are in seconds.
 */
export interface Meter {
  /** `route` is the pattern that the path was recognised by; undefined where it was none, or was not looked for. */
  answered(method: string, route: string | undefined, status: number, seconds: number): void
  refused(reason: Refusal): void
  /** A commit, until the disk, or the server, held it. */
  committed(seconds: number): void
  attempted(outcome: DeliveryOutcome): void
  mail(outcome: MeteredMail): void
  ruleRan(outcome: RuleOutcome): void
  /** A backup by itself was made and is good, or could not be. */
  backup(outcome: 'made' | 'failed'): void
  /** `late` is how long after its time a job began. */
  jobBegan(job: string, late: number): void
  /** How much later than it should the event loop came round. */
  loopWasLate(seconds: number): void
}
