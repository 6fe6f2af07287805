import { foreignKey, index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { distributions } from '../../kinds/teams.ts'
import { createdAt } from './columns.ts'
import { tenantId } from './tenants.ts'
import { users } from './users.ts'

/** People whom a ticket can be handed to together. */
export const teams = sqliteTable(
  'teams',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** Lower-cased: no two teams differ in case alone. */
    comparableName: text('comparable_name').notNull(),
    distribution: text('distribution', { enum: distributions }).notNull(),
    /** Who got a ticket last, of those who get them in turn. */
    lastChosenId: text('last_chosen_id'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] }), uniqueIndex('teams_name').on(t.tenantId, t.comparableName)],
)

export const teamMembers = sqliteTable(
  'team_members',
  { tenantId: tenantId(), teamId: text('team_id').notNull(), userId: text('user_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.teamId, t.userId] }),
    foreignKey({ columns: [t.tenantId, t.teamId], foreignColumns: [teams.tenantId, teams.id] }).onDelete('cascade'),
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }).onDelete('cascade'),
    index('team_members_user').on(t.tenantId, t.userId),
  ],
)
