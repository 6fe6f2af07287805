/** What somebody may be told of (decisions §20): a ticket that became theirs, one of theirs that the customer wrote on, a note that names them, a ticket that came to a team of theirs. */
export const alertKinds = ['assigned', 'answered', 'mentioned', 'new_in_team'] as const
export type AlertKind = (typeof alertKinds)[number]

/** When they are told by mail: never, unless they look at the ticket within five minutes, or at once. */
export const alertMailTimes = ['off', 'unless_read', 'at_once'] as const
export type AlertMailTime = (typeof alertMailTimes)[number]
