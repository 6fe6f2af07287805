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
