import { AppError } from '../../../errors.ts'
import type { Files } from '../../../files/files.ts'
import { cut } from '../../../lib/text/one-line.ts'
import { type NewAttachment, storeAttachment } from '../../../tickets/attachments/operations.ts'
import { type Content, contentOf } from '../../../tickets/thread/content.ts'
import type { IncomingMail } from '../incoming-mail.ts'
import type { ParsedAttachment, ParsedMail } from '../parsed-mail.ts'

/** Files of one mail that are written at once. */
const AT_ONCE = 8
/** Characters of a text whose HTML is never too long, whatever it holds. */
const ALWAYS_FITS = 64 * 1024

/** What a message is made of, ready for the transaction that adds it. */
export interface MailParts {
  content: Content
  attachments: NewAttachment[]
}

/** Stores a mail's attachments and makes its text safe, its images in place. Throws `unavailable`. */
export async function storeParts(files: Files, mail: IncomingMail, parsed: ParsedMail): Promise<MailParts> {
  const attachments: NewAttachment[] = []
  for (let at = 0; at < parsed.attachments.length; at += AT_ONCE) {
    const some = parsed.attachments.slice(at, at + AT_ONCE)
    attachments.push(...(await Promise.all(some.map((attachment) => store(files, mail, attachment)))))
  }
  return { content: safeContent(parsed, placesOf(parsed.attachments, attachments)), attachments }
}

function store(files: Files, mail: IncomingMail, { content, ...named }: ParsedAttachment): Promise<NewAttachment> {
  const of = { tenantId: mail.inbox.tenantId, at: mail.at }
  return storeAttachment(files, of, named, new Blob([content as Uint8Array<ArrayBuffer>]).stream())
}

/** Where the parts with a Content-Id lie; of several with the same one the first counts. */
function placesOf(parsed: readonly ParsedAttachment[], stored: readonly NewAttachment[]): Map<string, string> {
  const places = parsed.map(({ contentId }, i) => [contentId ?? '', `/v1/attachments/${stored[i]?.id}`] as const)
  return new Map(places.filter(([contentId]) => contentId !== '').reverse())
}

/** The HTML where it is not longer, once it is safe, than a message may be (decisions §1); else the text, as far as it fits. */
function safeContent({ html, text, newText }: ParsedMail, images: ReadonlyMap<string, string>): Content {
  const plain = text?.trim() ? text : newText
  const attempts = [{ html, text }, { text: plain }, { text: cut(plain, ALWAYS_FITS) }]
  for (const attempt of attempts) {
    try {
      return contentOf(attempt, images)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  throw new Error('a short text was too long')
}
