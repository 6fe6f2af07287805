import type { OutgoingMail } from '../../channels/email/mailer.ts'
import { systemMail } from '../../channels/email/system/letter.ts'
import type { notifications } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { formRecordOf } from '../../forms/operations.ts'
import { html, type Markup, trustedHtml } from '../../lib/html/markup.ts'
import { htmlOfText } from '../../lib/html/sanitise.ts'
import { nameOfTenant } from '../../tenants/operations.ts'
import { subjectOf } from '../../tickets/thread/content.ts'
import { type ReadableResponse, readableResponse } from '../readable.ts'

/** A mail that is to be sent. */
export type DueMail = typeof notifications.$inferSelect

/** What a mail says of a response. */
interface Told extends ReadableResponse {
  title: string
  at: string
  link: string
}

/** The mail, with the response as it is now. Throws `not_found` when the form or the response is gone. */
export async function mailOf(deps: Pick<Deps, 'config' | 'database' | 'secrets'>, due: DueMail): Promise<OutgoingMail> {
  const { config, database } = deps
  const { db } = database
  const { tenantId, id, formId, responseId, address, createdAt } = due
  const form = await formRecordOf(db, tenantId, formId)
  const response = await readableResponse(db, tenantId, form, responseId)
  const link = `${config.baseUrl}/console/responses/${responseId}`
  const told: Told = { ...response, title: form.title, at: createdAt, link }
  return systemMail(
    deps,
    { kind: 'notification', id },
    {
      subject: subjectOf(`New response: ${form.title}`),
      text: textOf(told),
      html: htmlOf(told).text,
      fromName: await nameOfTenant(db, tenantId),
      to: { name: null, email: address },
      at: Date.parse(createdAt),
    },
  )
}

function textOf({ title, at, link, answers, hiddenFields, variables }: Told): string {
  const asked = answers.map(({ question, answer }) => `${question}\n${indented(answer)}`)
  const others = Object.entries({ ...hiddenFields, ...variables }).map(([name, value]) => `${name}: ${value}`)
  return [
    `A response to “${title}” came in on ${readable(at)}.`,
    ...asked,
    ...(others.length > 0 ? [others.join('\n')] : []),
    `Open it: ${link}`,
    '',
  ].join('\n\n')
}

function htmlOf({ title, at, link, answers, hiddenFields, variables }: Told): Markup {
  return html`<p>A response to “${title}” came in on ${readable(at)}.</p>
${answers.map(
  ({ question, answer }) => html`<p><strong>${question}</strong></p>
<blockquote>${trustedHtml(htmlOfText(answer))}</blockquote>
`,
)}${Object.entries({ ...hiddenFields, ...variables }).map(([name, value]) => html`<p>${name}: ${value}</p>\n`)}<p><a href="${link}">Open the response</a></p>
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
