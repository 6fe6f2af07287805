import { foreignKey, index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { tokenKinds } from '../../kinds/oauth.ts'
import { createdAt } from './columns.ts'
import { tenantId } from './tenants.ts'
import { users } from './users.ts'

/** What people let programs do in their name (OAuth 2.1, decisions §23): the code first, then what it was exchanged for. */
export const oauthGrants = sqliteTable(
  'oauth_grants',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    /** The browser it was allowed in: it ends when they sign out there. That session may have ended by itself. */
    sessionId: text('session_id').notNull(),
    /** SHA-256 of the id that the program registered with, which holds all of its registration. */
    clientHash: text('client_hash').notNull(),
    /** What it calls itself. */
    clientName: text('client_name').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    scopes: text('scopes', { mode: 'json' }).$type<string[]>().notNull(),
    codeHash: text('code_hash').notNull(),
    codeChallenge: text('code_challenge').notNull(),
    codeExpiresAt: text('code_expires_at').notNull(),
    codeUsedAt: text('code_used_at'),
    createdAt: createdAt(),
    lastUsedAt: text('last_used_at'),
    /** When it ends unless its tokens are renewed before. */
    expiresAt: text('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }),
    uniqueIndex('oauth_grants_code').on(t.codeHash),
    index('oauth_grants_user').on(t.tenantId, t.userId),
    index('oauth_grants_expires').on(t.expiresAt),
  ],
)

/** Tokens of grants. A refresh token that was used stays until it would have ended: who uses it again has stolen it, or lost it. */
export const oauthTokens = sqliteTable(
  'oauth_tokens',
  {
    tenantId: tenantId(),
    /** SHA-256 of the token: 256 random bits need no slow hash. */
    hash: text('hash').notNull(),
    grantId: text('grant_id').notNull(),
    kind: text('kind', { enum: tokenKinds }).notNull(),
    expiresAt: text('expires_at').notNull(),
    spentAt: text('spent_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.hash] }),
    foreignKey({ columns: [t.tenantId, t.grantId], foreignColumns: [oauthGrants.tenantId, oauthGrants.id] }),
    uniqueIndex('oauth_tokens_hash').on(t.hash),
    index('oauth_tokens_grant').on(t.tenantId, t.grantId),
    index('oauth_tokens_expires').on(t.expiresAt),
  ],
)
