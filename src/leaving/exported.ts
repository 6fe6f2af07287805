import type { FileKind } from '../kinds/files.ts'

/*
 * What of a tenant's records is in its export, and why the others are not. A table or a column that is new has to be decided on:
 * what an import cannot do without has to be here.
 */

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
  rule_mails: 'work that waits',
  pending_replies: 'work that waits',
  webhook_replays: 'work that waits',
  notifications: 'work that waits',
  retention_runs: 'work that waits',
  audit_heads: 'the seal of the audit log is made with the key of this installation',
  response_segments: 'made of the responses',
  searched_messages: 'made of the messages',
  article_vectors: 'made of the articles',
  chat_uploads: 'files that nobody has said anything with yet',
}

/** Columns that no export holds: what is secret, or says something to this installation alone. */
export const SECRET: Readonly<Record<string, readonly string[]>> = {
  audit_entries: ['hash', 'position'],
  chat_settings: ['sealedSecret'],
  mailboxes: ['sealedSecret', 'sealedAccess'],
  responses: ['resumeTokenHash', 'tellAt'],
  uploads: ['senderHash'],
  users: ['passwordHash', 'totpSecret', 'totpStep', 'recoveryCodes', 'providerSubject'],
  visitors: ['tokenHash'],
  webhooks: ['secret', 'sealedSecret'],
}

/** What is told of columns that no export holds, by another name: whether there is something in one. */
export const TOLD: Readonly<
  Record<string, Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => boolean>>>
> = {
  chat_settings: { hasSecret: ({ sealedSecret }) => sealedSecret !== null },
  webhooks: { hasSecret: ({ secret, sealedSecret }) => (secret ?? sealedSecret) !== null },
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

/** Which format of exports this version writes, and reads with those before it. What is added to one changes nothing for its readers. */
export const FORMAT = 1

type Row = Readonly<Record<string, unknown>>

/** Whether a file lies in the store under the id of a record. */
export function hasFile(kind: string, row: Row): kind is FileKind {
  if (kind === 'received_mails') return row.keptIn === 'file'
  if (kind === 'contact_imports') return row.state === 'draft' || row.state === 'running'
  return kind === 'uploads' || kind === 'attachments' || kind === 'article_images'
}

/** Where in an export a file lies. */
export const placeOfFile = (kind: FileKind, id: string): string => `files/${kind}/${id}`

/** Where in an export the records of a kind lie. */
export const placeOfRecords = (kind: string): string => `${kind}.jsonl`
