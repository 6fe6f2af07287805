import { join } from 'node:path'
import { clientLibrary } from '../api/client.ts'
import { PATIENCE } from '../patience.ts'
import { outboxOf } from '../webhooks/ledger.ts'
import { emptyFolder, executable, type Program, type Running, record, serve } from './program.ts'

/** A data folder with a tenant and a key, for the executable to be started on again and again. */
export interface Site {
  program: Program
  cwd: string
  key: string
  /** What its programs are told beside what every site's are. */
  environment: Record<string, string>
}

const hurried = {
  FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true',
  FRONTDESK_WEBHOOK_WINDOW_MS: '20',
  FRONTDESK_WEBHOOK_RETRY_BASE_MS: '20',
  FRONTDESK_WEBHOOK_TIMEOUT_MS: String(PATIENCE),
}

/** On a database of its own where `environment` names one, else in its data folder. */
export async function newSite(environment: Record<string, string> = {}): Promise<Site> {
  const program = await executable()
  const cwd = emptyFolder()
  const { tenantId } = await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd, environment })
  const scopes = 'contacts:write,webhooks:manage'
  const made = ['key', 'create', '--tenant', tenantId, '--name', 'k', '--scopes', scopes]
  const { key } = await record(program, made, { cwd, environment })
  return { program, cwd, key, environment }
}

export const dataOf = ({ cwd }: Site) => join(cwd, 'data')

/** Ids of all events of the site, oldest first. Not while it is served. */
export const eventsOf = async (site: Site) => (await outboxOf(dataOf(site))).map(({ eventId }) => eventId)

/** Starts the service with windows and retries of milliseconds. */
export const start = ({ program, cwd, environment }: Site, more: Record<string, string> = {}) =>
  serve(program, { cwd, environment: { ...hurried, ...environment, ...more } })

/** What asks the service with the site's key, each request once. */
async function clientOf(service: Running, { key }: Site) {
  const { createClient } = await clientLibrary()
  return createClient({ baseUrl: service.url, key, retries: 0 })
}

/** Subscribes `url` to contacts, or points the subscription `id` to it. */
export async function subscribe(service: Running, site: Site, url: string, id?: string): Promise<{ id: string }> {
  const client = await clientOf(service, site)
  const webhook = { name: 'w', url, events: ['contact.created_or_updated'] }
  return id === undefined ? client.createWebhook(webhook) : client.updateWebhook(id, webhook)
}

let emails = 0
const newContact = () => ({ email: `c${++emails}@acme.test`, name: 'x'.repeat(200) })

/** Makes a contact. Throws unless that is acknowledged. */
export async function addContact(service: Running, site: Site, fields: object = {}): Promise<{ id: string }> {
  return (await clientOf(service, site)).createContact({ ...newContact(), ...fields })
}

/** Whether a delivery of the subscription collects, waits or is tried again, or an event was not given to it yet. */
export async function hasWaiting(service: Running, site: Site, id: string): Promise<boolean> {
  const client = await clientOf(service, site)
  // A change to a subscription first gives out what happened before it.
  const { name, url, events } = await client.getWebhook(id)
  await client.updateWebhook(id, { name, url, events })
  for (const status of ['collecting', 'pending', 'retrying']) {
    const { items } = await client.listDeliveries(id, { status, limit: 1 })
    if (items.length > 0) return true
  }
  return false
}

/** The refusal of a contact that cannot be stored. */
export async function refused(service: Running, site: Site) {
  const client = await clientOf(service, site)
  const contact = client.createContact(newContact())
  return contact.then(() => Promise.reject(new Error('it was stored'))).catch((error: unknown) => error)
}
