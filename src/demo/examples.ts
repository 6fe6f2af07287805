import { listArticles } from '../articles/operations.ts'
import { listSources } from '../articles/sources.ts'
import { listContacts } from '../contacts/read.ts'
import type { Reader } from '../db/index.ts'
import type { Form } from '../forms/model.ts'
import { getForm, listForms } from '../forms/operations.ts'
import { questionsOf } from '../forms/pages.ts'
import { sampleAnswer } from '../forms/question-types/index.ts'
import { listGroups } from '../groups/operations.ts'
import { listConversations } from '../livechat/read.ts'
import { listOrganisations } from '../organisations/operations.ts'
import type { Examples } from '../ports/examples.ts'
import { listResponses } from '../responses/lists/of-form.ts'
import { listTickets } from '../tickets/read.ts'
import { listMessages } from '../tickets/thread/public-thread.ts'
import { allColleagues } from '../users/colleagues.ts'
import { findVisitor } from '../visitors/operations.ts'
import { listDeliveries } from '../webhooks/history/history.ts'
import { listWebhooks } from '../webhooks/operations.ts'
import type { Guest } from './secrets.ts'

const PAGE = { cursor: undefined, limit: 100 }

/**
 * Records of the tenant as they are now, for "Try it out", and what `guest` holds as far as it is still good. What the
 * tenant has none of is left out.
 */
export async function findExamples(db: Reader, tenantId: string, guest: Guest | null): Promise<Examples> {
  const [contact] = (await listContacts(db, tenantId, PAGE, {})).items
  const [organisation] = (await listOrganisations(db, tenantId, PAGE, {})).items
  const [group] = await listGroups(db, tenantId)
  const ticket = (await listTickets(db, tenantId, PAGE, {})).items.find(({ channel }) => channel === 'email')
  const chat = guest && (await openConversation(db, guest))
  const sources = await listSources(db, tenantId)
  const source = sources.find(({ id }) => id === chat?.sourceId) ?? sources[0]
  const [article] = source ? (await listArticles(db, tenantId, source.id, PAGE, undefined)).items : []
  const [webhook] = await listWebhooks(db, tenantId)
  const [delivery] = webhook ? (await listDeliveries(db, tenantId, webhook.id, PAGE, 'delivered')).items : []
  const form = await exampleForm(db, tenantId)
  const [colleague] = await allColleagues(db, tenantId)
  const begun = guest && form && (await openResponse(db, tenantId, guest, form))
  return {
    ids: known({
      contacts: contact?.id,
      organisations: organisation?.id,
      groups: group && String(group.id),
      tickets: ticket?.id,
      attachments:
        (chat && (await attachmentOf(db, tenantId, chat.conversationId))) ?? (await findAttachment(db, tenantId)),
      sources: source?.id,
      chat: source?.id,
      articles: article?.slug,
      webhooks: webhook?.id,
      deliveries: delivery?.id,
      forms: form?.id,
      f: form?.launchCode,
      responses: begun?.responseId ?? (form && (await listResponses(db, tenantId, form.id, PAGE, {})).items[0]?.id),
      conversations: chat?.conversationId,
      uploads: await findUpload(db, tenantId),
      workspace_id: form?.workspaceId,
      inbox_id: ticket?.teamInboxId,
      contact_id: ticket?.contactId,
      form_id: form?.id,
    }),
    bodies: {
      ...(form ? bodiesFor(form, begun?.resumeToken ?? 'as beginning it gave') : {}),
      ...(colleague ? { setTicketAssignee: { userId: colleague.id } } : {}),
    },
    visitorToken: chat?.visitorToken ?? null,
  }
}

/** The form that "Try it out" is filled in with: the oldest that collects, and takes files if there is such a one. */
export async function exampleForm(db: Reader, tenantId: string): Promise<Form | undefined> {
  const forms = await collectingForms(db, tenantId)
  return forms.findLast(takesFiles) ?? forms.at(-1)
}

/** What the guest holds, where their response can still be gone on with. */
async function openResponse(db: Reader, tenantId: string, guest: Guest, form: Form): Promise<Guest | null> {
  if (guest.formId !== form.id) return null
  const { items } = await listResponses(db, tenantId, form.id, PAGE, { status: 'partial' })
  return items.some(({ id }) => id === guest.responseId) ? guest : null
}

/** What the guest holds, where their conversation is still there. */
async function openConversation(db: Reader, guest: Guest): Promise<Guest | null> {
  const visitor = await findVisitor(db, guest.sourceId, guest.visitorToken)
  if (!visitor) return null
  return (await listConversations(db, visitor)).some(({ id }) => id === guest.conversationId) ? guest : null
}

/** The oldest form that collects: the one with the most answers. */
export async function collectingForm(db: Reader, tenantId: string): Promise<Form | undefined> {
  return (await collectingForms(db, tenantId)).at(-1)
}

/** The oldest source: that of the help centre, and of the chat on the demo's site. */
export async function helpSource(db: Reader, tenantId: string): Promise<string | null> {
  return (await listSources(db, tenantId)).at(-1)?.id ?? null
}

async function collectingForms(db: Reader, tenantId: string): Promise<Form[]> {
  const { items } = await listForms(db, tenantId, PAGE, {})
  const collecting = items.filter(({ status, publishedAt }) => status === 'active' && publishedAt !== null)
  return Promise.all(collecting.map(({ id }) => getForm(db, tenantId, id)))
}

function takesFiles({ pages }: Form): boolean {
  return pages.some(({ questions }) => questions.some(({ type }) => type === 'file_upload'))
}

/** A file that somebody sent: answers name it by its address. */
async function findUpload(db: Reader, tenantId: string): Promise<string | undefined> {
  for (const { id } of (await listForms(db, tenantId, PAGE, {})).items) {
    const { items } = await listResponses(db, tenantId, id, PAGE, {})
    const found = /"\/v1\/uploads\/([^"]+)"/.exec(JSON.stringify(items))
    if (found) return found[1]
  }
  return undefined
}

/** A file of the latest that came with a message. */
async function findAttachment(db: Reader, tenantId: string): Promise<string | undefined> {
  for (const { id } of (await listTickets(db, tenantId, PAGE, {})).items) {
    const attachment = await attachmentOf(db, tenantId, id)
    if (attachment) return attachment
  }
  return undefined
}

async function attachmentOf(db: Reader, tenantId: string, ticketId: string): Promise<string | undefined> {
  const { items } = await listMessages(db, tenantId, ticketId, PAGE)
  return items.flatMap(({ attachments }) => attachments)[0]?.id
}

/** A respondent who begins, and goes on with the token that beginning gave. */
function bodiesFor(form: Form, resumeToken: string): Examples['bodies'] {
  return {
    beginResponse: { answers: firstAnswers(form), complete: false },
    continueResponse: { answers: answersTo(form).slice(1), complete: false, resumeToken },
    payResponse: { resumeToken },
    mailResponseLink: { resumeToken, email: 'noor@guests.example' },
  }
}

/** What a respondent says who begins a response to it. */
export function firstAnswers(form: Form) {
  return answersTo(form).slice(0, 1)
}

function answersTo({ pages }: Form) {
  return questionsOf(pages).flatMap((question) => {
    const value = sampleAnswer(question, () => 0.5)
    return value === null ? [] : [{ questionId: question.id, value }]
  })
}

function known(ids: Record<string, string | null | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(ids).filter((entry): entry is [string, string] => Boolean(entry[1])))
}
