import addressparser from 'nodemailer/lib/addressparser'
import { AppError, RuleError } from '../../../errors.ts'
import { type Markup, trustedHtml } from '../../../lib/html/markup.ts'
import { readFields, readString } from '../../../lib/input/read.ts'
import { writeSize } from '../../../lib/language/amounts.ts'
import { placesOf, storeAttachment } from '../../../tickets/attachments/operations.ts'
import type { Ticket } from '../../../tickets/model.ts'
import { getTicket } from '../../../tickets/read.ts'
import { contentOf } from '../../../tickets/thread/content.ts'
import { type Draft, type DraftInput, saveDraft } from '../../../tickets/writing/drafts.ts'
import type { FormFields } from '../../form-fields.ts'
import { Refusal, refuse } from '../../refusal.ts'
import { sayRule } from '../../rules.ts'
import type { Again, View, Visit } from '../../visit.ts'
import { writtenHtml } from '../message/written.ts'

/** decisions §13: what one mail may bring along, and room for what else a form holds, in bytes. */
export const MAX_FILES = 25 * 1024 * 1024
export const MAX_ANSWER_FORM = MAX_FILES + 2 * 1024 * 1024
/** What a script may send of a field, in characters; operations say what may be kept. */
export const MAX_TYPED = 1024 * 1024
/** Files that are taken of one form. */
const MOST_FILES = 50

/**
 * What a form says that answers a ticket, its files stored. Refuses, beside the field, files that cannot be taken. Whatever
 * becomes of it then, it is to be kept (`keepAnswer`).
 */
export async function readAnswer(visit: Visit, ticket: Ticket, sent: FormFields): Promise<DraftInput> {
  const { say } = visit.wording
  if (sent.files('files').length > 0 && ticket.channel === 'messaging') throw refuse(say('answerFilesNot'), 'files')
  return readWritten(visit, sent)
}

/** As `readAnswer`, of what goes out as a mail. */
export async function readWritten(visit: Visit, sent: FormFields): Promise<DraftInput> {
  const { say } = visit.wording
  const files = sent.files('files')
  if (files.length > MOST_FILES) throw refuse(say('answerFilesTooMany'), 'files')
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_FILES) throw tooLarge(visit)
  const added = []
  for (const { name, type, stream } of files.map((file) => ({ ...named(file), stream: () => file.stream() }))) {
    added.push(await storeAttachment(visit.deps.files, visit.caller, { fileName: name, contentType: type }, stream()))
  }
  return {
    ...writtenContent(visit, sent),
    recipients: recipientsOf(sent),
    bcc: addressesOf(sent.text('bcc')),
    added,
    removed: sent.texts('remove'),
  }
}

/** Keeps an answer as what the reader is writing in a ticket. Refuses, beside the field, what cannot be kept. */
export async function keepAnswer(visit: Visit, ticket: Ticket, input: DraftInput): Promise<Draft | null> {
  return beside(visit, input, () => visit.change((tx, caller) => saveDraft(tx, caller, ticket.id, input)))
}

/** Keeps what is being written, as a script sends it now and then. Throws as `saveDraft`. */
export async function draftCall(visit: Visit, body: unknown): Promise<object> {
  const { id } = await getTicket(visit.db, visit.principal.tenantId, visit.params.id as string)
  const sent = readFields(body, ['html', 'to', 'cc', 'bcc', 'offered'], 'body')
  const typed = (field: 'to' | 'cc' | 'bcc' | 'offered') => {
    const value = sent[field]
    return value === null ? '' : readString(value, MAX_TYPED, field)
  }
  const input = {
    html: storedImages(visit, readString(sent.html, MAX_TYPED, 'html')),
    recipients: typedRecipients(typed('to'), typed('cc'), typed('offered')),
    bcc: addressesOf(typed('bcc')),
  }
  const draft = await visit.change((tx, caller) => saveDraft(tx, caller, id, input))
  return { isKept: draft !== null }
}

const named = ({ name, type }: File) => ({ name, type })

/** What was written: HTML where the editor runs, else text. */
function writtenContent(visit: Visit, sent: FormFields): Pick<DraftInput, 'html' | 'text'> {
  if (sent.has('html')) return { html: storedImages(visit, sent.exact('html')) }
  const text = sent.text('answer')
  return { html: writtenHtml(text), text }
}

/** The editor shows the draft's images by the console's own route; operations know them by their Content-Ids. */
export function storedImages(view: View, html: string): string {
  const route = view.href('/console/attachments/')
  return html.replaceAll(`src="${route}`, 'src="cid:')
}

/**
 * What the editor begins with: what was sent and could not be taken, or what is kept. Null where that is plain text, or
 * too long to be shown as anything else.
 */
export function editedHtml(view: View, again: Again | undefined, draft: Draft | null): Markup | null {
  const html = again ? refusedHtml(view, again.form, draft) : (draft?.html ?? null)
  return html === null
    ? null
    : trustedHtml(html.replaceAll('src="/v1/attachments/', `src="${view.href('/console/attachments/')}`))
}

function refusedHtml(view: View, form: FormFields, draft: Draft | null): string | null {
  if (!form.has('html')) return null
  try {
    return contentOf({ html: storedImages(view, form.exact('html')) }, placesOf(draft?.attachments ?? [])).html
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** What the form offers as whom an answer goes to: unless that was changed, the thread says it. */
export function offeredOf({ to, cc }: { to: readonly string[]; cc: readonly string[] }): string {
  return `${to.join(', ')}|${cc.join(', ')}`
}

function typedRecipients(to: string, cc: string, offered: string): DraftInput['recipients'] {
  return `${to}|${cc}` === offered ? null : { to: addressesOf(to), cc: addressesOf(cc) }
}

/** Whom a form says that an answer goes to; null where it leaves that as it was offered. */
export function recipientsOf(sent: FormFields): DraftInput['recipients'] {
  return sent.has('cc') ? typedRecipients(sent.text('to'), sent.text('cc'), sent.text('offered')) : null
}

/** The addresses of a field, with commas, semicolons or lines between them, names before them or not. */
export function addressesOf(text: string): string[] {
  const found = addressparser(text.replace(/[;\n]+/g, ','), { flatten: true })
  // What is no address is kept, to be refused by its name.
  return found.map(({ address, name }) => address || name || '').filter(Boolean)
}

/** What operations refuse of an answer, to these people, beside the field of the form that it is about. */
export async function beside<T>(
  visit: Visit,
  named: Pick<DraftInput, 'recipients' | 'bcc'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RuleError)) throw error
    if (error.code === 'too_large') throw tooLarge(visit)
    const { say } = visit.wording
    const [, place, index] = /^(html|text|to|cc|bcc)(?:\[(\d+)\])?$/.exec(error.place) ?? []
    if (error.code !== 'invalid_request' || !place) throw error
    const said = sayRule(visit.wording, error.rule)
    if (place !== 'to' && place !== 'cc' && place !== 'bcc') throw refuse(said, 'answer')
    const addresses = place === 'bcc' ? named.bcc : named.recipients?.[place]
    const address = addresses?.[Number(index)] ?? ''
    throw refuse(error.rule.key === 'email_length' ? say('copyWrong', { address }) : said, place)
  }
}

function tooLarge(visit: Visit): Refusal {
  const text = visit.wording.say('answerFilesTooLarge', { size: writeSize(MAX_FILES, visit.wording.locale) })
  return new Refusal({ field: 'files', text }, 413)
}
