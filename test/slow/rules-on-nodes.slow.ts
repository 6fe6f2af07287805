import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/db/index.ts'
import { happeningQueue, messages, promiseClocks, promiseOutcomes, ruleRuns } from '../../src/db/schema.ts'
import { isPostgresHere, runSql, startPostgres } from '../support/data/postgres.ts'
import { until } from '../support/patience.ts'
import { emptyFolder, executable, type Program, type Running, record, serve } from '../support/processes/program.ts'

/* What a node that was killed was at is the other's once its lease is over, within a minute (decisions §15). */

const KILLS = Number(process.env.CHAOS_KILLS ?? 12)
/** Tickets whose promises run out together: more than one transaction takes. */
const OVERDUE = 220

let program: Program
let server: Awaited<ReturnType<typeof startPostgres>> | undefined
beforeAll(async () => {
  program = await executable()
  if (isPostgresHere) server = await startPostgres()
})
afterAll(() => server?.stop())

const testOfNodes = test.skipIf(!isPostgresHere)

/** A database with a tenant, an inbox, a key and what is in these files, for nodes in folders of their own. */
async function newSite(made: readonly [command: string, definition: object][]) {
  const cwd = emptyFolder()
  const url = new URL(server?.url ?? '')
  const name = `site_${crypto.randomUUID().slice(0, 8)}`
  await runSql(url.href, `CREATE DATABASE ${name}`)
  url.pathname = name
  const environment = {
    FRONTDESK_DATABASE_URL: url.href,
    FRONTDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  const command = (...args: string[]) => record(program, args, { cwd, environment })
  await command('tenant', 'create', '--name', 'Acme')
  await command('inbox', 'create', '--name', 'Help', '--channel', 'email', '--address', 'help@acme.test')
  const { key } = await command('key', 'create', '--name', 'k', '--scopes', 'tickets:write,tickets:read')
  for (const [index, [name, definition]] of made.entries()) {
    const file = join(cwd, `${index}.json`)
    await Bun.write(file, JSON.stringify(definition))
    await command(name, 'create', file)
  }
  return {
    url: url.href,
    start: () => serve(program, { cwd: emptyFolder(), environment }),
    addTicket: ({ url }: Running) =>
      fetch(`${url}/v1/tickets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ada@customer.test', subject: 'Hello', text: 'Hello' }),
      }).then(
        async (response) => (response.status === 201 ? ((await response.json()) as { id: string }).id : null),
        () => null,
      ),
  }
}

async function kill(node: Running): Promise<void> {
  node.kill('SIGKILL')
  await node.exited
}

/** What rules noted at each ticket, in order. */
async function notesOf({ db }: Database): Promise<Map<string, string>> {
  const all = Map.groupBy(await db.select().from(messages), ({ ticketId }) => ticketId)
  const notes = [...all].map(
    ([id, own]) =>
      [
        id,
        own
          .flatMap(({ state, text }) => (state === 'note' ? text : []))
          .sort()
          .join(),
      ] as const,
  )
  return new Map(notes)
}

const isEmpty = async ({ db }: Database) => (await db.select().from(happeningQueue).limit(1)).length === 0

testOfNodes(
  `rules see each event once while two nodes work it off, ${KILLS} of which are killed meanwhile`,
  async () => {
    const site = await newSite([
      [
        'rule',
        {
          name: 'First',
          on: 'ticket.created',
          then: [
            { do: 'note', text: 'first' },
            { do: 'add_tags', tags: ['seen'] },
          ],
        },
      ],
      [
        'rule',
        {
          ...{ name: 'Second', on: 'ticket.tagged', when: { all: [{ field: 'tag', is: 'seen' }] } },
          then: [{ do: 'note', text: 'second' }],
        },
      ],
    ])
    const nodes = [await site.start(), await site.start()] as [Running, Running]
    const acknowledged: string[] = []
    let isOver = false
    const write = async (client: number) => {
      while (!isOver) {
        const id = await site.addTicket(nodes[client % 2] as Running)
        if (id !== null) acknowledged.push(id)
        await Bun.sleep(20)
      }
    }
    const writers = [0, 1, 2, 3].map(write)
    for (let kills = 0; kills < KILLS; kills++) {
      const before = acknowledged.length
      await until(() => acknowledged.length > before + 10)
      await Bun.sleep(Math.random() * 100)
      const index = kills % 2
      await kill(nodes[index] as Running)
      // The last does not come back: what it was at is done by the other.
      if (kills < KILLS - 1) nodes[index] = await site.start()
    }
    isOver = true
    await Promise.all(writers)
    const database = await openDatabase({ dataDir: '', databaseUrl: site.url })
    await until(() => isEmpty(database))
    const notes = await notesOf(database)
    expect(acknowledged.filter((id) => !notes.has(id))).toEqual([])
    expect([...notes].filter(([, texts]) => texts !== 'first,second')).toEqual([])
    expect(notes.size).toBeGreaterThan(KILLS * 10)
    const runs = await database.db.select().from(ruleRuns)
    expect(new Set(runs.map(({ ruleId, recordId }) => `${ruleId} ${recordId}`)).size).toBe(runs.length)
    await database.close()
    await Promise.all(nodes.map((node) => node.stop()))
  },
)

testOfNodes(
  'promises that run out are decided once by two nodes, one of which is killed meanwhile, and set off rules once',
  async () => {
    const site = await newSite([
      ['promise', { name: 'Usual', targets: { normal: { firstAnswer: '1h', close: '2h' } } }],
      ['rule', { name: 'Late', on: 'ticket.overdue', then: [{ do: 'note', text: 'late' }] }],
    ])
    const first = await site.start()
    const ids = new Set<string | null>()
    await Promise.all(
      [0, 1, 2, 3].map(async () => {
        while (ids.size < OVERDUE) ids.add(await site.addTicket(first))
      }),
    )
    expect(ids.has(null)).toBe(false)
    await first.stop()
    // All of it is late when the nodes start.
    await runSql(site.url, `UPDATE promise_clocks SET due_at = '2026-01-01T00:00:00.000Z' WHERE kind = 'firstAnswer'`)
    const [one, two] = await Promise.all([site.start(), site.start()])
    const database = await openDatabase({ dataDir: '', databaseUrl: site.url })
    const outcomes = () => database.db.select().from(promiseOutcomes)
    await until(async () => (await outcomes()).length > 0)
    await kill(one)
    await until(async () => (await outcomes()).length >= ids.size && (await isEmpty(database)))
    const decided = await outcomes()
    expect(decided).toHaveLength(ids.size)
    expect(new Set(decided.map(({ ticketId }) => ticketId))).toEqual(ids as Set<string>)
    expect(decided.filter(({ kept, kind }) => kept || kind !== 'firstAnswer')).toEqual([])
    const clocks = await database.db.select().from(promiseClocks)
    expect(clocks.filter(({ kind, brokenAt }) => (kind === 'firstAnswer') !== (brokenAt !== null))).toEqual([])
    expect([...(await notesOf(database)).values()].filter((texts) => texts !== 'late')).toEqual([])
    await database.close()
    await two.stop()
  },
)
