import { webhooks } from '../../../src/db/schema.ts'
import { newId } from '../../../src/lib/ids.ts'
import { formatTime } from '../../../src/lib/time.ts'
import { startApp, type TestApp, type TestTenant } from '../app.ts'
import { PATIENCE } from '../patience.ts'
import type { Receiver } from './receiver.ts'

/** How long a batch collects by default, in milliseconds. */
export const WINDOW = 20_000

/** A service that may deliver to the machine itself. It waits for answers for as long as they take. */
export function startDelivering(environment: Record<string, string> = {}, dataDir?: string): Promise<TestApp> {
  return startApp({
    environment: {
      FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true',
      FRONTDESK_WEBHOOK_TIMEOUT_MS: String(PATIENCE),
      ...environment,
    },
    ...(dataDir ? { dataDir } : {}),
  })
}

/** A subscription to contacts; returns its id. */
export async function subscribe(
  tenant: TestTenant,
  receiver: Pick<Receiver, 'url'>,
  more: object = {},
): Promise<string> {
  const input = { name: 'test', url: receiver.url, events: ['contact.created_or_updated'], ...more }
  const answer = await tenant.post('/v1/webhooks', input)
  if (answer.status !== 201) throw new Error(`webhook not created: ${answer.text}`)
  return answer.body.id
}

let contacts = 0

/** Makes contacts, each of which is an event; returns their ids. */
export async function addContacts(tenant: TestTenant, count = 1): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const answer = await tenant.post('/v1/contacts', { email: `contact${++contacts}@example.com` })
    if (answer.status !== 201) throw new Error(`contact not created: ${answer.text}`)
    ids.push(answer.body.id)
  }
  return ids
}

/** Lets the window pass and everything that is due happen. */
export async function passWindow(app: TestApp): Promise<void> {
  await app.runDue()
  app.clock.advance(WINDOW)
  await app.runDue()
}

/** The envelope of a request that a receiver got. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into envelopes of any shape
export function envelopeOf(request: { body: Uint8Array } | undefined): any {
  return JSON.parse(new TextDecoder().decode(request?.body))
}

/** Ids of the contacts that each request told of. */
export function contactsOf(receiver: Receiver): string[][] {
  return receiver.requests.map((request) =>
    envelopeOf(request).events.map(({ payload }: { payload: { id: string } }) => payload.id),
  )
}

/** Rows of subscriptions to contacts, in the order of their ids. */
export async function addSubscriptions(
  app: TestApp,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  { url }: Pick<Receiver, 'url'>,
  count: number,
): Promise<string[]> {
  const now = app.clock.now()
  const at = formatTime(now)
  const ids = Array.from({ length: count }, () => newId(now)).sort()
  const events = ['contact.created_or_updated' as const]
  const same = { tenantId, name: 'test', url, active: true, events, createdAt: at, updatedAt: at }
  for (let from = 0; from < count; from += 500) {
    const rows = ids.slice(from, from + 500).map((id) => ({ ...same, id }))
    await app.database.transaction((tx) => tx.insert(webhooks).values(rows))
  }
  return ids
}
