import type { Reader } from '../../db/index.ts'
import { inboxesOf } from '../../inboxes/recipient.ts'
import { html, trustedHtml } from '../../lib/html/markup.ts'
import { oneLine } from '../../lib/text/one-line.ts'
import type { Message } from '../model.ts'
import type { Content } from '../thread/content.ts'

/** What stands above a message that is forwarded. */
interface QuoteWords {
  readonly title: string
  readonly from: string
  readonly date: string
  readonly subject: string
  readonly to: string
}

const en: QuoteWords = { title: 'Forwarded message', from: 'From', date: 'Date', subject: 'Subject', to: 'To' }
const lists: Readonly<Record<string, QuoteWords>> = {
  en,
  de: { title: 'Weitergeleitete Nachricht', from: 'Von', date: 'Datum', subject: 'Betreff', to: 'An' },
  fr: { title: 'Message transféré', from: 'De', date: 'Date', subject: 'Objet', to: 'À' },
  es: { title: 'Mensaje reenviado', from: 'De', date: 'Fecha', subject: 'Asunto', to: 'Para' },
  it: { title: 'Messaggio inoltrato', from: 'Da', date: 'Data', subject: 'Oggetto', to: 'A' },
  nl: { title: 'Doorgestuurd bericht', from: 'Van', date: 'Datum', subject: 'Onderwerp', to: 'Aan' },
  pl: { title: 'Przekazana wiadomość', from: 'Od', date: 'Data', subject: 'Temat', to: 'Do' },
  pt: { title: 'Mensagem encaminhada', from: 'De', date: 'Data', subject: 'Assunto', to: 'Para' },
}

/** Whoever has it can write to the customer's conversation, or as an agent: it stays with whom it was made for. */
const REPLY_TOKEN = /\+(?:t\.[0-9a-z]{1,11}|a\.[0-9a-z]{1,11}\.[0-9a-z]{1,11}\.)[a-z2-7]{16}(?=@)/gi

/** Of a message that is forwarded: who wrote it, as its readers saw, and which of its files come along. */
interface Quoting {
  readonly language: string | null
  readonly writer: string | null
  readonly carried: readonly { readonly id: string }[]
}

/**
 * A message below what somebody writes who forwards it, under its headers, as mail programs do it. Nothing of it proves to
 * anybody that they belong to the conversation, and an image that does not come along is its description.
 */
export async function quoteOf(
  db: Reader,
  tenantId: string,
  message: Message,
  { language, writer, carried }: Quoting,
): Promise<Content> {
  const words = lists[language ?? 'en'] ?? lists[(language ?? 'en').split('-')[0] as string] ?? en
  const shown = async (addresses: readonly string[]) => {
    const own = await Promise.all(addresses.map((address) => inboxesOf(db, address)))
    return addresses.map((address, i) => (own[i]?.tenantId === tenantId ? own[i].emailAddress : address)).join(', ')
  }
  const { from, to, cc, subject, createdAt } = message
  const date = new Intl.DateTimeFormat(language ?? 'en', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })
  const headers = [
    [words.from, writer === null ? (from ?? '') : `${oneLine(writer)} <${from ?? ''}>`],
    [words.date, `${date.format(new Date(createdAt))} UTC`],
    [words.subject, subject ?? ''],
    [words.to, await shown(to)],
    ['Cc', await shown(cc)],
  ].filter(([, value]) => value !== '') as [string, string][]
  const title = `---------- ${words.title} ----------`
  const kept = new Set(carried.map(({ id }) => id))
  return {
    html: html`<div><br />${title}<br />${headers.map(([name, value]) => html`<b>${name}:</b> ${value}<br />`)}<br /></div><div>${trustedHtml(withImages(message.html, kept).replace(REPLY_TOKEN, ''))}</div>`
      .text,
    text: `${title}\n${headers.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${message.text.replace(REPLY_TOKEN, '')}`,
  }
}

/** Of HTML that was sanitised, which writes every tag in one way. */
function withImages(content: string, kept: ReadonlySet<string>): string {
  return content.replace(/<img\b[^>]*>/g, (tag) => {
    const id = /\ssrc="\/v1\/attachments\/([0-9a-f-]{36})"/.exec(tag)?.[1]
    if (id === undefined || kept.has(id)) return tag
    return /\salt="([^"]*)"/.exec(tag)?.[1] ?? ''
  })
}
