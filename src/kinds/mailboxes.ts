/** A server of a mailbox, and as whom we sign in there. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte, or after a STARTTLS that is insisted on unless the host is this machine. */
  readonly security: 'tls' | 'starttls'
  /** Null: nobody asks who we are (SMTP alone). */
  readonly user: string | null
  /** An admin of a tenant named the server, who must not reach into our network: only public addresses are connected to. */
  readonly publicOnly?: true
}

/** Who lets us into mailboxes by OAuth 2 (decisions §13). */
export const mailProviders = ['microsoft', 'google'] as const
export type MailProvider = (typeof mailProviders)[number]

export const mailboxStates = ['connecting', 'connected', 'failing'] as const
export type MailboxState = (typeof mailboxStates)[number]

/** Why a mailbox cannot be reached. */
export const mailboxProblems = [
  'host_unknown',
  'not_public',
  'refused',
  'unreachable',
  'tls',
  'sign_in',
  'not_renewed',
  'no_consent',
  'no_client',
  'no_inbox',
  'lost',
  'sealed',
  'trouble',
] as const
export type MailboxProblem = (typeof mailboxProblems)[number]
