import { domainToASCII } from 'node:url'
import type { OutgoingMail } from '../channels/email/mailer.ts'
import type { Config } from '../config.ts'
import type { Reader } from '../db/index.ts'
import { formRecordOf } from '../forms/operations.ts'
import type { Inbox } from '../inboxes/model.ts'
import { listInboxes } from '../inboxes/operations.ts'
import { domainOf, isDomain } from '../lib/email.ts'
import { htmlOfText } from '../lib/html.ts'
import { html, type Markup, trustedHtml } from '../lib/markup.ts'
import { type ReadableResponse, readableResponse } from '../responses/readable.ts'
import { nameOfTenant } from '../tenants/operations.ts'
import { oneLine, subjectOf } from '../tickets/content.ts'

/** A mail that is to be sent. */
export interface DueMail {
  tenantId: string
  id: string
  formId: string
  responseId: string
  address: string
  createdAt: string
}

/** What a mail says of a response. */
interface Told extends ReadableResponse {
  title: string
  at: string
  link: string
}

/** The mail, with the response as it is now, from the installation of that id. Throws `not_found` when the form or the response is gone. */
export async function mailOf(
  db: Reader,
  { baseUrl }: Pick<Config, 'baseUrl'>,
  installationId: string,
  due: DueMail,
): Promise<OutgoingMail> {
  const { tenantId, id, formId, responseId, address, createdAt } = due
  const form = await formRecordOf(db, tenantId, formId)
  const response = await readableResponse(db, tenantId, form, responseId)
  const sender = await senderAddress(db, tenantId, baseUrl)
  const link = `${baseUrl}/console/responses/${responseId}`
  const told: Told = { ...response, title: form.title, at: createdAt, link }
  return {
    id,
    from: { name: oneLine(await nameOfTenant(db, tenantId)), address: sender },
    to: { name: '', address },
    subject: subjectOf(`New response: ${form.title}`),
    text: textOf(told),
    html: htmlOf(told).text,
    messageId: `<notification.${id}@${domainToASCII(domainOf(sender)) || 'localhost'}>`,
    references: [],
    installationId,
    at: Date.parse(createdAt),
    isAutomatic: true,
  }
}

/** The email inbox that a tenant's mails come from: its oldest one, or null. */
export async function senderInbox(db: Reader, tenantId: string): Promise<Inbox | null> {
  return (await listInboxes(db, tenantId)).findLast(({ emailAddress }) => emailAddress !== null) ?? null
}

/** The address of the sender's inbox, from which its mail server takes mail; without one, an address that nobody reads. */
export async function senderAddress(db: Reader, tenantId: string, baseUrl: string): Promise<string> {
  const inbox = await senderInbox(db, tenantId)
  const { hostname } = new URL(baseUrl)
  return inbox?.emailAddress ?? `no-reply@${isDomain(hostname) && !/\.\d+$/.test(hostname) ? hostname : 'localhost'}`
}

function textOf({ title, at, link, answers, hiddenFields }: Told): string {
  const asked = answers.map(({ question, answer }) => `${question}\n${indented(answer)}`)
  const hidden = Object.entries(hiddenFields).map(([name, value]) => `${name}: ${value}`)
  return [
    `A response to “${title}” came in on ${readable(at)}.`,
    ...asked,
    ...(hidden.length > 0 ? [hidden.join('\n')] : []),
    `Open it: ${link}`,
    '',
  ].join('\n\n')
}

function htmlOf({ title, at, link, answers, hiddenFields }: Told): Markup {
  return html`<p>A response to “${title}” came in on ${readable(at)}.</p>
${answers.map(
  ({ question, answer }) => html`<p><strong>${question}</strong></p>
<blockquote>${trustedHtml(htmlOfText(answer))}</blockquote>
`,
)}${Object.entries(hiddenFields).map(([name, value]) => html`<p>${name}: ${value}</p>\n`)}<p><a href="${link}">Open the response</a></p>
`
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}

/** `2026-03-01 09:00 UTC` */
function readable(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}
