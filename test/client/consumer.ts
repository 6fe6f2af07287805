// Compiled by `types.test.ts` beside the package, under the strictest options of a compiler: never run.
import {
  type Batch,
  type Client,
  createClient,
  type Event,
  FrontdeskError,
  type Schemas,
  verify,
} from 'frontdesk-client'

const client: Client = createClient({ baseUrl: 'https://desk.example.com', key: 'sk_x' })

export async function contacts(): Promise<string[]> {
  const emails: string[] = []
  for await (const contact of client.listContacts({ limit: 100, updated_since: '2026-01-01T00:00:00.000Z' })) {
    emails.push(contact.email ?? '')
    const name: string | null = contact.name
    emails.push(name ?? '')
  }
  const { items, nextCursor } = await client.listContacts()
  const cursor: string | null = nextCursor
  return [...emails, items[0]?.id ?? '', cursor ?? '']
}

export async function writing(id: string): Promise<Schemas['Contact']> {
  const form: Schemas['Form'] = await client.createForm({
    title: 'Lunch',
    questions: [{ type: 'choose_one', text: 'Soup?', options: ['Yes', 'No'] }],
  })
  await client.replyToTicket(form.id, { html: '<p>Hello</p>' }, { idempotencyKey: 'one' })
  const nothing: undefined = (await client.deleteContact(id)) as undefined
  const file: Response = await client.downloadUpload(id)
  await client.uploadFile('aB3xK9q2', { file: new Blob([await file.arrayBuffer()]) })
  const { items } = await client.listWebhooks()
  const events: string[] = items.flatMap((webhook) => webhook.events)
  return client.updateContact(id, { name: events[0] ?? String(nothing) })
}

export async function receive(request: Request): Promise<string[]> {
  const batch: Batch = await verify('secret', await request.arrayBuffer(), request.headers)
  return batch.events.map(about)
}

export async function receiveInNode(body: Uint8Array, headers: Record<string, string | string[] | undefined>) {
  return (await verify('secret', body, headers)).events.length
}

function about(event: Event): string {
  if (event.event === 'ticket.replied') return event.payload.excerpt
  if (event.event === 'contact.unsubscribed') return event.payload.email
  return event.eventId
}

export function explain(error: unknown): string | null {
  return error instanceof FrontdeskError ? `${error.code} ${error.status} ${error.requestId} ${error.param}` : null
}

// @ts-expect-error an email is required
client.createContact({ name: 'Ada' })
// @ts-expect-error no such filter
client.listContacts({ mail: 'ada@acme.test' })
// @ts-expect-error no such operation
client.createContacts({ email: 'ada@acme.test' })
// @ts-expect-error one contact is no list
for await (const _ of client.getContact('x')) break
