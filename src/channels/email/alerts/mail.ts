import { and, desc, eq, inArray } from 'drizzle-orm'
import type { MailClaim, WaitingAlert } from '../../../alerts/mails.ts'
import { ofTenant, type Reader } from '../../../db/index.ts'
import { messages } from '../../../db/schema.ts'
import type { Deps } from '../../../deps.ts'
import { findInbox, oldestEmailInbox } from '../../../inboxes/operations.ts'
import { withDirections } from '../../../lib/html/direction.ts'
import { html, type Markup, trustedHtml } from '../../../lib/html/markup.ts'
import { htmlOfText } from '../../../lib/html/sanitise.ts'
import { cut } from '../../../lib/text/one-line.ts'
import { nameOfTenant } from '../../../tenants/operations.ts'
import { alertAddress } from '../../../tickets/addressing/reply-address.ts'
import { referenceOf, ticketRowOf } from '../../../tickets/read.ts'
import { subjectOf } from '../../../tickets/thread/content.ts'
import { activePeople } from '../../../users/colleagues.ts'
import type { OutgoingMail } from '../mailer.ts'
import { systemMail } from '../system/letter.ts'
import { type AlertWords, alertWordsOf, MARKS } from './words.ts'

/** What was written that one mail repeats, and how much of each, in characters. */
const MOST_MESSAGES = 10
const MOST_TEXT = 5_000
/** Tickets that a mail about many lists. */
const MOST_LISTED = 50

type MailDeps = Pick<Deps, 'config' | 'database' | 'secrets'>

/** What a mail says, in both forms, and where answers go. */
interface Letter {
  subject: string
  text: string
  html: string
  replyTo: string | null
}

/** The mail that tells somebody of their alerts, which are at least one; null once they are not there any more. */
export async function alertMailOf(
  deps: MailDeps,
  { tenantId, userId }: MailClaim,
  told: readonly WaitingAlert[],
  at: number,
): Promise<OutgoingMail | null> {
  const { db } = deps.database
  const person = (await activePeople(db, tenantId)).get(userId)
  const [first] = told
  if (!person || !first) return null
  const words = alertWordsOf(person.language)
  const byTicket = Map.groupBy(told, ({ ticketId }) => ticketId)
  const isOne = byTicket.size === 1
  const letter = isOne ? await oneTicket(deps, tenantId, told, words) : manyTickets(deps, [...byTicket.values()], words)
  return systemMail(
    deps,
    { kind: 'alert', id: first.id },
    { ...letter, html: withDirections(letter.html), fromName: await nameOfTenant(db, tenantId), to: person, at },
  )
}

async function oneTicket(
  deps: MailDeps,
  tenantId: string,
  told: readonly WaitingAlert[],
  words: AlertWords,
): Promise<Letter> {
  const { db } = deps.database
  const last = told.at(-1) as WaitingAlert
  const { ticketId, sequentialNumber } = last
  const said = await whatWasSaid(db, tenantId, told)
  const inboxAddress = await addressOf(db, tenantId, ticketId)
  const ticket = { tenantId, id: ticketId, sequentialNumber }
  const replyTo = inboxAddress && alertAddress(deps.secrets, ticket, last.number, inboxAddress)
  const name = referenceOf(sequentialNumber)
  const happened = [...new Set(told.map((alert) => happenedTo(alert, said, words)))]
  const above = replyTo ? MARKS.join(` ${words.answerAbove} `) : null
  const link = `${deps.config.baseUrl}/console/tickets/${ticketId}`
  const parts = said.map(({ author, text }) => ({ author: words.wrote(author), text: cut(text.trim(), MOST_TEXT) }))
  return {
    replyTo,
    subject: subjectOf(`[${name}] ${happened.at(-1)}: ${last.subject}`),
    text: [
      ...(above ? [above] : []),
      `${name} ${last.subject}`,
      happened.map((one) => `${one}.`).join('\n'),
      ...parts.map(({ author, text }) => `${author}\n${indented(text)}`),
      `${words.open}: ${link}`,
      choice(deps, words),
    ].join('\n\n'),
    html: html`${above && html`<p>${above}</p>\n`}<p><strong>${name}</strong> ${last.subject}</p>
${happened.map((one) => html`<p>${one}.</p>\n`)}${parts.map(
  ({ author, text }) => html`<p><strong>${author}</strong></p>
<blockquote>${trustedHtml(htmlOfText(text))}</blockquote>
`,
)}<p><a href="${link}">${words.open}</a></p>
${choiceHtml(deps, words)}`.text,
  }
}

