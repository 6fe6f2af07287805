import { sql } from 'drizzle-orm'
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { afterDone } from '../../kinds/people.ts'
import { createdAt } from './columns.ts'
import { tenantId } from './tenants.ts'

export const users = sqliteTable(
  'users',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /** Trimmed and lower-cased; people sign in with it. */
    email: text('email').notNull(),
    /** How customers read who answered; null: by the part of the address before its @. */
    name: text('name'),
    role: text('role', { enum: ['admin', 'agent'] }).notNull(),
    /** Sanitised HTML below the mails they write. */
    signature: text('signature'),
    /** Billable users can own forms. */
    billable: integer('billable', { mode: 'boolean' }).notNull(),
    /** BCP 47: of the console; null for the tenant's. */
    language: text('language'),
    /** Whether they are away: no team hands them a ticket by itself. */
    away: integer('away', { mode: 'boolean' }).notNull().default(false),
    /** Whether single keys do things in the console. */
    usesShortcuts: integer('uses_shortcuts', { mode: 'boolean' }).notNull().default(true),
    /** Where the console leads them from a ticket that they have answered or closed. */
    afterDone: text('after_done', { enum: afterDone }).notNull().default('next'),
    /** Something that no password has, for those who have not chosen one yet. */
    passwordHash: text('password_hash').notNull(),
    /** Sealed: what an authenticator app and we compute codes from. Null: there is no second factor of that kind. */
    totpSecret: text('totp_secret'),
    /** The time step of the last code that was taken: none is taken twice. */
    totpStep: integer('totp_step'),
    /** Salted, slow hashes of codes that stand in for the app, each once; SHA-256 where an earlier version made them. */
    recoveryCodes: text('recovery_codes', { mode: 'json' }).$type<string[]>(),
    /** Whom the identity provider of that issuer calls so: both from the first sign-in by it on, else null. */
    providerIssuer: text('provider_issuer'),
    providerSubject: text('provider_subject'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    uniqueIndex('users_provider').on(t.providerIssuer, t.providerSubject),
    uniqueIndex('users_email').on(t.email, t.tenantId),
    // An address signs in to one tenant. Several may invite it, and none of them learns of the others.
    uniqueIndex('users_sign_in').on(t.email).where(sql`password_hash <> '-'`),
  ],
)
