import { Database } from 'bun:sqlite'

/** What SQLite means to do for a statement, step by step. */
export interface Plan {
  statement: string
  steps: string[]
}

/**
 * Notes every statement that is prepared, by whichever connection, until `stop`. Statements prepared earlier on a
 * connection are not seen again: start before the application does.
 */
export function noteStatements() {
  const statements = new Set<string>()
  const { prepare } = Database.prototype
  Database.prototype.prepare = function (this: Database, statement: string, ...rest: never[]) {
    statements.add(statement)
    return prepare.call(this, statement, ...rest)
  } as typeof prepare
  return {
    statements,
    stop() {
      Database.prototype.prepare = prepare
    },
  }
}

/** The plan of a statement that reads or changes rows, null for others. */
export function planOf(database: Database, statement: string): Plan | null {
  if (!/^\s*(select|insert|update|delete|with)\b/i.test(statement)) return null
  const rows = database.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${statement}`).all()
  return { statement, steps: rows.map(({ detail }) => detail) }
}

/** Tables of which a tenant has a handful of rows: an index on more than the tenant would gain nothing. */
const SMALL = ['users', 'webhooks', 'api_keys', 'rules']
/**
 * Indexes that leave so few rows that other conditions may be checked one by one, of an address, of a contact, of a mail, or that
 * have these conditions built in.
 */
const SELECTIVE = [
  'contacts_email',
  'messages_mail',
  'received_mails_message',
  'tickets_contact',
  'forms_closing',
  'audit_entries_consent',
  'tickets_assignee_open',
]

/** Tables of a row or a few in all, whoever the data are of; every row of a mailbox is a connection that is held open. */
const TINY = ['nodes', 'mailboxes', 'retention_runs', 'webhook_replays']

/** Indexes of what waits to be done, or to be forgotten: all of it is gone through. */
const WAITING = [
  'webhook_batches_queue',
  'audit_entries_unlinked',
  'notifications_given_up',
  'mailboxes_failing',
  'visitors_silent',
]

/**
 * The steps that take longer the more there is: reading a whole table, sorting what was read, and going through many
 * rows to find those with some value, for want of an index on it.
 */
export function slowSteps({ statement, steps }: Plan, tables: readonly string[]): string[] {
  return steps.filter((step) => {
    const [, verb, table, index] = /^(SCAN|SEARCH) (\S+)(?: USING (?:COVERING )?INDEX (\S+))?/.exec(step) ?? []
    if (!table || !tables.includes(table)) return step.startsWith('USE TEMP B-TREE')
    if (verb === 'SCAN') return !TINY.includes(table) && !WAITING.includes(index ?? '') && !takesFirst(statement)
    return !SMALL.includes(table) && !SELECTIVE.includes(index ?? '') && looksThroughMany(step, statement, table)
  })
}

/** Whether the statement wants the first rows of an order, whichever they are. */
function takesFirst(statement: string): boolean {
  return / limit \+\?$/.test(statement) && !/ where /i.test(statement)
}

/** Whether fewer values go into the search than the statement asks for, and neither a key nor a time narrows it. */
function looksThroughMany(step: string, statement: string, table: string): boolean {
  const asked = statement.matchAll(new RegExp(`"${table}"\\."(\\w+)" (?:=|in \\()`, 'g'))
  const columns = new Set([...asked].map(([, column]) => column))
  const used = step.match(/=\?/g)?.length ?? 0
  return used < columns.size && !/\b(id|rowid)=\?|updated_at[<>]\?/.test(step)
}
