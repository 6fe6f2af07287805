import type { Command } from 'commander'
import { listSources } from '../articles/sources.ts'
import type { Reader } from '../db/index.ts'
import type { PageRequest } from '../db/lists/keyset.ts'
import { listForms } from '../forms/operations.ts'
import { listGroups } from '../groups/operations.ts'
import { listKeys } from '../keys/operations.ts'
import { getChatSettings } from '../livechat/settings.ts'
import { listOrganisations } from '../organisations/operations.ts'
import { listTags } from '../tags/read.ts'
import { listTeams } from '../teams/read.ts'
import { listTenants, listWorkspaces } from '../tenants/operations.ts'
import { listUsers } from '../users/accounts.ts'
import { listWebhooks } from '../webhooks/operations.ts'
import {
  look,
  noun,
  printsRecord,
  type RecordOptions,
  type TenantOptions,
  withExistingDatabase,
  withTenant,
} from './command.ts'
import { print } from './print.ts'

type List = (db: Reader, tenantId: string) => Promise<object[]>

const lists = [
  ['user', 'people who can sign in', listUsers],
  ['key', 'API keys, revoked and expired ones too, without their values', listKeys],
  ['workspace', 'workspaces', listWorkspaces],
  ['organisation', 'organisations', everyPage(listOrganisations)],
  ['group', 'groups of contacts', listGroups],
  ['tag', 'tags, with how many tickets hold each', listTags],
  ['team', 'teams, with their members', listTeams],
  ['source', 'sources of articles, with the settings of their chats', listChats],
  ['form', 'forms, without those in the trash', everyPage(listForms)],
  ['webhook', 'webhook subscriptions, without their secrets', listWebhooks],
] as const satisfies [string, string, List][]

/** `NOUN list`: everything of a kind, newest first. */
export function listCommands(root: Command): void {
  printsRecord(noun(root, 'tenant').command('list'))
    .description('list all tenants, newest first')
    .action(async (options: RecordOptions) => {
      print(await withExistingDatabase(options, ({ db }) => listTenants(db)), options)
    })

  for (const [name, what, list] of lists) {
    withTenant(noun(root, name).command('list'))
      .description(`list all ${what}, newest first`)
      .action(async (options: TenantOptions) => print(await look(options, list), options))
  }
}

async function listChats(db: Reader, tenantId: string): Promise<object[]> {
  const sources = await listSources(db, tenantId)
  return Promise.all(
    sources.map(async (source) => ({ ...source, ...(await getChatSettings(db, tenantId, source.id)) })),
  )
}

type PagedList = (
  db: Reader,
  tenantId: string,
  page: PageRequest,
  filters: object,
) => Promise<{ items: object[]; nextCursor: string | null }>

/** A list that comes in pages, whole. */
function everyPage(listPage: PagedList): List {
  return async (db, tenantId) => {
    const all: object[] = []
    for (let cursor: string | undefined, more = true; more; ) {
      const { items, nextCursor } = await listPage(db, tenantId, { cursor, limit: 100 }, {})
      all.push(...items)
      cursor = nextCursor ?? undefined
      more = nextCursor !== null
    }
    return all
  }
}
