/* What tickets and their messages can be. The tables and the schemas of requests both stand on these words. */

export const ticketStatuses = ['open', 'pending', 'closed', 'spam'] as const
export const priorities = ['low', 'normal', 'high', 'urgent'] as const
export const directions = ['inbound', 'outbound'] as const
export const messageSources = ['email', 'livechat', 'messaging', 'web', 'api'] as const
export const authorTypes = ['contact', 'agent', 'api', 'system'] as const

/**
 * Who sees a message: `public` is the conversation; `note` is internal and never leaves the team; `pending` (to be sent
 * in a moment), `sending` and `failed` are replies not (or not yet) with the customer, which count for nothing outside the
 * console. `forwarded` is what somebody outside the conversation was sent of it, `outside` what came back from there: internal
 * as notes are.
 */
export const messageStates = ['public', 'note', 'pending', 'sending', 'failed', 'forwarded', 'outside'] as const

/** Whom a message came from, where its ticket was given to somebody else it names (decisions §20). */
export interface MessageOrigin {
  /** `forward`: one of our people forwarded it by hand; `form`: a form of a site sent it. */
  readonly by: 'forward' | 'form'
  readonly name: string | null
  readonly address: string
}
