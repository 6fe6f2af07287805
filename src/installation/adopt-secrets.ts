import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { idempotencyKeys, secretKey, webhooks } from '../db/schema.ts'
import { answerContext } from '../http/stored-answers.ts'
import type { Secrets } from '../secrets/seal.ts'
import { webhookContext } from '../webhooks/body/secret.ts'

/**
 * Makes a key the database's own, and seals with it what an earlier version stored in clear text: webhook secrets, and
 * answers with resume tokens. All in one transaction. Does nothing where another node was quicker. Returns whether there
 * was clear text: it has to be purged from the file, too.
 */
export function adopt({ transaction }: Database, fingerprint: string, secrets: Secrets): Promise<boolean> {
  return transaction(async (tx) => {
    const own = await tx.insert(secretKey).values({ id: 1, fingerprint }).onConflictDoNothing().returning()
    if (own.length === 0) return false
    const { tenantId, id, secret } = webhooks
    const clear = await tx.select({ tenantId, id, secret }).from(webhooks).where(isNotNull(secret))
    for (const row of clear) {
      const sealedSecret = secrets.seal(row.secret as string, webhookContext(row.tenantId, row.id))
      await tx
        .update(webhooks)
        .set({ secret: null, sealedSecret })
        .where(and(eq(tenantId, row.tenantId), eq(id, row.id)))
    }
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
    return clear.length + answers.length > 0
  })
}
