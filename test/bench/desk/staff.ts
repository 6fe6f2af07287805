import { Database as Sqlite } from 'bun:sqlite'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { commandCaller } from '../../../src/caller.ts'
import { loadConfig } from '../../../src/config.ts'
import { DATABASE_FILE, openDatabase } from '../../../src/db/index.ts'
import { createUser } from '../../../src/users/accounts.ts'
import { NO_PASSWORD } from '../../../src/users/passwords/passwords.ts'
import { startSession } from '../../../src/users/sessions/sessions.ts'
import { openBrowser } from '../../support/pages/browser.ts'
import { type Running, start } from '../harness/processes.ts'

/** Consoles that are open while nothing happens. */
const CONSOLES = 500

/** A service with people signed in to it. */
export interface Desk {
  readonly service: Running
  readonly origin: string
  /** Of its data, and of whatever else is stored. */
  readonly folder: string
  /** Of sessions: each of the agents has several. */
  readonly cookies: readonly string[]
  /** Of the chat. */
  readonly sourceId: string
}

/** Agents of the demo's company, each signed in, and the source of its chat. */
export async function staffOf(dataDir: string, agents: number): Promise<Pick<Desk, 'cookies' | 'sourceId'>> {
  const sqlite = new Sqlite(join(dataDir, DATABASE_FILE), { readonly: true })
  const one = (sql: string) => (sqlite.query(sql).get() as { id: string }).id
  const sourceId = one('SELECT id FROM livechat_sources LIMIT 1')
  const tenantId = one('SELECT tenant_id AS id FROM livechat_sources LIMIT 1')
  sqlite.close()
  const database = await openDatabase(loadConfig({}, { dataDir }))
  const cookies = await database.transaction(async (tx) => {
    const made: string[] = []
    const userIds: string[] = []
    const at = Date.now()
    for (let n = 0; n < agents; n++) {
      const { userId } = await createUser(tx, commandCaller(tenantId, at), {
        email: `agent${n}@bench.example`,
        name: `Agent ${n}`,
        role: 'agent',
        billable: false,
        passwordHash: NO_PASSWORD,
      })
      userIds.push(userId)
    }
    const from = { address: null, userAgent: null, method: 'password' } as const
    for (let n = 0; n < CONSOLES; n++) {
      const userId = userIds[n % agents] as string
      made.push(`frontdesk_session=${await startSession(tx, { tenantId, userId }, from, at)}`)
    }
    return made
  })
  await database.close()
  return { cookies, sourceId }
}

/** Consoles as browsers keep them open, in a process of their own. */
export async function openConsoles(origin: string, cookies: readonly string[], folder: string): Promise<Running> {
  const file = join(folder, 'cookies')
  await Bun.write(file, cookies.join('\n'))
  return start(['test/bench/desk/agents.ts', origin, file], /^(\d+)$/m, { BUN_CONFIG_MAX_HTTP_REQUESTS: '4000' })
}

/** A browser that is signed in with one of the cookies. */
export async function browserOf(
  { origin, cookies }: Desk,
  n: number,
): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const opened = await openBrowser()
  const [name = '', value = ''] = (cookies[n] as string).split('=', 2)
  await opened.context.addCookies([{ name, value, url: origin }])
  return opened
}
