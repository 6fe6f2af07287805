import type { addresses } from '../../../../errors/rules/addresses.ts'
import type { RuleWords } from '../../rules.ts'

export const addressesRules = {
  rule_email: 'Must be an email address.',
  rule_email_length: 'Must be an email address of at most 320 characters.',
  rule_email_needed: 'An email inbox needs an address.',
  rule_not_email: 'Each line must be an email address.',
  rule_domain: 'Must be a domain such as acme.test.',
  rule_host: 'Must be the name of a server, such as imap.acme.test.',
  rule_url_https: 'Must start with https:// and a host.',
  rule_url_http: 'Must start with https:// or http:// and a host.',
  rule_url_blanks: 'Must not contain spaces.',
  rule_url_user: 'Must not contain a user name or password.',
  rule_url_user_held: 'Must not contain a user name or password.',
  rule_url_host: 'Must be the address of a server.',
  rule_url_port: 'Must have a port from 1 to 65535.',
  rule_url_private: 'Must not point to a private or reserved address: nothing is ever sent there.',
  rule_url_web: 'Must be a web address that starts with http:// or https://.',
  rule_url_https_web: 'Must be a web address that begins with https://.',
  rule_site: 'Each line must be a site such as https://www.acme.test, without a path.',
} as const satisfies RuleWords<typeof addresses>