function manyTickets(deps: MailDeps, tickets: readonly (readonly WaitingAlert[])[], words: AlertWords): Letter {
  const listed = tickets.slice(0, MOST_LISTED).map((told) => {
    const { ticketId, sequentialNumber, subject } = told[0] as WaitingAlert
    return {
      link: `${deps.config.baseUrl}/console/tickets/${ticketId}`,
      title: `${referenceOf(sequentialNumber)} ${subject}`,
      happened: [...new Set(told.map((alert) => happenedTo(alert, [], words)))].join(', '),
    }
  })
  const left = tickets.length - listed.length
  const more = left > 0 ? words.more(left) : null
  const inbox = `${deps.config.baseUrl}/console/inbox`
  const intro = words.introOfList(tickets.length)
  return {
    replyTo: null,
    subject: words.subjectOfList(tickets.length),
    text: [
      intro,
      listed.map(({ title, happened, link }) => `${title}\n  ${happened}\n  ${link}`).join('\n\n'),
      ...(more ? [more] : []),
      `${words.openInbox}: ${inbox}`,
      choice(deps, words),
    ].join('\n\n'),
    html: html`<p>${intro}</p>
<ul>
${listed.map(({ title, happened, link }) => html`<li><a href="${link}">${title}</a><br>${happened}</li>\n`)}</ul>
${more && html`<p>${more}</p>\n`}<p><a href="${inbox}">${words.openInbox}</a></p>
${choiceHtml(deps, words)}`.text,
  }
}

interface Said {
  readonly id: string
  readonly author: string
  readonly text: string
}

/** What was written, and where that is nothing, what the customer wrote last. */
async function whatWasSaid(db: Reader, tenantId: string, told: readonly WaitingAlert[]): Promise<Said[]> {
  const ids = [...new Set(told.map(({ messageId }) => messageId).filter((id) => id !== null))].slice(-MOST_MESSAGES)
  const { id, authorName, fromAddress, text } = messages
  const select = db.select({ id, authorName, fromAddress, text }).from(messages)
  const ofTicket = and(
    eq(messages.ticketId, told[0]?.ticketId as string),
    eq(messages.state, 'public'),
    eq(messages.direction, 'inbound'),
  )
  const rows =
    ids.length > 0
      ? await select.where(and(ofTenant(messages, tenantId), inArray(messages.id, ids))).orderBy(messages.id)
      : await select
          .where(and(ofTenant(messages, tenantId), ofTicket))
          .orderBy(desc(messages.id))
          .limit(1)
  return rows.map((row) => ({ id: row.id, author: row.authorName ?? row.fromAddress ?? '?', text: row.text }))
}

function happenedTo({ kind, byName, messageId }: WaitingAlert, said: readonly Said[], words: AlertWords): string {
  const customer = said.find(({ id }) => id === messageId)?.author ?? null
  return words.happened[kind]({ by: byName, customer })
}

/** Of the inbox that the ticket is in; of a chat, whose has none, the tenant's oldest email inbox. Null: there is none in use. */
async function addressOf(db: Reader, tenantId: string, ticketId: string): Promise<string | null> {
  const { inboxId } = await ticketRowOf(db, tenantId, ticketId)
  const inbox = await findInbox(db, tenantId, inboxId)
  if (inbox?.emailAddress && inbox.archivedAt === null) return inbox.emailAddress
  return (await oldestEmailInbox(db, tenantId))?.emailAddress ?? null
}

const choicePath = ({ config }: MailDeps) => `${config.baseUrl}/console/account#alerts`
const choice = (deps: MailDeps, words: AlertWords) => `-- \n${words.choose}: ${choicePath(deps)}\n`
const choiceHtml = (deps: MailDeps, words: AlertWords): Markup =>
  html`<p><small><a href="${choicePath(deps)}">${words.choose}</a></small></p>
`

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}
