import { and, eq } from 'drizzle-orm'
import type { Reader, Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { formFiles } from '../../db/schema.ts'
import { notFound } from '../../errors.ts'
import type { FormFileKind } from '../../kinds/form-files.ts'

/** A file of a form's look, as it is served. */
export interface FormFile {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Keeps a file of a form's look, or with null none. For `changeSettings`, which has checked it. */
export async function keepFile(
  tx: Tx,
  tenantId: string,
  formId: string,
  kind: FormFileKind,
  file: FormFile | null,
): Promise<void> {
  await tx.delete(formFiles).where(ofKind(tenantId, formId, kind))
  if (!file) return
  const content = Buffer.from(file.bytes).toString('base64')
  await tx.insert(formFiles).values({ tenantId, formId, kind, contentType: file.contentType, content })
}

/** A file of a form's look. Throws `not_found` for a form without one. */
export async function getFile(
  db: Reader,
  tenantId: string,
  formId: string,
  kind: FormFileKind,
): Promise<FormFile & { readonly bytes: Buffer<ArrayBuffer> }> {
  const [row] = await db
    .select({ contentType: formFiles.contentType, content: formFiles.content })
    .from(formFiles)
    .where(ofKind(tenantId, formId, kind))
  if (!row) throw notFound(kind)
  return { contentType: row.contentType, bytes: Buffer.from(row.content, 'base64') }
}

function ofKind(tenantId: string, formId: string, kind: FormFileKind) {
  return and(ofTenant(formFiles, tenantId), eq(formFiles.formId, formId), eq(formFiles.kind, kind))
}
