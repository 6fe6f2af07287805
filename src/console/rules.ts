import { furtherSentences } from './further-rules.ts'
import type { ConsoleWords, SayConsole } from './words/index.ts'

export type RuleWord = Extract<keyof ConsoleWords, `rule_${string}`>

/**
 * What operations say of what they refuse, and the sentence that the console says for it. What a named group of the pattern
 * finds goes into the place of that name; what `why` finds is such a rule itself.
 */
export const sentences: readonly (readonly [said: RegExp, word: RuleWord])[] = [
  [/^must be 1 to 255 characters$/, 'rule_name'],
  [/^must be an email address\b/, 'rule_email'],
  [/^a user with this email already exists$/, 'rule_taken'],
  [/^this email signs in elsewhere$/, 'rule_elsewhere'],
  [/^must be of (?<least>\d+) to (?<most>\d+) characters$/, 'rule_password'],
  [/^must be one line$/, 'rule_one_line'],
  [/^must lie in the future$/, 'rule_future'],
  [/^must be one or more of /, 'rule_scopes'],
  [/^a tenant has at most (?<most>\d+) active keys/, 'rule_keys'],
  [/^a tenant needs an admin/, 'rule_admin'],
  [/^you cannot remove yourself/, 'rule_oneself'],
  [/^must be 1 to 2048 characters$/, 'rule_url_length'],
  [/^must start with https:\/\/ and a host$/, 'rule_url_https'],
  [/^must start with https:\/\/ or http:\/\/ and a host$/, 'rule_url_http'],
  [/^must not contain blanks or control characters$/, 'rule_url_blanks'],
  [/^must not contain a user name or password$/, 'rule_url_user'],
  [/^must be a URL with a host$/, 'rule_url'],
  [/^must have a port from 1 to 65535$/, 'rule_url_port'],
  [/^must not point to a private or reserved address$/, 'rule_url_private'],
  [/^this delivery is (collecting|pending|retrying): /, 'rule_delivery_under_way'],
  [/^this delivery does not wait for an attempt$/, 'rule_delivery_not_waiting'],
  [/^an inbox with this address already exists$/, 'rule_inbox_taken'],
  [/^an email inbox needs an email address$/, 'rule_inbox_address'],
  [/^a \w+ inbox has no address$/, 'rule_inbox_no_address'],
  [/^must not be empty$/, 'rule_missing'],
  [/^must be the name of a host$/, 'rule_host'],
  [/^somebody else changed these settings meanwhile$/, 'rule_settings_changed'],
  [/^somebody else renamed it to (?<name>.*) meanwhile$/s, 'rule_renamed'],
  [/^there is no such inbox$/, 'rule_inbox'],
  [/^must be a live-chat inbox$/, 'rule_inbox_livechat'],
  [/^must be an email inbox$/, 'rule_inbox_email'],
  [/^must be a domain such as/, 'rule_domain'],
  [/^must be at most 10000 characters$/, 'rule_ten_thousand'],
  [/^a quotation mark is missing/, 'rule_quotes'],
  [/^the line is too long$/, 'rule_line_long'],
  [/^there are more cells than/, 'rule_cells'],
  [/^it cannot be read in this encoding$/, 'rule_unreadable'],
  [/^must be yes, no or a date$/, 'rule_yes_no'],
  [/^must be a number such as/, 'rule_csv_number'],
  [/^must be a date such as 2026-03-31 or/, 'rule_csv_date'],
  [/^there is no group "/, 'rule_group'],
  [/^one has to be the email$/, 'rule_email_column'],
  [/^is chosen for another column too$/, 'rule_column_twice'],
  [/^there is no such field$/, 'rule_field'],
  [/^this file is being taken in already$/, 'rule_import_begun'],
  [/^must be at most 255 characters$/, 'rule_255'],
  [/^must be at most 50 characters$/, 'rule_50'],
  [/^must be another contact$/, 'rule_another_contact'],
  [/^must be a colour such as/, 'rule_colour'],
  [/^".*" must be a site such as/s, 'rule_site'],
  [/^must be a language tag such as/, 'rule_language'],
  [/^".*" is not a time zone/s, 'rule_time_zone'],
  [
    /^must be like Mon-Fri|^".*" (is not a day:|must be (days|times|a time) such as|must be days and times)/s,
    'rule_hours',
  ],
  [/ must end after it begins: /, 'rule_hours_night'],
  [/^must be at most 1000 characters$/, 'rule_thousand'],
  [/^is not the code of this moment$/, 'rule_code'],
  [/^the passkey could not be checked/, 'rule_passkey'],
  [/^this passkey is known already$/, 'rule_passkey_known'],
  [/^is not a cursor of this list$/, 'rule_cursor'],
  [/^only email tickets can be merged$/, 'rule_only_mail_merges'],
  [/^the two tickets are merged already$/, 'rule_merged_already'],
  [/^must be another ticket$/, 'rule_another_ticket'],
  [/^T-\d+ was merged into T-\d+/, 'rule_was_merged'],
  [/^a merge can be undone for a day/, 'rule_merge_too_old'],
  [/^it is the only message of its ticket$/, 'rule_only_message'],
  [/^only a reply that has failed can be sent again$/, 'rule_not_failed'],
  [/^the reply is on its way already$/, 'rule_on_its_way'],
  [/^only its writer can take a reply back$/, 'rule_not_yours'],
  [/^there is no such user$/, 'rule_user'],
  [/^there are at most 20 views/, 'rule_views'],
  [/^there are at most 200 canned replies/, 'rule_canned_replies'],
  [/^only email tickets can be answered here$/, 'rule_no_answer'],
  [/^must be a date such as /, 'rule_day'],
  [/^must be a date-time with an offset/, 'rule_moment'],
  [/^must be a web address that begins with https:/, 'rule_https'],
  [/^must be an integer$/, 'rule_whole'],
  [/^must be between 1 and 1000000000$/, 'rule_most'],
  [/^must be a PNG, JPEG, GIF or WebP image$/, 'rule_picture'],
  [/^must be at most 1 MiB$/, 'rule_mebibyte'],
  [/^must be at most (?<size>\d+ [KM]iB)\b/, 'rule_size'],
  [/^must hold at most (?<most>\d+) tags/, 'rule_tags'],
  [/ is not an email address$/, 'rule_addresses'],
  [/ must be 1 to 40 small letters, digits and underscores$/, 'rule_hidden'],
  [/^the form cannot be re-opened: /, 'rule_reopen'],
]

/** What an operation refused, in the reader's language; in English where there are no words for it yet. */
export function sayRule(say: SayConsole, rule: string): string {
  for (const [said, word] of [...sentences, ...furtherSentences]) {
    const found = said.exec(rule)
    if (!found) continue
    const { why, ...values } = found.groups ?? {}
    // The places of these sentences are the groups of their patterns: a test goes over them.
    const speak = say as (word: RuleWord, values: Record<string, string>) => string
    return speak(word, why === undefined ? values : { ...values, why: sayRule(say, why) })
  }
  // Operations write what goes into the middle of a sentence.
  const text = rule.charAt(0).toUpperCase() + rule.slice(1)
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
