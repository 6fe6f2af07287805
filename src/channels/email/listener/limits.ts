import { MAX_MAIL } from '../receiving/reading.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const MIB = 1024 * 1024

/** What strangers may do at the mail listener. Times are milliseconds, sizes bytes. */
export interface MailLimits {
  /** Connections at a time in all, and from one address (of IPv6: one /64). */
  readonly connections: number
  readonly connectionsPerNetwork: number
  /** How long a connection may say nothing, and how long it may last. */
  readonly idle: number
  readonly session: number
  /** How long the content of one mail may take. */
  readonly data: number
  /** Mails over one connection, and what is said between two of them. */
  readonly mails: number
  readonly commands: number
  /** Files of a mail that an address may send on average: so many times the mails it may send a minute. */
  readonly filesPerMail: number
  /** Recipients that are asked for in one mail, and how many of a connection may be nobody's. */
  readonly recipients: number
  readonly unknownRecipients: number
  /** The largest mail (decisions §13), and how much of a larger one is thrown away before its sender is cut off. */
  readonly size: number
  readonly waste: number
  /** What mails that are still coming in may take of the memory together, and those that are being stored. */
  readonly incoming: number
  readonly storing: number
}

export const MAIL_LIMITS: MailLimits = {
  connections: 500,
  connectionsPerNetwork: 20,
  idle: MINUTE,
  session: 10 * MINUTE,
  data: 5 * MINUTE,
  mails: 100,
  commands: 500,
  filesPerMail: 10,
  recipients: 100,
  unknownRecipients: 20,
  size: MAX_MAIL,
  waste: 100 * MIB,
  incoming: 64 * MIB,
  storing: 64 * MIB,
}
