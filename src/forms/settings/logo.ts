import { and, eq } from 'drizzle-orm'
import { GIF } from 'image-size/types/gif'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import type { Reader, Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { formLogos } from '../../db/schema.ts'
import { invalid, notFound, rule } from '../../errors.ts'
import type { Logo } from './model.ts'

/** In bytes. */
export const MAX_LOGO_SIZE = 1024 * 1024
/** A small file can hold a picture that takes gigabytes of a respondent's memory. */
const MAX_PIXELS = 16_000_000

/** What a logo may be, and the readers of their headers. */
const formats = [
  { contentType: 'image/png', reader: PNG },
  { contentType: 'image/jpeg', reader: JPG },
  { contentType: 'image/gif', reader: GIF },
  { contentType: 'image/webp', reader: WEBP },
]

/**
 * What there is to know of a picture, by its first bytes: whatever a file is called, only what is a raster image may be
 * shown. SVG is a document that can hold scripts. Throws `invalid_request`.
 */
export function readLogo(bytes: unknown, place = 'logo'): Logo {
  if (!(bytes instanceof Uint8Array)) throw invalid(place, rule('file'))
  if (bytes.length > MAX_LOGO_SIZE) throw invalid(place, rule('too_large', { size: MAX_LOGO_SIZE }))
  const picture = pictureOf(bytes)
  if (!picture) throw invalid(place, rule('picture'))
  const { contentType, width, height } = picture
  if (width * height > MAX_PIXELS) throw invalid(place, rule('megapixels', { width, height }))
  const version = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 16)
  return { contentType, width, height, size: bytes.length, version }
}

/** What the header says; null for what is none of these formats, or broken off in it. */
function pictureOf(bytes: Uint8Array): Pick<Logo, 'contentType' | 'width' | 'height'> | null {
  try {
    const format = formats.find(({ reader }) => reader.validate(bytes))
    if (!format) return null
    const { width, height } = format.reader.calculate(bytes)
    return width >= 1 && height >= 1 ? { contentType: format.contentType, width, height } : null
  } catch {
    return null
  }
}

/** Keeps a form's logo, or with null none. For `changeSettings`. */
export async function keepLogo(
  tx: Tx,
  tenantId: string,
  formId: string,
  logo: { contentType: string; bytes: Uint8Array } | null,
) {
  const own = and(ofTenant(formLogos, tenantId), eq(formLogos.formId, formId))
  await tx.delete(formLogos).where(own)
  if (!logo) return
  const content = Buffer.from(logo.bytes).toString('base64')
  await tx.insert(formLogos).values({ tenantId, formId, contentType: logo.contentType, content })
}

/** The picture at the head of a form's pages. Throws `not_found` for a form without one. */
export async function getLogo(
  db: Reader,
  tenantId: string,
  formId: string,
): Promise<{ contentType: string; bytes: Buffer<ArrayBuffer> }> {
  const [row] = await db
    .select({ contentType: formLogos.contentType, content: formLogos.content })
    .from(formLogos)
    .where(and(ofTenant(formLogos, tenantId), eq(formLogos.formId, formId)))
  if (!row) throw notFound('logo')
  return { contentType: row.contentType, bytes: Buffer.from(row.content, 'base64') }
}
