import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { commandCaller } from '../caller.ts'
import { ofTenant, type Reader, type Tx } from '../db/index.ts'
import { tenants, workspaces } from '../db/schema.ts'
import { notFound, refusal, rule } from '../errors.ts'
import { newId } from '../lib/ids.ts'
import { checkColour } from '../lib/input/colours.ts'
import { checkName } from '../lib/input/names.ts'
import { checkLanguage } from '../lib/language/languages.ts'
import { formatTime } from '../lib/time.ts'

/** A caller for what the command line does on a tenant's behalf. Throws `not_found` for an unknown tenant. */
export async function administratorOf(db: Reader, tenantId: string, at: number): Promise<Caller> {
  const [tenant] = await db.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId.toLowerCase()))
  if (!tenant) throw notFound('tenant')
  return commandCaller(tenant.id, at)
}

/** The ids of tenants behind one, in their order. For what is done for each of them. */
export async function listTenantIds(db: Reader, after: string, limit: number): Promise<string[]> {
  const found = await db
    .select({ id: tenants.id })
    .from(tenants)
    .where(gt(tenants.id, after))
    .orderBy(tenants.id)
    .limit(limit)
  return found.map(({ id }) => id)
}

/** Whether several tenants share the installation: then no admin of one is by that whoever runs it. */
export async function isShared(db: Reader): Promise<boolean> {
  const found = await db.select({ id: tenants.id }).from(tenants).limit(2)
  return found.length > 1
}

/** Whether there is such a tenant. */
export async function isTenant(db: Reader, tenantId: string): Promise<boolean> {
  const found = await db.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId))
  return found.length > 0
}

/** A tenant, with the oldest of its workspaces, which takes the forms that name none. */
interface TenantRecord {
  tenantId: string
  name: string
  workspaceId: string
  createdAt: string
  /** Only of one whose deletion has begun and was interrupted: it is gone on with by the same command. */
  leaving?: true
}

/** All tenants, newest first. For the command line only. */
export async function listTenants(db: Reader): Promise<TenantRecord[]> {
  const { id: tenantId, name, createdAt, leaving } = tenants
  const found = await db
    .select({ tenantId, name, workspaceId: sql<string>`min(${workspaces.id})`, createdAt, leaving })
    .from(tenants)
    .innerJoin(workspaces, eq(workspaces.tenantId, tenants.id))
    .groupBy(tenants.id)
    .orderBy(desc(tenants.id))
  return found.map(({ leaving: isLeaving, ...tenant }) => (isLeaving ? { ...tenant, leaving: true } : tenant))
}

/**
 * A tenant with a first workspace. `language` (BCP 47) is that of its forms, unless they say another. For the command
 * line only. Throws `invalid_request`.
 */
export async function createTenant(
  tx: Tx,
  input: { name: string; language?: string | undefined },
  at: number,
): Promise<{ tenantId: string; workspaceId: string }> {
  const tenantId = newId(at)
  const language = input.language ? checkLanguage(input.language) : null
  await tx.insert(tenants).values({ id: tenantId, name: checkName(input.name), language, createdAt: formatTime(at) })
  const caller = commandCaller(tenantId, at)
  await audit(tx, caller, 'tenant.created', tenantId)
  const { id: workspaceId } = await createWorkspace(tx, caller, { name: 'Main' })
  return { tenantId, workspaceId }
}

/** What holds for the whole tenant. */
export interface TenantSettings {
  readonly name: string
  /** BCP 47: of the forms, chats and people that say no other; null for English. */
  readonly language: string | null
  /** `#rrggbb`: of the forms and chats that have no colour of their own; null for ours. */
  readonly accent: string | null
  /** Whether nobody works in the console by a password alone (decisions.md §14). */
  readonly requiresSecondFactor: boolean
}

/** The settings of a tenant. */
export async function getTenantSettings(db: Reader, tenantId: string): Promise<TenantSettings> {
  const { name, language, accent, requiresSecondFactor } = tenants
  const [row] = await db
    .select({ name, language, accent, requiresSecondFactor })
    .from(tenants)
    .where(eq(tenants.id, tenantId))
  if (!row) throw notFound('tenant')
  return row
}

/** What a tenant takes along from one installation to another, beside its records. */
export interface MovedTenant extends TenantSettings {
  readonly createdAt: string
}

/** What the tenant takes along. */
export async function getMovedTenant(db: Reader, tenantId: string): Promise<MovedTenant> {
  const [row] = await db.select({ createdAt: tenants.createdAt }).from(tenants).where(eq(tenants.id, tenantId))
  return { ...(await getTenantSettings(db, tenantId)), createdAt: row?.createdAt ?? '' }
}

/**
 * Adds a tenant that comes from another installation, under the id it had there. For whoever brings its records, in the same
 * transaction. Throws `invalid_request`.
 */
export async function addMovedTenant(tx: Tx, tenantId: string, { createdAt, ...settings }: MovedTenant): Promise<void> {
  await tx.insert(tenants).values({ id: tenantId, ...checked(settings), createdAt })
}

/** Changes the settings of the tenant. Throws `invalid_request`. */
export async function updateTenant(tx: Tx, caller: Caller, input: TenantSettings): Promise<void> {
  await tx.update(tenants).set(checked(input)).where(eq(tenants.id, caller.tenantId))
  await audit(tx, caller, 'tenant.updated', caller.tenantId)
}

function checked({ name, language, accent, requiresSecondFactor }: TenantSettings): TenantSettings {
  return {
    name: checkName(name),
    language: language === null ? null : checkLanguage(language),
    accent: accent === null ? null : checkColour(accent, 'accent'),
    requiresSecondFactor,
  }
}

/** What a tenant is called. */
export async function nameOfTenant(db: Reader, tenantId: string): Promise<string> {
  const [row] = await db.select({ name: tenants.name }).from(tenants).where(eq(tenants.id, tenantId))
  if (!row) throw notFound('tenant')
  return row.name
}

/** A workspace, in which forms are kept. */
export async function createWorkspace(
  tx: Tx,
  caller: Caller,
  input: { name: string },
): Promise<{ id: string; name: string }> {
  const workspace = { id: newId(caller.at), name: checkName(input.name) }
  await tx.insert(workspaces).values({ ...workspace, tenantId: caller.tenantId, createdAt: formatTime(caller.at) })
  await audit(tx, caller, 'workspace.created', workspace.id)
  return workspace
}

/**
 * Gives a workspace another name; `before` is the one that whoever renames it has seen. Throws `not_found`,
 * `invalid_request`, and `conflict` where somebody else renamed it meanwhile.
 */
export async function renameWorkspace(
  tx: Tx,
  caller: Caller,
  id: string,
  { name, before }: { name: string; before: string },
): Promise<void> {
  const own = and(ofTenant(workspaces, caller.tenantId), eq(workspaces.id, id))
  const [found] = await tx.select({ name: workspaces.name }).from(workspaces).where(own)
  if (!found) throw notFound('workspace')
  if (found.name !== before) throw refusal('conflict', rule('renamed', { name: found.name }))
  const checked = checkName(name)
  if (checked === before) return
  await tx.update(workspaces).set({ name: checked }).where(own)
  await audit(tx, caller, 'workspace.updated', id, ['name'])
}

/** All workspaces, newest first. */
export async function listWorkspaces(db: Reader, tenantId: string): Promise<{ id: string; name: string }[]> {
  return db
    .select({ id: workspaces.id, name: workspaces.name })
    .from(workspaces)
    .where(ofTenant(workspaces, tenantId))
    .orderBy(desc(workspaces.id))
}
