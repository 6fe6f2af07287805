import { isNotNull, isNull } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { reportKinds } from '../../kinds/reports.ts'
import { createdAt } from './columns.ts'
import { inboxes } from './inboxes.ts'
import { teams } from './teams.ts'
import { tenantId } from './tenants.ts'
import { tickets } from './tickets.ts'
import { users } from './users.ts'

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

/** Reports that somebody gets by mail: each time, `dueAt` goes on to the next morning. */
export const reportMails = sqliteTable(
  'report_mails',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    kind: text('kind', { enum: reportKinds }).notNull(),
    /** Of these tickets alone; null: of all. */
    inboxId: text('inbox_id'),
    teamId: text('team_id'),
    /** Of one that is being sent: when that counts as interrupted. */
    dueAt: text('due_at'),
    attempts: integer('attempts').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }).onDelete('cascade'),
    foreignKey({ columns: [t.tenantId, t.inboxId], foreignColumns: [inboxes.tenantId, inboxes.id] }).onDelete(
      'cascade',
    ),
    foreignKey({ columns: [t.tenantId, t.teamId], foreignColumns: [teams.tenantId, teams.id] }).onDelete('cascade'),
    index('report_mails_due').on(t.dueAt).where(isNotNull(t.dueAt)),
    index('report_mails_user').on(t.tenantId, t.userId),
    index('report_mails_inbox').on(t.tenantId, t.inboxId).where(isNotNull(t.inboxId)),
    index('report_mails_team').on(t.tenantId, t.teamId).where(isNotNull(t.teamId)),
  ],
)
