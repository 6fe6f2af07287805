import type { OutgoingFile } from '../../ports/channel.ts'
import type { MailPart } from './mailer.ts'

/** An image of sanitised HTML: attributes are in double quotes, and hold neither these nor brackets. */
const IMAGE = /(<img [^<>]*?\bsrc=")([^"]*)"/g
const DATA = /^data:(image\/[a-z]+);base64,([a-z0-9+/]+=*)$/i
const ATTACHMENT = /^\/v1\/attachments\/([0-9a-f-]{36})$/

/**
 * Makes a mail's HTML show its images wherever it is read: those written into it (`data:`) and those that are files of the
 * message (`/v1/attachments/{id}`) become parts of the mail, named by `cid:`. The other files follow as they are. `id`
 * names the message. For HTML that was sanitised.
 */
export function inlineImages(
  html: string,
  files: readonly OutgoingFile[],
  id: string,
): { html: string; parts: MailPart[] } {
  const shown = new Map<string, MailPart>()
  const inline = (src: string, part: Omit<MailPart, 'contentId'>) => {
    const known = shown.get(src) ?? { ...part, contentId: `${shown.size + 1}.${id}@frontdesk` }
    shown.set(src, known)
    return `cid:${known.contentId}`
  }
  const placed = html.replace(IMAGE, (image, before: string, src: string) => {
    const part = writtenOut(src) ?? fileOf(src, files)
    return part ? `${before}${inline(src, part)}"` : image
  })
  const rest = files.filter((file) => !shown.has(`/v1/attachments/${file.id}`))
  return { html: placed, parts: [...shown.values(), ...rest.map((file) => ({ ...file, contentId: null }))] }
}

function writtenOut(src: string): Omit<MailPart, 'contentId'> | null {
  const [, contentType, base64] = DATA.exec(src) ?? []
  if (!contentType || !base64) return null
  const type = contentType.toLowerCase()
  return { fileName: `image.${type.slice('image/'.length)}`, contentType: type, content: Buffer.from(base64, 'base64') }
}

function fileOf(src: string, files: readonly OutgoingFile[]): OutgoingFile | null {
  const id = ATTACHMENT.exec(src)?.[1]
  return files.find((file) => file.id === id && file.contentType.startsWith('image/')) ?? null
}
