import type { Headers } from '@zone-eu/mailsplit'
import { normaliseEmail } from '../../../lib/input/email.ts'
import {
  computedIdOf,
  type MailAddress,
  type ParsedMail,
  type ParseResult,
  type UnreadableMail,
} from '../parsed-mail.ts'
import { readBody } from './body.ts'
import { bounceOf } from './bounce.ts'
import { fit } from './fitting.ts'
import { forwardedIn } from './forwarded.ts'
import { addressesOf, dateOf, formOf, isAutomatic, mailIdOf, referencesOf, senderOf, textHeader } from './headers.ts'
import { newTextOf } from './new-text.ts'
import { type Part, splitParts } from './parts.ts'
import { tracesIn } from './traces.ts'
import { Unreadable } from './unreadable.ts'

/** What is known of a mail before its body is looked at. */
export type MailHead = Omit<UnreadableMail, 'unreadable'>

/**
 * Reads a mail. For the worker: what a sender wrote decides how long it takes. `onHead` is told first what helps to
 * recognise the mail if reading it does not end.
 */
export async function readMail(raw: Buffer, onHead: (head: MailHead) => void): Promise<ParseResult> {
  const found = tracesIn(raw)
  const traces = found.proofs.length + found.links.length > 0 ? { traces: found } : {}
  let head: MailHead = { from: null, subject: null, mailId: null, ...traces }
  let split: Awaited<ReturnType<typeof splitParts>> | undefined
  try {
    split = await splitParts(raw, (headers) => {
      head = { ...head, ...headOf(headers), ...(head.traces && { isAutomatic: isAutomatic(headers) }) }
      onHead(head)
    })
    return { mail: { ...(await mailOf(split, raw)), ...traces } }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    // Servers that report to us are not always careful with who they are.
    const bounce = split && head.traces ? { bounce: bounceOf(split.root, '') } : {}
    return { unreadable: error.message, ...head, ...bounce }
  }
}

function headOf(headers: Headers) {
  return {
    from: textHeader(headers, 'From') || null,
    subject: textHeader(headers, 'Subject') || null,
    mailId: mailIdOf(headers),
  }
}

async function mailOf({ root, isCut }: { root: Part; isCut: boolean }, raw: Buffer): Promise<ParsedMail> {
  const { headers } = root
  const from = senderOf(headers)
  const { attachments, holdsMore, ...words } = readBody(root)
  const forms = fit(words)
  const newText = newTextOf(forms)
  const forwarded = await forwardedIn(root, forms, attachments)
  const form = formOf(headers)
  return {
    mailId: mailIdOf(headers) ?? computedId(headers, raw),
    from,
    replyTo: replyToOf(headers, from),
    to: addressesOf(headers, 'To'),
    cc: addressesOf(headers, 'Cc'),
    subject: textHeader(headers, 'Subject'),
    date: dateOf(headers),
    references: referencesOf(headers),
    ...forms,
    newText,
    attachments,
    holdsMore: holdsMore || isCut,
    isAutomatic: isAutomatic(headers),
    isFromFrontdesk: textHeader(headers, 'X-Frontdesk') || null,
    bounce: bounceOf(root, forms.text ?? newText),
    ...(forwarded && { forwarded }),
    ...(form && { form }),
  }
}

function replyToOf(headers: Headers, from: MailAddress): MailAddress | null {
  const [replyTo] = addressesOf(headers, 'Reply-To')
  return replyTo && normaliseEmail(replyTo.address) !== normaliseEmail(from.address) ? replyTo : null
}

/** Of what the sender wrote, not of what servers on the way added: the same mail by another way has the same id. */
function computedId(headers: Headers, raw: Buffer): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const name of ['From', 'To', 'Cc', 'Date', 'Subject']) hash.update(`${headers.get(name).join('\n')}\n`)
  hash.update(bodyOf(raw))
  return computedIdOf(hash.digest('hex'))
}

function bodyOf(raw: Buffer): Buffer {
  const ends = [raw.indexOf('\r\n\r\n'), raw.indexOf('\n\n')].filter((at) => at !== -1)
  return raw.subarray(ends.length === 0 ? 0 : Math.min(...ends))
}
