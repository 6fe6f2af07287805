import type { Database } from '../db/index.ts'
import { secretKey } from '../db/schema.ts'
import { sealClearAnswers } from '../http/idempotency/stored-answers.ts'
import type { Secrets } from '../secrets/seal.ts'
import { sealClearSecrets } from '../webhooks/body/secret.ts'

/**
 * Makes a key the database's own, and seals with it what an earlier version stored in clear text: webhook secrets, and
 * answers with resume tokens. All in one transaction. Does nothing where another node was quicker. Returns whether there
 * was clear text: it has to be purged from the file, too.
 */
export function adopt({ transaction }: Database, fingerprint: string, secrets: Secrets): Promise<boolean> {
  return transaction(async (tx) => {
    const own = await tx.insert(secretKey).values({ id: 1, fingerprint }).onConflictDoNothing().returning()
    if (own.length === 0) return false
    const sealed = [await sealClearSecrets(tx, secrets), await sealClearAnswers(tx, secrets)]
    return sealed.some((count) => count > 0)
  })
}
