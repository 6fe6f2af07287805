import { isNotNull } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { promiseKinds } from '../../kinds/promises.ts'
import type { Trigger } from '../../kinds/rules.ts'
import { createdAt, updatedAt } from './columns.ts'
import { promiseClocks } from './promises.ts'
import { tenantId } from './tenants.ts'
import { messages, tickets } from './tickets.ts'

/** What companies have done by itself (decisions §17). */
export const rules = sqliteTable(
  'rules',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /** By which runs know it: short, and never given again. */
    number: integer('number').notNull(),
    /** Its place among the tenant's rules: the lower, the earlier. */
    position: integer('position').notNull(),
    name: text('name').notNull(),
    trigger: text('trigger').$type<Trigger>().notNull(),
    /** In milliseconds, of what goes by the clock: after how long, or how long before. */
    span: integer('span'),
    /** JSON, as it was given; null: always. */
    conditions: text('conditions'),
    /** JSON, as it was given. */
    actions: text('actions').notNull(),
    enabled: integer('enabled', { mode: 'boolean' }).notNull(),
    /** The user who is told when it is switched off; null where a command made it. */
    makerId: text('maker_id'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    uniqueIndex('rules_number').on(t.tenantId, t.number),
    index('rules_trigger').on(t.trigger, t.enabled),
  ],
)

/** Rules whose last run could not do all of it. Apart, so that what every event reads stays as it is. */
export const ruleFailures = sqliteTable(
  'rule_failures',
  {
    tenantId: tenantId(),
    ruleId: text('rule_id').notNull(),
    /** In a row. */
    count: integer('count').notNull(),
    error: text('error').notNull(),
    failedAt: text('failed_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ruleId] }),
    foreignKey({ columns: [t.tenantId, t.ruleId], foreignColumns: [rules.tenantId, rules.id] }).onDelete('cascade'),
  ],
)

/** What a rule did about an event. The newest 500 of each rule are kept. */
export const ruleRuns = sqliteTable(
  'rule_runs',
  {
    tenantId: tenantId(),
    ruleId: text('rule_id').notNull(),
    /** The event's number: a rule sees each once. */
    number: integer('number').notNull(),
    trigger: text('trigger').$type<Trigger>().notNull(),
    recordId: text('record_id').notNull(),
    /** JSON: `[{do, ok, error}]`. */
    actions: text('actions').notNull(),
    at: text('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ruleId, t.number] }),
    foreignKey({ columns: [t.tenantId, t.ruleId], foreignColumns: [rules.tenantId, rules.id] }).onDelete('cascade'),
    index('rule_runs_record').on(t.tenantId, t.recordId, t.ruleId, t.number),
  ],
)

/** Which rules an event was none for, all in one row: the newest 500 events of each kind are kept. */
export const ruleMisses = sqliteTable(
  'rule_misses',
  {
    tenantId: tenantId(),
    trigger: text('trigger').$type<Trigger>().notNull(),
    number: integer('number').notNull(),
    recordId: text('record_id').notNull(),
    /** JSON: the numbers of rules, by the place of the condition that failed first. */
    failed: text('failed').notNull(),
    at: text('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.trigger, t.number] })],
)

/** When a customer will have waited for so long as a rule says. Once a wait. */
export const ruleWaits = sqliteTable(
  'rule_waits',
  {
    tenantId: tenantId(),
    ruleId: text('rule_id').notNull(),
    ticketId: text('ticket_id').notNull(),
    /** Since when they wait: another wait is another matter. */
    since: text('since').notNull(),
    dueAt: text('due_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ruleId, t.ticketId] }),
    foreignKey({ columns: [t.tenantId, t.ruleId], foreignColumns: [rules.tenantId, rules.id] }).onDelete('cascade'),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }).onDelete(
      'cascade',
    ),
    index('rule_waits_due').on(t.dueAt),
  ],
)

/** Of which promises a rule was told that they are due soon: once a promise. */
export const ruleDues = sqliteTable(
  'rule_dues',
  {
    tenantId: tenantId(),
    ruleId: text('rule_id').notNull(),
    ticketId: text('ticket_id').notNull(),
    kind: text('kind', { enum: promiseKinds }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ruleId, t.ticketId, t.kind] }),
    foreignKey({ columns: [t.tenantId, t.ruleId], foreignColumns: [rules.tenantId, rules.id] }).onDelete('cascade'),
    foreignKey({
      columns: [t.tenantId, t.ticketId, t.kind],
      foreignColumns: [promiseClocks.tenantId, promiseClocks.ticketId, promiseClocks.kind],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('rule_dues_promise').on(t.tenantId, t.ticketId, t.kind),
  ],
)

/** Answers that rules have given, so that each is given once a ticket and day. */
export const ruleReplies = sqliteTable(
  'rule_replies',
  {
    tenantId: tenantId(),
    messageId: text('message_id').notNull(),
    ruleId: text('rule_id').notNull(),
    ticketId: text('ticket_id').notNull(),
    /** How many rules led to it. */
    depth: integer('depth').notNull(),
    /** Whether it asks the customer to fill in a form: that is no answer. */
    isForm: integer('is_form', { mode: 'boolean' }).notNull(),
    at: text('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.messageId] }),
    foreignKey({ columns: [t.tenantId, t.messageId], foreignColumns: [messages.tenantId, messages.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('rule_replies_ticket').on(t.tenantId, t.ticketId, t.ruleId, t.at),
  ],
)

/** Mails of rules to colleagues, and about rules to who made them, until they are sent. */
export const ruleMails = sqliteTable(
  'rule_mails',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    address: text('address').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When it is tried next; null once it has been given up. */
    dueAt: text('due_at'),
    /** Why the last attempt failed. */
    error: text('error'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] }), index('rule_mails_due').on(t.dueAt).where(isNotNull(t.dueAt))],
)
