import { GIF } from 'image-size/types/gif'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'
import { invalid, rule } from '../../errors.ts'
import type { Picture } from './model.ts'

/** In bytes. */
export const MAX_PICTURE_SIZE = 1024 * 1024
/** A small file can hold a picture that takes gigabytes of a respondent's memory. */
const MAX_PIXELS = 16_000_000

/** What a picture may be, and the readers of their headers. */
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
export function readPicture(bytes: unknown, place: string): Picture {
  if (!(bytes instanceof Uint8Array)) throw invalid(place, rule('file'))
  if (bytes.length > MAX_PICTURE_SIZE) throw invalid(place, rule('too_large', { size: MAX_PICTURE_SIZE }))
  const picture = pictureOf(bytes)
  if (!picture) throw invalid(place, rule('picture'))
  const { contentType, width, height } = picture
  if (width * height > MAX_PIXELS) throw invalid(place, rule('megapixels', { width, height }))
  return { contentType, width, height, size: bytes.length, version: versionOf(bytes) }
}

/** Another one for other bytes, which nobody can guess who does not have them. */
export function versionOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 16)
}

/** What the header says; null for what is none of these formats, or broken off in it. */
function pictureOf(bytes: Uint8Array): Pick<Picture, 'contentType' | 'width' | 'height'> | null {
  try {
    const format = formats.find(({ reader }) => reader.validate(bytes))
    if (!format) return null
    const { width, height } = format.reader.calculate(bytes)
    return width >= 1 && height >= 1 ? { contentType: format.contentType, width, height } : null
  } catch {
    return null
  }
}
