/* What a service that follows another tells that one, over the channel that it was started with. */

/** Names the process that is followed, in the environment of the one that follows. */
export const FOLLOWS = 'FOLLOWS_FRONTDESK'

export type FromSuccessor =
  /** It answers all new connections. */
  | 'serves'
  /** It holds all new connections, and has to be alone with the data before it can answer them. */
  | 'waits'
  /** What still is open at its predecessor is to be closed now. */
  | 'leave'
