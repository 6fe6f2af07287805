/* What of a tenant's records is in its export, and why the others are not. A table or a column that is new has to be decided on. */

/** Tables that no export holds, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  api_keys: 'keys are secrets, and none of the others opens anything elsewhere',
  sessions: 'they let people in',
  oauth_grants: 'they let programs in',
  oauth_tokens: 'they let programs in',
  password_links: 'they let people in',
  passkeys: 'they let people in',
  account_mails: 'what was mailed about passwords',
  idempotency_keys: 'answers that can be asked for again, for a day',
  events: 'they were sent to webhooks and say what the records say',
  webhook_batches: 'what was sent to webhooks',
  webhook_attempts: 'what was sent to webhooks',
  webhook_lists: 'what was sent to webhooks',
  webhook_numbers: 'what was sent to webhooks',
  happening_queue: 'work that waits',
  changed_tickets: 'work that waits',
  calendar_recounts: 'work that waits',
  rule_dues: 'work that waits',
  rule_waits: 'work that waits',
  rule_mails: 'work that waits',
  pending_replies: 'work that waits',
  webhook_replays: 'work that waits',
  notifications: 'work that waits',
  alert_mails: 'work that waits',
  retention_runs: 'work that waits',
  audit_heads: 'the seal of the audit log is made with the key of this installation',
  response_segments: 'made of the responses',
  searched_messages: 'made of the messages',
  article_vectors: 'made of the articles',
  ticket_figures: 'made of the tickets',
  chat_uploads: 'files that nobody has said anything with yet',
}

/** Columns that no export holds: what is secret, or says something to this installation alone. */
export const SECRET: Readonly<Record<string, readonly string[]>> = {
  audit_entries: ['hash', 'position'],
  chat_settings: ['sealedSecret'],
  mailboxes: ['sealedSecret', 'sealedAccess'],
  responses: ['resumeTokenHash'],
  uploads: ['senderHash'],
  users: ['passwordHash', 'totpSecret', 'totpStep', 'recoveryCodes', 'providerSubject'],
  visitors: ['tokenHash'],
  webhooks: ['secret', 'sealedSecret'],
}

/** Columns whose text is JSON, which is written as what it says. */
export const JSON_TEXT: Readonly<Record<string, readonly string[]>> = {
  checkouts: ['questionIds'],
  contacts: ['customValues'],
  forms: ['pages', 'variables', 'ends', 'draft', 'settings'],
  form_edits: ['content'],
  form_revisions: ['pages', 'variables', 'ends'],
  form_texts: ['texts'],
  responses: ['answers', 'scores', 'hiddenFields', 'variables'],
  refused_lines: ['rule'],
}
