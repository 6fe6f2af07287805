import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '../../src/db/index.ts'
import { events } from '../../src/db/schema.ts'
import { earlierCommit, earlierProgram } from '../support/data/earlier-program.ts'
import { isPostgresHere, startPostgres } from '../support/data/postgres.ts'
import { until } from '../support/patience.ts'
import { emptyFolder, executable, type Program, type Running, record, run } from '../support/processes/program.ts'
import { type Site, start, subscribe } from '../support/processes/site.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { reply } from '../support/webhooks/receiver.ts'

/*
 * Nodes are exchanged one after the other, while people work: those of the version before serve beside the first of this
 * one, on the tables of this one, until each is replaced.
 */

const NODES = 3
const CLIENTS = 4
/** What every client does at least on each mixture of nodes. */
const ROUNDS = 10

const isPossible = isPostgresHere && earlierCommit !== null
if (!isPossible) console.error('no history or no PostgreSQL: a rolling change of nodes is not tried')

let server: Awaited<ReturnType<typeof startPostgres>>
let earlier: ReturnType<typeof earlierProgram>
beforeAll(async () => {
  if (!isPossible) return
  earlier = earlierProgram(earlierCommit as string)
  server = await startPostgres()
})
afterAll(async () => {
  await server?.stop()
  earlier?.close()
})

/** Who works meanwhile: each asks the nodes in turn, and goes on to the next where one has gone. */
class Clients {
  readonly acknowledged: string[] = []
  readonly faults: unknown[] = []
  /** By client, how many rounds it has behind it. */
  readonly rounds = Array.from({ length: CLIENTS }, () => 0)
  nodes: readonly Running[] = []
  #isOver = false
  readonly #working: Promise<unknown>

  constructor(private readonly site: Site) {
    this.#working = Promise.all(this.rounds.map((_, client) => this.#work(client)))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#working
  }

  /** Until every client has done so much more. */
  async goOn(): Promise<void> {
    const before = [...this.rounds]
    await until(() => this.rounds.every((count, client) => count >= (before[client] as number) + ROUNDS))
  }

  async #work(client: number): Promise<void> {
    while (!this.#isOver) {
      const number = (this.rounds[client] ?? 0) + 1
      const node = this.nodes[(number + client) % Math.max(1, this.nodes.length)]
      if (node) await this.#round(node, `${number}@client${client}.test`)
      else await Bun.sleep(10)
      this.rounds[client] = number
    }
  }

  /** Makes a contact, changes and reads it, begins a form, and looks at lists. */
  async #round(node: Running, email: string): Promise<void> {
    const made = await this.#ask(node, 'POST', '/v1/contacts', { email })
    if (made?.status !== 201) return
    this.acknowledged.push(email)
    await this.#ask(node, 'PUT', `/v1/contacts/${made.id}`, { email, name: 'Changed' })
    await this.#ask(node, 'GET', `/v1/contacts/${made.id}`)
    await this.#ask(node, 'POST', '/v1/forms', { title: email, active: true, questions: [] })
    for (const list of ['contacts', 'forms', 'tickets', 'webhooks']) await this.#ask(node, 'GET', `/v1/${list}?limit=5`)
  }

  async #ask(
    node: Running,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; id: string | undefined } | null> {
    const headers = { authorization: `Bearer ${this.site.key}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await fetch(node.url + path, init).catch(() => null)
    // A node that stops takes no more; what it has taken it answers.
    if (answer === null) return null
    const text = await answer.text()
    if (answer.status >= 400 && answer.status !== 503) this.faults.push([method, path, answer.status, text])
    return { status: answer.status, id: text.startsWith('{') ? JSON.parse(text).id : undefined }
  }
}

test.skipIf(!isPossible)(
  'nodes of the version before and of this one serve side by side, and nothing is lost',
  async () => {
    const environment = {
      FRONTDESK_DATABASE_URL: server.url,
      FRONTDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    }
    const site = await siteOf(earlier, environment)
    const startNode = (program: Program) => start({ ...site, program, cwd: emptyFolder() })
    const nodes = await Promise.all(Array.from({ length: NODES }, () => startNode(earlier)))
    const receiver = await receiving()
    receiver.always(reply(200))
    await subscribe(nodes[0] as Running, site, receiver.url)

    const clients = new Clients(site)
    clients.nodes = [...nodes]
    await clients.goOn()
    const current = await executable()
    for (const [index, before] of nodes.entries()) {
      const node = await startNode(current)
      clients.nodes = [...nodes, node]
      await clients.goOn()
      nodes[index] = node
      clients.nodes = [...nodes]
      const { code } = await before.stop()
      expect(code).toBe(0)
      await clients.goOn()
    }
    await clients.stop()
    expect(clients.faults).toEqual([])
    // Each client made one a round, but for those that met a node that was going.
    expect(clients.acknowledged.length).toBeGreaterThan(CLIENTS * ROUNDS * NODES)

    const told = () => new Set(receiver.requests.flatMap(({ body }) => emailsIn(body)))
    await until(() => new Set(clients.acknowledged).isSubsetOf(told()))
    const refused = await run(earlier, ['tenant', 'list'], { cwd: emptyFolder(), environment })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('another version of frontdesk')])
    for (const node of nodes) await node.stop()
    const database = await openDatabase({ dataDir: '', databaseUrl: server.url })
    expect((await database.db.select({ number: events.number }).from(events)).length).toBeGreaterThanOrEqual(
      clients.acknowledged.length,
    )
    await database.close()
  },
)

async function siteOf(program: Program, environment: Record<string, string>): Promise<Site> {
  const cwd = emptyFolder()
  const options = { cwd, environment }
  const { tenantId } = await record(program, ['tenant', 'create', '--name', 'Acme'], options)
  const user = ['user', 'create', '--tenant', tenantId, '--email', 'a@acme.test', '--role', 'admin', '--billable']
  await record(program, user, options)
  const scopes = 'contacts:read,contacts:write,forms:read,forms:write,tickets:read,webhooks:manage'
  const { key } = await record(
    program,
    ['key', 'create', '--tenant', tenantId, '--name', 'k', '--scopes', scopes],
    options,
  )
  return { program, cwd, key, environment }
}

function emailsIn(body: Uint8Array): string[] {
  const { events } = JSON.parse(new TextDecoder().decode(body)) as { events: { payload: { email: string } }[] }
  return events.map(({ payload }) => payload.email)
}
