import {
  answerText,
  type ContactDetails,
  type ContactFieldName,
  contactFieldLabel,
  type NumberedQuestion,
} from '../../../forms/question-types/index.ts'
import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { writeMoney, writeSize } from '../../../lib/language/amounts.ts'
import { definitions } from '../../components/display.ts'
import type { View } from '../../visit.ts'

/** The value of an answer as people read it; of files, links to them. */
export function answerMarkup(view: View, question: NumberedQuestion, value: unknown): Markup {
  switch (question.type) {
    case 'file_upload':
      return html`<ul class="files">${(value as SentFile[]).map((file) => html`<li>${slotOf(question, file)}${fileLink(view, file)}</li>`)}</ul>`
    case 'signature': {
      const { url } = value as { url: string }
      const path = view.href(uploadPath(url))
      return html`<a href="${path}" download><img class="signature" src="${path}" alt="${view.wording.say('responseSignature')}"></a>`
    }
    case 'contact_details':
      return definitions(contactPairs(question, value as ContactDetails))
    case 'payment':
      return html`<p>${paymentText(view, value as Payment)}</p>`
    case 'nps':
      return html`<p>${outOf(view, value as number, 10)}</p>`
    case 'star_rating':
      return html`<p>${outOf(view, value as number, question.settings.maxStars)}</p>`
    case 'numeric':
      return html`<p>${view.wording.write(value as number)}</p>`
    default:
      return html`<p class="said" dir="auto">${answerText(question, value)}</p>`
  }
}

interface SentFile {
  slot: number
  fileName: string
  size: number
  url: string
}

interface Payment {
  amount: number | null
  currency: string | null
  status: 'pending' | 'paid' | 'not_due'
}

function slotOf(question: NumberedQuestion, { slot }: SentFile): Insert {
  const slots = question.type === 'file_upload' ? question.settings.fileUploadSlots : []
  return slots.length > 1 && html`<span class="slot">${slots[slot] ?? slot}</span> `
}

function fileLink(view: View, { fileName, size, url }: SentFile): Markup {
  return html`<a href="${view.href(uploadPath(url))}" download>${fileName}</a> <small>${writeSize(size, view.wording.locale)}</small>`
}

/** Answers name the file's place in the API, which takes keys alone; the console has one of its own. */
export function uploadPath(url: string): string {
  return `/console/uploads/${url.slice(url.lastIndexOf('/') + 1)}`
}

function contactPairs(question: NumberedQuestion, given: ContactDetails): [string, string | null][] {
  const labels = new Map(
    question.type === 'contact_details'
      ? question.settings.contactFields.map(({ field, label }) => [field, label])
      : [],
  )
  return (Object.entries(given) as [ContactFieldName, string | null][]).map(([field, text]) => [
    labels.get(field) ?? contactFieldLabel(field),
    text,
  ])
}

function paymentText({ wording }: View, { amount, currency, status }: Payment): string {
  const state = wording.say(
    ({ pending: 'paymentPending', paid: 'paymentPaid', not_due: 'paymentNotDue' } as const)[status],
  )
  if (amount === null || currency === null) return state
  return `${writeMoney(amount, currency, wording.locale)} · ${state}`
}

function outOf({ wording }: View, value: number, max: number): string {
  return wording.say('responseOutOf', { value, max })
}
