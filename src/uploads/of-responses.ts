import { and } from 'drizzle-orm'
import { isOneOf, ofTenant, type Tx } from '../db/index.ts'
import { uploads } from '../db/schema.ts'
import type { FileName } from '../files/names.ts'

/* What becomes of uploads when the responses that use them go. `responseIds` is a JSON array. For the operations of responses. */

/** Deletes the uploads of responses. Returns the files, which the caller removes after the commit. */
export async function deleteUploadsOf(tx: Tx, tenantId: string, responseIds: string): Promise<FileName[]> {
  const gone = await tx
    .delete(uploads)
    .where(and(ofTenant(uploads, tenantId), isOneOf(tx, uploads.responseId, responseIds)))
    .returning({ id: uploads.id })
  return gone.map(({ id }) => ({ kind: 'uploads' as const, tenantId, id }))
}

/** Lets go of the uploads of responses, which then go as any that no response uses (`uploads/unused.ts`). */
export async function releaseUploadsOf(tx: Tx, tenantId: string, responseIds: string): Promise<void> {
  await tx
    .update(uploads)
    .set({ responseId: null })
    .where(and(ofTenant(uploads, tenantId), isOneOf(tx, uploads.responseId, responseIds)))
}
