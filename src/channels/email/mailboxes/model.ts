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

/** Each in words that anybody may read: they name no host, user or tenant. */
export const problemWords: Readonly<Record<MailboxProblem, string>> = {
  host_unknown: 'there is no host of this name',
  not_public: 'the host has a private or reserved address',
  refused: 'the host takes no connections on this port',
  unreachable: 'the host does not answer',
  tls: 'no secure connection came about',
  sign_in: 'the server does not accept the user and the password or token',
  not_renewed: 'the provider no longer renews our access: connect the mailbox anew',
  no_consent: 'the provider gave us no lasting access: consent to it once more',
  no_client: 'FRONTDESK_MICROSOFT_CLIENT_ID or FRONTDESK_GOOGLE_CLIENT_ID and its secret are missing or not accepted',
  no_inbox: 'the account has no INBOX that could be opened',
  lost: 'the server keeps closing the connection',
  sealed: 'its password or token cannot be decrypted: connect the mailbox anew',
  trouble: 'the server answers otherwise than expected',
}

/** How much of a server's own words is kept, in characters. */
const MAX_DETAIL = 300

/** A mailbox, or the server it sends through, that cannot be used. `detail` is what the server said, in one line. */
export class MailboxError extends Error {
  override readonly name = 'MailboxError'
  readonly detail: string | null

  constructor(
    readonly problem: MailboxProblem,
    detail: string | null = null,
    options?: ErrorOptions,
  ) {
    super(problemWords[problem], options)
    this.detail =
      detail
        ?.replace(/[\s\p{Cc}]+/gu, ' ')
        .trim()
        .slice(0, MAX_DETAIL) || null
  }
}
