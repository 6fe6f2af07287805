import { and, eq, gt, sql } from 'drizzle-orm'
import type { Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { idempotencyKeys } from '../../db/schema.ts'
import { refusal, rule } from '../../errors.ts'
import { formatTime } from '../../lib/time.ts'
import { isSealed, type Secrets } from '../../secrets/seal.ts'

/** decisions §1: how long an answer can be replayed, in milliseconds. */
const KEPT = 24 * 60 * 60 * 1000

/** A request that carries an Idempotency-Key. */
export interface IdempotentRequest {
  tenantId: string
  key: string
  /** Tells a retry from another request. */
  fingerprint: string
  /** Milliseconds since 1970. */
  at: number
  /** Whether its answer is kept sealed: respondents are answered with tokens that open their response. */
  isSealed: boolean
}

/** An answer as it is replayed. */
export type StoredAnswer = Pick<typeof idempotencyKeys.$inferSelect, 'status' | 'location' | 'body'>

/** What a sealed answer is bound to. */
function answerContext(tenantId: string, key: string): string {
  return `answer ${tenantId} ${key}`
}

/** The answer that was given under the request's key, or null. Throws `conflict` when that was another request. */
export async function findAnswer(tx: Tx, secrets: Secrets, request: IdempotentRequest): Promise<StoredAnswer | null> {
  const own = and(ofTenant(idempotencyKeys, request.tenantId), eq(idempotencyKeys.key, request.key))
  const [stored] = await tx
    .select()
    .from(idempotencyKeys)
    .where(and(own, gt(idempotencyKeys.expiresAt, formatTime(request.at))))
  if (!stored) {
    await tx.delete(idempotencyKeys).where(own)
    return null
  }
  if (stored.fingerprint !== request.fingerprint) {
    throw refusal('conflict', rule('idempotency_key_used'), {}, 'Idempotency-Key')
  }
  if (!isSealed(stored.body)) return stored
  return { ...stored, body: secrets.open(stored.body, answerContext(request.tenantId, request.key)) }
}

/** Keeps an answer for a day. */
export async function storeAnswer(
  tx: Tx,
  secrets: Secrets,
  { tenantId, key, fingerprint, at, isSealed }: IdempotentRequest,
  { status, location = null, body }: { status: number; location?: string | null; body: unknown },
): Promise<void> {
  const text = JSON.stringify(body) ?? ''
  await tx.insert(idempotencyKeys).values({
    tenantId,
    key,
    fingerprint,
    status,
    location,
    body: isSealed ? secrets.seal(text, answerContext(tenantId, key)) : text,
    expiresAt: formatTime(at + KEPT),
  })
}

/** Seals answers with resume tokens that an earlier version stored in clear text, of all tenants; returns how many. For a start alone. */
export async function sealClearAnswers(tx: Tx, secrets: Secrets): Promise<number> {
  const answers = await tx
    .select({ tenantId: idempotencyKeys.tenantId, key: idempotencyKeys.key, body: idempotencyKeys.body })
    .from(idempotencyKeys)
    .where(sql`${idempotencyKeys.body} LIKE '{%"resumeToken"%'`)
  for (const row of answers) {
    await tx
      .update(idempotencyKeys)
      .set({ body: secrets.seal(row.body, answerContext(row.tenantId, row.key)) })
      .where(and(ofTenant(idempotencyKeys, row.tenantId), eq(idempotencyKeys.key, row.key)))
  }
  return answers.length
}
