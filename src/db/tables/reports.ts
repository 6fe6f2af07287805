import { isNotNull, isNull } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tenantId } from './tenants.ts'
import { tickets } from './tickets.ts'

/**
 * What reports count of a ticket, so that none of its messages has to be read for them. Made from the ticket and its messages
 * (`reports/figures.ts`), and can be made again; but for working time, which stays what it was when it was decided.
 */
export const ticketFigures = sqliteTable(
  'ticket_figures',
  {
    tenantId: tenantId(),
    ticketId: text('ticket_id').notNull(),
    /** Whether it counts: not spam, not merged into another, and somebody has got something of it. */
    isCounted: integer('is_counted', { mode: 'boolean' }).notNull(),
    /** In milliseconds since 1970: reports add up tens of thousands of these. */
    openedAt: integer('opened_at').notNull(),
    inboxId: text('inbox_id').notNull(),
    teamId: text('team_id'),
    assigneeId: text('assignee_id'),
    firstAnsweredAt: text('first_answered_at'),
    closedAt: text('closed_at'),
    /** In milliseconds from when it was opened: elapsed, and of those the ones in which people work. */
    firstAnswerTime: integer('first_answer_time'),
    firstAnswerWorkingTime: integer('first_answer_working_time'),
    closeTime: integer('close_time'),
    closeWorkingTime: integer('close_working_time'),
    /** How many answers each user wrote, by their ids; null for none. */
    answers: text('answers'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ticketId] }),
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }).onDelete(
      'cascade',
    ),
    index('ticket_figures_closed').on(t.tenantId, t.closedAt).where(isNotNull(t.closedAt)),
    index('ticket_figures_open').on(t.tenantId, t.isCounted).where(isNull(t.closedAt)),
  ],
)
