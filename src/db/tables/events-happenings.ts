import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Happening } from '../../kinds/rules.ts'
import { tenantId } from './tenants.ts'

/**
 * What has happened and rules have not been asked about, written in the transaction in which it happened, of tenants alone that
 * have a rule for it. A queue, as that of webhooks is, and for the same reason: whoever works on it takes out what it has read.
 */
export const happeningQueue = sqliteTable('happening_queue', {
  number: integer('number').primaryKey({ autoIncrement: true }),
  tenantId: tenantId(),
  happening: text('happening').$type<Happening>().notNull(),
  /** The ticket, response or contact. */
  recordId: text('record_id').notNull(),
  messageId: text('message_id'),
  at: text('at').notNull(),
  /** How many rules led to it; 0: a person or a customer did it. */
  depth: integer('depth').notNull(),
  /** The only rule that it is for; null: all. */
  ruleId: text('rule_id'),
  /** How often working on it has failed. */
  attempts: integer('attempts').notNull().default(0),
})
