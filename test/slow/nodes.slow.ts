import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '../../src/db/index.ts'
import { events } from '../../src/db/schema.ts'
import { isPostgresHere, startPostgres } from '../support/data/postgres.ts'
import { emptyFolder, type Running } from '../support/processes/program.ts'
import { newSite, type Site, start, subscribe } from '../support/processes/site.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { type Receiver, reply } from '../support/webhooks/receiver.ts'

const KILLS = Number(process.env.CHAOS_KILLS ?? 50)
const CLIENTS = 6
/** Within which what a dead node was doing is another's (decisions §15), and what a busy machine takes longer, in ms. */
const TAKEN_OVER = 60_000
const PATIENCE = 60_000

let server: Awaited<ReturnType<typeof startPostgres>> | undefined
beforeAll(async () => {
  if (isPostgresHere) server = await startPostgres()
})
afterAll(() => server?.stop())

/** Nodes of one site, each in a folder of its own. Somebody is always there to be asked. */
class Cluster {
  readonly nodes: (Running | null)[] = []

  constructor(private readonly site: Site) {}

  async start(index: number): Promise<void> {
    this.nodes[index] = await start({ ...this.site, cwd: emptyFolder() })
  }

  async kill(index: number): Promise<void> {
    const node = this.nodes[index]
    this.nodes[index] = null
    node?.kill('SIGKILL')
    await node?.exited
  }

  any(): Running {
    const living = this.nodes.filter((node) => node !== null)
    return living[Math.floor(Math.random() * living.length)] as Running
  }
}

/** One client, who sends one contact after the other to whichever node; `acknowledged` are those that were answered 201. */
async function write(cluster: Cluster, { key }: Site, client: number, isOver: () => boolean): Promise<string[]> {
  const acknowledged: string[] = []
  for (let number = 0; !isOver(); number++) {
    const email = `${number}@client${client}.test`
    const status = await fetch(`${cluster.any().url}/v1/contacts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    }).then(
      (response) => response.status,
      () => null,
    )
    if (status === 201) acknowledged.push(email)
    // A node that was killed does not answer; nobody is answered with a fault of ours.
    else expect([null, 503]).toContain(status)
    await Bun.sleep(15)
  }
  return acknowledged
}

interface Batch {
  batchId: string
  bytes: string
  emails: string[]
}

function batchesOf({ requests }: Receiver): Batch[] {
  return requests.map(({ body }) => {
    const bytes = new TextDecoder().decode(body)
    const { batchId, events } = JSON.parse(bytes)
    return { batchId, bytes, emails: events.map(({ payload }: { payload: { email: string } }) => payload.email) }
  })
}

/** Waits for as long as more comes in, and for `ms` after the last. */
async function whileComing(receiver: Receiver, isAllThere: () => boolean, ms: number): Promise<void> {
  let count = 0
  let end = performance.now() + ms
  while (!isAllThere() && (receiver.requests.length > count || performance.now() < end)) {
    if (receiver.requests.length > count) end = performance.now() + ms
    count = receiver.requests.length
    await Bun.sleep(100)
  }
}

test.skipIf(!isPostgresHere)(
  `three nodes, ${KILLS} of them killed under load: nothing is lost, out of order, or sent twice but for the kills`,
  async () => {
    const url = server?.url ?? ''
    const site = await newSite({
      FRONTDESK_DATABASE_URL: url,
      FRONTDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    })
    const cluster = new Cluster(site)
    await Promise.all([0, 1, 2].map((index) => cluster.start(index)))
    const receiver = await receiving()
    receiver.always(reply(200, { delayMs: 10 }))
    await subscribe(cluster.any(), site, receiver.url)

    let isOver = false
    const writing = Promise.all(
      Array.from({ length: CLIENTS }, (_, client) => write(cluster, site, client, () => isOver)),
    )
    for (let kill = 1; kill < KILLS; kill++) {
      await Bun.sleep(Math.random() * 500)
      const index = Math.floor(Math.random() * 3)
      await cluster.kill(index)
      await cluster.start(index)
    }
    // The last one does not come back: what it was doing is done by the others.
    await cluster.kill(Math.floor(Math.random() * 3))
    isOver = true
    const acknowledged = await writing
    const told = () => new Set(batchesOf(receiver).flatMap(({ emails }) => emails))
    await whileComing(receiver, () => new Set(acknowledged.flat()).isSubsetOf(told()), TAKEN_OVER + PATIENCE)
    for (const node of cluster.nodes) await node?.stop()

    const batches = batchesOf(receiver)
    expect([...new Set(acknowledged.flat()).difference(told())].slice(0, 5)).toEqual([])
    const database = await openDatabase({ dataDir: '', databaseUrl: url })
    expect(told().size).toBe((await database.db.select({ number: events.number }).from(events)).length)
    await database.close()

    const first = [...Map.groupBy(batches, ({ batchId }) => batchId).values()].map((sent) => {
      expect(new Set(sent.map(({ bytes }) => bytes)).size).toBe(1)
      return sent[0] as Batch
    })
    expect(batches.length - first.length).toBeLessThanOrEqual(KILLS)
    const inOrder = first.flatMap(({ emails }) => emails)
    expect(new Set(inOrder).size).toBe(inOrder.length)
    for (const own of acknowledged) {
      const known = new Set(own)
      expect(inOrder.filter((email) => known.has(email))).toEqual(own)
    }
    expect(acknowledged.flat().length).toBeGreaterThan(KILLS)
  },
)
