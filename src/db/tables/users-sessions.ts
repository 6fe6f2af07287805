import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { signInMethods } from '../../kinds/sign-in.ts'
import { createdAt } from './columns.ts'
import { tenantId } from './tenants.ts'
import { users } from './users.ts'

/** Browsers that somebody is signed in with (decisions §14). */
export const sessions = sqliteTable(
  'sessions',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    /** SHA-256 of the token that the cookie holds: 256 random bits need no slow hash. */
    tokenHash: text('token_hash').notNull(),
    createdAt: createdAt(),
    lastSeenAt: text('last_seen_at').notNull(),
    /** When it ends unless it is used before. */
    expiresAt: text('expires_at').notNull(),
    /** Where it was begun from. */
    address: text('address'),
    userAgent: text('user_agent'),
    /** How they showed who they are; null where an earlier version began it. */
    method: text('method', { enum: signInMethods }),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }),
    uniqueIndex('sessions_token').on(t.tokenHash),
    index('sessions_user').on(t.tenantId, t.userId),
    index('sessions_expires').on(t.expiresAt),
  ],
)

/** What is sent by mail to let somebody choose a password: invitations, and resets. */
export const passwordLinks = sqliteTable(
  'password_links',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    /** SHA-256 of the token in the link. */
    tokenHash: text('token_hash').notNull(),
    purpose: text('purpose', { enum: ['invitation', 'reset'] }).notNull(),
    expiresAt: text('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // A new one takes the place of the one before.
    primaryKey({ columns: [t.tenantId, t.userId] }),
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }),
    uniqueIndex('password_links_token').on(t.tokenHash),
    index('password_links_expires').on(t.expiresAt),
  ],
)

/** Mails to people about their accounts, each for a while: whose they are, and what came back (decisions §14). */
export const accountMails = sqliteTable(
  'account_mails',
  {
    tenantId: tenantId(),
    /** In its Message-ID (channels/email/system/naming.ts). */
    id: text('id').notNull(),
    /** Who may be gone: what they were sent still counts. */
    userId: text('user_id').notNull(),
    purpose: text('purpose', { enum: ['invitation', 'reset'] }).notNull(),
    createdAt: createdAt(),
    /** When it came back, unless another one was sent since, and what the mail server said. */
    returnedAt: text('returned_at'),
    error: text('error'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    uniqueIndex('account_mails_id').on(t.id),
    index('account_mails_user').on(t.tenantId, t.userId, t.id),
    index('account_mails_created').on(t.createdAt),
  ],
)

/** Public keys of authenticators that people sign in with instead of a password (WebAuthn). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    tenantId: tenantId(),
    /** The credential's, as WebAuthn writes it: Base64url. */
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    /** COSE, in Base64url. */
    publicKey: text('public_key').notNull(),
    /** Of signatures, as far as the authenticator counts them. */
    counter: integer('counter').notNull(),
    transports: text('transports', { mode: 'json' }).$type<string[]>().notNull(),
    createdAt: createdAt(),
    lastUsedAt: text('last_used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }),
    uniqueIndex('passkeys_id').on(t.id),
    index('passkeys_user').on(t.tenantId, t.userId),
  ],
)
