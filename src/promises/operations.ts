import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import { askRecount } from '../calendars/recounts.ts'
import type { Caller } from '../caller.ts'
import { checkNamed } from '../conditions/named.ts'
import { ofTenant, type Reader, type Tx } from '../db/index.ts'
import { promises } from '../db/schema.ts'
import { notFound, refusal, rule } from '../errors.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import type { ServicePromise } from './model.ts'
import type { PromiseInput } from './parse.ts'
import { promisesOf } from './read.ts'

/** The most promises of a tenant: each ticket is asked about all. */
const MAX_PROMISES = 50

/**
 * A promise, which `parsePromise` has read, behind those there are; due times of open tickets follow. For admins. Throws
 * `invalid_request` for conditions that name what does not exist, `conflict` for a name that is taken and for too many.
 */
export async function createPromise(tx: Tx, caller: Caller, input: PromiseInput): Promise<ServicePromise> {
  const { tenantId, at } = caller
  const known = await promisesOf(tx, tenantId)
  if (known.length >= MAX_PROMISES) throw refusal('conflict', rule('too_many_promises', { most: MAX_PROMISES }))
  await requireNew(tx, caller, input, null)
  const id = newId(at)
  const { name, when, targets } = input
  const position = ((await lastPosition(tx, tenantId)) ?? 0) + 1
  await tx
    .insert(promises)
    .values({ tenantId, id, name, position, conditions: when, targets, createdAt: formatTime(at) })
  await audit(tx, caller, 'promise.created', id)
  await askRecount(tx, tenantId, true)
  return { id, name, when, targets }
}

/** Changes a promise to what is given. For admins. Throws as `createPromise`, and `not_found`. */
export async function updatePromise(tx: Tx, caller: Caller, id: string, input: PromiseInput): Promise<ServicePromise> {
  const { tenantId } = caller
  const before = await getPromise(tx, tenantId, id)
  await requireNew(tx, caller, input, before.id)
  const { name, when, targets } = input
  const after = { id: before.id, name, when, targets }
  if (Bun.deepEquals(before, after)) return after
  await tx.update(promises).set({ name, conditions: when, targets }).where(one(tenantId, before.id))
  await audit(tx, caller, 'promise.updated', before.id)
  await askRecount(tx, tenantId, true)
  return after
}

/** Takes a promise away: open tickets have the next that fits; what was decided stays. For admins. Throws `not_found`. */
export async function deletePromise(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { tenantId } = caller
  const promise = await getPromise(tx, tenantId, id)
  await tx.delete(promises).where(one(tenantId, promise.id))
  await audit(tx, caller, 'promise.deleted', promise.id)
  await askRecount(tx, tenantId, true)
}

/** Has a promise be asked before the one that stands before it; the first stays. For admins. Throws `not_found`. */
export async function movePromiseUp(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { tenantId } = caller
  const promise = await getPromise(tx, tenantId, id)
  const ids = (await promisesOf(tx, tenantId)).map((known) => known.id)
  const place = ids.indexOf(promise.id)
  if (place < 1) return
  ids.splice(place - 1, 0, ...ids.splice(place, 1))
  for (const [position, moved] of ids.entries()) await tx.update(promises).set({ position }).where(one(tenantId, moved))
  await audit(tx, caller, 'promise.updated', promise.id)
  await askRecount(tx, tenantId, true)
}

/** One promise. Throws `not_found`. */
export async function getPromise(db: Reader, tenantId: string, id: string): Promise<ServicePromise> {
  const found = (await promisesOf(db, tenantId)).find((known) => known.id === id.toLowerCase())
  if (!found) throw notFound('promise')
  const { conditions: _, ...promise } = found
  return promise
}

async function requireNew(tx: Tx, { tenantId }: Caller, input: PromiseInput, id: string | null): Promise<void> {
  await checkNamed(tx, tenantId, input.conditions, 'when')
  const same = (name: string) => name.toLowerCase() === input.name.toLowerCase()
  const known = await promisesOf(tx, tenantId)
  if (known.some((other) => other.id !== id && same(other.name))) throw refusal('conflict', rule('promise_taken'))
}

async function lastPosition(tx: Tx, tenantId: string): Promise<number | undefined> {
  const rows = await tx.select({ position: promises.position }).from(promises).where(ofTenant(promises, tenantId))
  return rows.length === 0 ? undefined : Math.max(...rows.map(({ position }) => position))
}

const one = (tenantId: string, id: string) => and(ofTenant(promises, tenantId), eq(promises.id, id))
