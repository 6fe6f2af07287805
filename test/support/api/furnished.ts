import { createCustomField, setCustomValue } from '../../../src/contacts/fields/custom-fields.ts'
import { webhookAttempts, webhookBatches, webhookLists } from '../../../src/db/schema.ts'
import { questionTypeNames } from '../../../src/forms/question-types/index.ts'
import { newId } from '../../../src/lib/ids.ts'
import { formatTime } from '../../../src/lib/time.ts'
import { createTeam } from '../../../src/teams/operations.ts'
import { addNote } from '../../../src/tickets/thread/notes.ts'
import type { TestTenant } from '../app.ts'
import { createTestSource } from '../chat/articles.ts'
import { answersByType, complete, createPublished } from '../forms/collecting.ts'
import { createTestUpload } from '../forms/hosted.ts'
import { questionBody } from '../forms/questions.ts'
import { rawMail } from '../mail/mails.ts'
import { createEmailInbox, createTestAttachment, createTicket } from '../tickets/tickets.ts'
import { createTestContact, createTestGroup, createTestOrganisation } from './contacts.ts'
import type { PathIds } from './routes.ts'

/** A tenant with one of everything that the API can show, and where it is. */
export interface Furnished {
  tenant: TestTenant
  /** For paths: by the word before the id. */
  ids: PathIds
  /** For body fields and filters that name something: by the field's name. */
  references: Readonly<Record<string, string | number>>
}

/** Of the one contact, who also answers the form and asks for help. */
const EMAIL = 'grace@furnished.test'

/** Fills a tenant. Names nothing that the document's examples would conflict with. */
export async function furnish(tenant: TestTenant): Promise<Furnished> {
  const organisation = await createTestOrganisation(tenant, { domain: 'furnished.test' })
  const group = await createTestGroup(tenant)
  const contact = await createTestContact(tenant, {
    email: EMAIL,
    name: 'Grace',
    lastName: 'Hopper',
    phone: '+1 555 0100',
    organisationId: organisation.id,
    groupIds: [group.id],
  })
  await tenant.perform(async (tx, caller) => {
    const field = await createCustomField(tx, caller, { name: 'Plan' })
    await setCustomValue(tx, caller, { contactId: contact.id, fieldId: field.id, value: { stringValue: 'pro' } })
  })
  const form = await createPublished(
    tenant,
    questionTypeNames.map((type) => questionBody(type, type === 'payment' ? { amount: 3000, currency: 'EUR' } : {})),
  )
  const { response } = await complete(
    tenant,
    form,
    questionTypeNames.map((type) => (type === 'contact_details' ? { email: EMAIL } : answersByType[type].sent)),
  )
  const inbox = await createEmailInbox(tenant, { emailAddress: `help@${tenant.tenantId}.test` })
  for (const length of [10, 100_000]) {
    const raw = rawMail({
      from: 'Mail <mail@furnished.test>',
      to: inbox.emailAddress as string,
      text: 'x'.repeat(length),
    })
    await tenant.receive({ raw, inbox: { tenantId: tenant.tenantId, id: inbox.id } })
  }
  const attachment = await createTestAttachment(tenant)
  const ticket = await createTicket(tenant, { inboxId: inbox.id, email: EMAIL, attachments: [attachment] })
  await tenant.post(`/v1/tickets/${ticket.id}/replies`, { html: '<p>On its way.</p>' })
  await tenant.perform((tx, caller) => addNote(tx, caller, ticket.id, { text: 'Internal' }))
  const team = await tenant.perform((tx, caller) =>
    createTeam(tx, caller, { name: 'Billing', memberIds: [tenant.userId] }),
  )
  await tenant.put(`/v1/tickets/${ticket.id}/tags`, { tags: ['returns'] })
  await tenant.put(`/v1/tickets/${ticket.id}/assignee`, { userId: tenant.userId, teamId: team.id })
  const source = await createTestSource(tenant)
  await tenant.put(`/v1/livechat/sources/${source.id}/articles/returns`, { title: 'Returns', content: 'Send it back.' })
  const webhook = await tenant.post('/v1/webhooks', {
    name: 'CRM',
    url: 'https://hooks.acme.test/',
    events: ['ticket.created'],
    secret: 'long and random',
  })
  return {
    tenant,
    ids: {
      contacts: contact.id,
      'by-email': EMAIL,
      organisations: organisation.id,
      groups: String(group.id),
      forms: form.id,
      f: form.launchCode,
      responses: response.id,
      uploads: await createTestUpload(tenant, form),
      attachments: attachment.id,
      tickets: ticket.id,
      sources: source.id,
      chat: source.id,
      articles: 'returns',
      webhooks: webhook.body.id,
      deliveries: await deliver(tenant, webhook.body.id),
    },
    references: {
      organisationId: organisation.id,
      contactId: contact.id,
      inboxId: inbox.id,
      userId: tenant.userId,
      teamId: team.id,
      groupIds: group.id,
      workspaceId: tenant.workspaceId,
      workspace_id: tenant.workspaceId,
      inbox_id: inbox.id,
      contact_id: contact.id,
      form_id: form.id,
    },
  }
}

/** The ids by which it can be told whose something is: not a slug, an address, or a number that counts within a tenant. */
export function tellingIds({ ids }: Pick<Furnished, 'ids'>): string[] {
  return Object.entries(ids).flatMap(([owner, id]) => (['articles', 'by-email', 'groups'].includes(owner) ? [] : id))
}

/** A batch that was delivered at the second attempt, as the scheduler leaves it. Returns its id. */
async function deliver(tenant: TestTenant, webhookId: string): Promise<string> {
  return tenant.perform(async (tx, { tenantId, at: now }) => {
    const batchId = newId(now)
    const at = formatTime(now)
    const delivered = {
      state: 'delivered',
      eventCount: 1,
      attempts: 2,
      createdAt: at,
      deliveredAt: at,
      finishedAt: at,
    } as const
    const [list] = await tx.insert(webhookLists).values({ tenantId, list: '}' }).returning()
    const body = { bodyHead: '{', listNumber: list?.number }
    await tx.insert(webhookBatches).values({ tenantId, id: batchId, webhookId, ...delivered, ...body })
    await tx.insert(webhookAttempts).values([
      { tenantId, batchId, number: 1, at, statusCode: null, error: 'timeout', durationMs: 30_000 },
      { tenantId, batchId, number: 2, at, statusCode: 200, error: null, durationMs: 87 },
    ])
    return batchId
  })
}
