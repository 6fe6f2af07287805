import { and, asc, eq } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import type { Config } from '../config.ts'
import { ofTenant, type Reader, type Tx } from '../db/index.ts'
import { formRequests, messages } from '../db/schema.ts'
import { invalid, refusal, rule } from '../errors.ts'
import { isCollecting } from '../forms/closing.ts'
import { formRecordOf } from '../forms/operations.ts'
import { html } from '../lib/html/markup.ts'
import { normaliseEmail } from '../lib/input/email.ts'
import type { Channels } from '../ports/channel.ts'
import type { Secrets } from '../secrets/seal.ts'
import { getTenantSettings } from '../tenants/operations.ts'
import { isOurs } from '../tickets/automatic/answering.ts'
import { type TicketRow, ticketRowOf } from '../tickets/read.ts'
import { sendComposed } from '../tickets/replies/composed-replies.ts'
import { contentOf } from '../tickets/thread/content.ts'
import { isRated } from './rating.ts'
import { TICKET_TOKEN, ticketToken } from './token.ts'
import { satisfactionWordsOf } from './words.ts'

/** What it takes to send a form. */
export interface AskingDeps {
  readonly channels: Channels
  readonly secrets: Pick<Secrets, 'mac'>
  readonly config: Pick<Config, 'baseUrl'>
}

/**
 * Sends a ticket's customer a form in a reply on the ticket's own channel, once a ticket: what they answer belongs to it, and
 * rates it (decisions §19). An agent's mail can be taken back for ten seconds; other callers' goes at once, marked as
 * automatic. For people, and for the action `send_form` of rules. Returns the id of the message. Throws `not_found` for the
 * ticket, `invalid_request` for a form that is not there or does not collect, `conflict` where the customer was asked before,
 * `unprocessable` for spam, for what a program wrote, and for a ticket that cannot be answered.
 */
export async function sendForm(
  tx: Tx,
  caller: Caller,
  deps: AskingDeps,
  ticketId: string,
  formId: string,
): Promise<string> {
  const { tenantId, at } = caller
  const ticket = await ticketRowOf(tx, tenantId, ticketId)
  await requireAskable(tx, tenantId, ticket)
  const form = await formRecordOf(tx, tenantId, formId).catch(() => null)
  if (!form || !isCollecting(form, at)) throw invalid('form', rule('form_not_collecting'))
  const language = form.settings.language ?? (await getTenantSettings(tx, tenantId)).language ?? 'en'
  const { ask } = satisfactionWordsOf(language)
  const token = ticketToken(deps.secrets, { tenantId, ticketId: ticket.id, formId: form.id })
  const address = `${deps.config.baseUrl}/f/${form.launchCode}?${TICKET_TOKEN}=${token}`
  const content = contentOf({
    html: html`<p>${ask}</p><p><a href="${address}">${form.title}</a></p>`.text,
    text: `${ask}\n\n${address}`,
  })
  const messageId = await sendComposed(tx, caller, deps.channels, ticket.id, content)
  await tx.insert(formRequests).values({ tenantId, messageId, formId: form.id })
  return messageId
}

/** Nothing is asked twice, and nothing of spam or of programs. */
async function requireAskable(tx: Tx, tenantId: string, ticket: TicketRow): Promise<void> {
  if (ticket.status === 'spam') throw refusal('unprocessable', rule('spam_is_not_asked'))
  const { requesterEmail } = ticket
  const isMachine = requesterEmail !== null && (await isOurs(tx, tenantId, normaliseEmail(requesterEmail)))
  if (isMachine || (await isByProgram(tx, tenantId, ticket.id))) {
    throw refusal('unprocessable', rule('program_is_not_asked'))
  }
  const isAsked = (await requestOf(tx, tenantId, ticket.id)) !== null || (await isRated(tx, tenantId, ticket.id))
  if (isAsked) throw refusal('conflict', rule('asked_already'))
}

/** Whether a program wrote what opened the ticket. */
async function isByProgram(db: Reader, tenantId: string, ticketId: string): Promise<boolean> {
  const [first] = await db
    .select({ isAutomatic: messages.isAutomatic })
    .from(messages)
    .where(
      and(
        ofTenant(messages, tenantId),
        eq(messages.ticketId, ticketId),
        eq(messages.state, 'public'),
        eq(messages.direction, 'inbound'),
      ),
    )
    .orderBy(asc(messages.id))
    .limit(1)
  return first?.isAutomatic ?? false
}

/** That a ticket's customer was sent a form. */
export interface FormRequest {
  readonly messageId: string
  readonly formId: string
  readonly askedAt: string
}

/** How a ticket's customer was asked; null where they were not, or where it failed or came back. */
export async function requestOf(db: Reader, tenantId: string, ticketId: string): Promise<FormRequest | null> {
  const requests = await db
    .select({
      messageId: formRequests.messageId,
      formId: formRequests.formId,
      askedAt: messages.createdAt,
      state: messages.state,
      error: messages.error,
    })
    .from(formRequests)
    .innerJoin(messages, and(eq(messages.tenantId, formRequests.tenantId), eq(messages.id, formRequests.messageId)))
    .where(and(ofTenant(messages, tenantId), eq(messages.ticketId, ticketId)))
  // One that was put off is tried again.
  const standing = requests.find(({ state, error }) => state === 'pending' || (state !== 'failed' && error === null))
  return standing ?? null
}
