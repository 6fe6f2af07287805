/** What is kept for so many days, as decisions §22 names it, in the order in which people read it. */
export const retentionRules = [
  'partial_responses',
  'responses',
  'closed_tickets',
  'contacts',
  'audit',
  'deliveries',
  'raw_mails',
] as const
export type RetentionRule = (typeof retentionRules)[number]

/** For how many days each is kept where a tenant has said nothing; null: for good. */
export const DAYS_BY_DEFAULT: Readonly<Record<RetentionRule, number | null>> = {
  partial_responses: 90,
  responses: null,
  closed_tickets: null,
  contacts: null,
  audit: null,
  deliveries: 30,
  raw_mails: 30,
}

/** The most days that may be set: a hundred years. */
export const MOST_DAYS = 36_500
