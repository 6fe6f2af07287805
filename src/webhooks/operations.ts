import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { webhookReplays, webhooks } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { newId } from '../lib/ids.ts'
import { checkUrl } from '../lib/network/outbound-address.ts'
import { formatTime } from '../lib/time.ts'
import type { Secrets } from '../secrets/seal.ts'
import { drop, makeHeadDue, pause } from './batches/batches.ts'
import { fanOut } from './batches/fan-out.ts'
import { webhookContext } from './body/secret.ts'
import type { Webhook, WebhookInput } from './model.ts'

/** A subscription as it is stored, its secret included: for delivery, never for an answer. */
export interface Subscription extends Omit<Webhook, 'hasSecret'> {
  /** See `secret.ts`. */
  sealedSecret: string | null
  /** Set once the subscription is deleted: only its delivery history can still be read. */
  deletedAt: string | null
}

const subscriptionRow = {
  id: webhooks.id,
  name: webhooks.name,
  url: webhooks.url,
  active: webhooks.active,
  events: webhooks.events,
  sealedSecret: webhooks.sealedSecret,
  deletedAt: webhooks.deletedAt,
}

const subscriptions = prepared((db) =>
  db
    .select(subscriptionRow)
    .from(webhooks)
    .where(and(ofTenant(webhooks), isNull(webhooks.deletedAt)))
    .orderBy(desc(webhooks.id))
    .prepare(),
)

/** All subscriptions of the tenant, newest first. */
export async function listWebhooks(db: Reader, tenantId: string): Promise<Webhook[]> {
  return (await subscriptions(db).execute({ tenantId })).map(shown)
}

const subscriptionById = prepared((db) =>
  db
    .select(subscriptionRow)
    .from(webhooks)
    .where(and(ofTenant(webhooks), eq(webhooks.id, sql.placeholder('id'))))
    .prepare(),
)

/** A subscription, a deleted one too: for its history and for deliveries that are under way. Throws `not_found`. */
export async function findAnyWebhook(db: Reader, tenantId: string, id: string): Promise<Subscription> {
  const [found] = await subscriptionById(db).execute({ tenantId, id })
  if (!found) throw notFound('webhook')
  return found
}

/** A subscription that is not deleted. Throws `not_found`. */
export async function findWebhook(db: Reader, tenantId: string, id: string): Promise<Subscription> {
  const found = await findAnyWebhook(db, tenantId, id)
  if (found.deletedAt !== null) throw notFound('webhook')
  return found
}

/** One subscription as the API shows it. Throws `not_found`. */
export async function getWebhook(db: Reader, tenantId: string, id: string): Promise<Webhook> {
  return shown(await findWebhook(db, tenantId, id))
}

/** `config.webhook`, what a URL may be and how long batches collect (decisions §9), and what seals secrets. */
interface Policy {
  allowPrivate: boolean
  windowMs: number
  secrets: Secrets
}

/** Subscribes a URL to events. Throws `invalid_request` for a URL that may not be called. */
export async function createWebhook(
  tx: Tx,
  caller: Caller,
  input: WebhookInput,
  { allowPrivate, windowMs, secrets }: Policy,
): Promise<Webhook> {
  const at = formatTime(caller.at)
  const id = newId(caller.at)
  const sealedSecret = input.secret ? secrets.seal(input.secret, webhookContext(caller.tenantId, id)) : null
  const subscription = { id, ...replacement(input, allowPrivate), sealedSecret }
  await fanOut(tx, caller.at, windowMs)
  await tx.insert(webhooks).values({ ...subscription, tenantId: caller.tenantId, createdAt: at, updatedAt: at })
  await audit(tx, caller, 'webhook.created', subscription.id)
  return shown(subscription)
}

/**
 * Replaces name, URL, events and whether it is active; a secret is replaced when given, cleared by an empty string and
 * kept otherwise (api.md §4 rule 10). What waits goes to the new URL, signed with the new secret; while the subscription
 * is not active it waits on, and all of it is due once it is active again. Throws `not_found`, and `invalid_request` for a URL that may not be called.
 */
export async function updateWebhook(
  tx: Tx,
  caller: Caller,
  id: string,
  input: WebhookInput,
  { allowPrivate, windowMs, secrets }: Policy,
): Promise<Webhook> {
  const { tenantId } = caller
  const changes = replacement(input, allowPrivate)
  const before = await findWebhook(tx, tenantId, id)
  const sealedSecret = replacedSecret(input, before, webhookContext(tenantId, id), secrets)
  await fanOut(tx, caller.at, windowMs)
  await tx
    .update(webhooks)
    .set({ ...changes, sealedSecret, updatedAt: formatTime(caller.at) })
    .where(and(ofTenant(webhooks, tenantId), eq(webhooks.id, id)))
  if (before.active && !changes.active) await pause(tx, { tenantId, webhookId: id }, caller.at)
  if (!before.active && changes.active) await makeHeadDue(tx, { tenantId, webhookId: id }, caller.at)
  await audit(tx, caller, 'webhook.updated', id)
  return shown({ id, ...changes, sealedSecret })
}

/**
 * Stops deliveries at once and for good: what waits fails, and an attempt under way is the last. The delivery history
 * stays (api.md §4 rule 11). Throws `not_found`.
 */
export async function deleteWebhook(
  tx: Tx,
  caller: Caller,
  id: string,
  { windowMs }: Pick<Policy, 'windowMs'>,
): Promise<void> {
  const { tenantId } = caller
  await findWebhook(tx, tenantId, id)
  await fanOut(tx, caller.at, windowMs)
  await drop(tx, { tenantId, webhookId: id }, caller.at)
  await tx.delete(webhookReplays).where(and(ofTenant(webhookReplays, tenantId), eq(webhookReplays.webhookId, id)))
  const at = formatTime(caller.at)
  await tx
    .update(webhooks)
    .set({ active: false, sealedSecret: null, deletedAt: at, updatedAt: at })
    .where(and(ofTenant(webhooks, tenantId), eq(webhooks.id, id)))
  await audit(tx, caller, 'webhook.deleted', id)
}

/** The URL is kept as it was written; what is checked is what `checkUrl` makes of it, at every delivery again. */
function replacement({ name, url, events, active }: WebhookInput, allowPrivate: boolean) {
  checkUrl(url, { allowPrivate })
  return { name, url, events: [...new Set(events)], active: active ?? true }
}

function replacedSecret({ secret }: WebhookInput, before: Subscription, context: string, secrets: Secrets) {
  if (secret === '') return null
  return secret ? secrets.seal(secret, context) : before.sealedSecret
}

function shown({ id, name, url, active, events, sealedSecret }: Omit<Subscription, 'deletedAt'>): Webhook {
  return { id, name, url, active, events, hasSecret: sealedSecret !== null }
}
