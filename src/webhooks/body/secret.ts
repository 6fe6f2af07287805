import { and, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '../../db/index.ts'
import { webhooks } from '../../db/schema.ts'
import type { Secrets } from '../../secrets/seal.ts'

/** What the sealed secret of a subscription is bound to. */
export function webhookContext(tenantId: string, webhookId: string): string {
  return `webhook secret ${tenantId} ${webhookId}`
}

/** The secret that deliveries of a subscription are signed with, or null where it has none. */
export function openSecret(
  secrets: Secrets,
  { tenantId, webhookId, sealedSecret }: { tenantId: string; webhookId: string; sealedSecret: string | null },
): string | null {
  return sealedSecret === null ? null : secrets.open(sealedSecret, webhookContext(tenantId, webhookId))
}

/** Seals the secrets that an earlier version stored in clear text, of all tenants; returns how many. For a start alone. */
export async function sealClearSecrets(tx: Tx, secrets: Secrets): Promise<number> {
  const { tenantId, id, secret } = webhooks
  const clear = await tx.select({ tenantId, id, secret }).from(webhooks).where(isNotNull(secret))
  for (const row of clear) {
    const sealedSecret = secrets.seal(row.secret as string, webhookContext(row.tenantId, row.id))
    await tx
      .update(webhooks)
      .set({ secret: null, sealedSecret })
      .where(and(eq(tenantId, row.tenantId), eq(id, row.id)))
  }
  return clear.length
}
