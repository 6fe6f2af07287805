import type { MailboxProblem } from '../../../kinds/mailboxes.ts'

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
