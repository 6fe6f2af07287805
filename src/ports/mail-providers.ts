import type { MailProvider, MailServer } from '../kinds/mailboxes.ts'

/** Where a provider is asked for access, and where its mailboxes are. */
export interface ProviderEndpoint {
  /** Where access is given and renewed, and for what it is asked then. */
  readonly url: string
  readonly scope: string | null
  /** Where people consent to it, to what, and what else that page is told. */
  readonly consent: { readonly url: string; readonly scope: string; readonly more: Readonly<Record<string, string>> }
  readonly imap: Omit<MailServer, 'user'>
  readonly smtp: Omit<MailServer, 'user'>
}
export type ProviderEndpoints = Readonly<Record<MailProvider, ProviderEndpoint>>
