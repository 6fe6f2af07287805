import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandCaller } from '../../src/caller.ts'
import { type Database, openDatabase } from '../../src/db/index.ts'
import { happeningQueue, rules } from '../../src/db/schema.ts'
import { createInbox } from '../../src/inboxes/operations.ts'
import { createKey } from '../../src/keys/operations.ts'
import { createRule } from '../../src/rules/operations.ts'
import { createTenant } from '../../src/tenants/operations.ts'
import { openTicket } from '../../src/tickets/incoming/opening.ts'
import { busyTime, startService } from './harness/processes.ts'
import { median, print, row } from './harness/report.ts'

const RULES = 100
/** Tickets of a round, how many are made at once, and rounds of each kind. */
const TICKETS = 600
const PARALLEL = 8
const ROUNDS = 9
/** Events that wait for a service to be started. */
const WAITING = 5_000
const TEXT = 'I would like to know more. '.repeat(20)

/**
 * What a hundred rules cost: the same tickets are made by turns with all of them on and all of them off, and then how
 * fast is worked off what has happened. One rule in ten asks for the contact, one in fifty does something.
 */
export async function benchRules(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const database = await openDatabase({ dataDir: folder })
  try {
    const seeded = await seed(database)
    const { key } = seeded
    const service = await startService(folder)
    const make = (count: number) => inParallel(count, () => makeTicket(service.port, key))
    await make(TICKETS)
    const took = { on: [] as number[], off: [] as number[], cpuOn: [] as number[], cpuOff: [] as number[] }
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const times: Partial<Record<'on' | 'off', number>> = {}
      // Either goes first in every other round.
      for (const kind of round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
        await switchAll(database, kind === 'on')
        const busy = await busyTime(service.pid)
        const before = performance.now()
        await make(TICKETS)
        const time = performance.now() - before
        times[kind] = time
        took[kind].push(time)
        // What the tickets set off belongs to what they cost.
        while (await hasWaiting(database)) await Bun.sleep(2)
        took[kind === 'on' ? 'cpuOn' : 'cpuOff'].push((await busyTime(service.pid)) - busy)
      }
      ratios.push((times.on as number) / (times.off as number))
    }
    await service.stop()
    const perSecond = await workedOff(folder, database, seeded)
    print('')
    row(`${TICKETS} tickets over REST, ${PARALLEL} at once`, 'without/s', `${RULES} rules/s`, 'slower by', 'CPU by')
    const rate = (times: number[]) => ((TICKETS / median(times)) * 1000).toFixed(0)
    const cpu = median(took.cpuOn) / median(took.cpuOff)
    row('a ticket is made', rate(took.off), rate(took.on), percent(median(ratios)), percent(cpu))
    row('events worked off', '', perSecond.toFixed(0))
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const percent = (ratio: number) => `${((ratio - 1) * 100).toFixed(1)} %`

const hasWaiting = async ({ db }: Database) => (await db.select().from(happeningQueue).limit(1)).length > 0

/** How many events a second are worked off of those that happened while nobody served. */
async function workedOff(
  folder: string,
  database: Database,
  { tenantId, inboxId }: { tenantId: string; inboxId: string },
) {
  await switchAll(database, true)
  for (let made = 0; made < WAITING; made += 100) {
    await database.transaction(async (tx) => {
      for (let index = made; index < made + 100; index++) {
        const subject = index % 10 === 0 ? 'Where is my order?' : 'A question'
        const ticket = { inboxId, email: `w${index}@example.com`, subject, text: TEXT }
        await openTicket(tx, commandCaller(tenantId, Date.now()), ticket)
      }
    })
  }
  const service = await startService(folder)
  const before = performance.now()
  while (await hasWaiting(database)) await Bun.sleep(2)
  const time = performance.now() - before
  await service.stop()
  return (WAITING / time) * 1000
}

async function seed(database: Database) {
  const at = Date.now()
  const { tenantId } = await database.transaction((tx) => createTenant(tx, { name: 'Bench' }, at))
  const caller = commandCaller(tenantId, at)
  const scopes = ['tickets:write']
  const { key } = await database.transaction((tx) => createKey(tx, caller, { name: 'k', scopes, expiresAt: null }))
  let inboxId = ''
  await database.transaction(async (tx) => {
    inboxId = (await createInbox(tx, caller, { name: 'Help', channel: 'email', emailAddress: 'help@acme.test' })).id
    for (let index = 0; index < RULES; index++) {
      const all = [
        { field: 'subject', contains: index % 50 === 0 ? 'order' : `matter ${index}` },
        ...(index % 10 === 0 ? [{ field: 'contact.email', contains: '@' }] : []),
        { field: 'text', contains_not: `word ${index}` },
      ]
      const then = [{ do: 'add_tags', tags: [`tag ${index % 20}`] }]
      await createRule(tx, caller, { name: `Rule ${index}`, on: 'ticket.created', when: { all }, then })
    }
  })
  return { tenantId, key, inboxId }
}

const switchAll = (database: Database, enabled: boolean) =>
  database.transaction((tx) => tx.update(rules).set({ enabled }))

let customers = 0
async function makeTicket(port: number, key: string): Promise<void> {
  const number = ++customers
  const response = await fetch(`http://127.0.0.1:${port}/v1/tickets`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `c${number}@example.com`,
      subject: number % 10 === 0 ? 'Where is my order?' : 'A question',
      text: TEXT,
    }),
  })
  if (!response.ok) throw new Error(await response.text())
  await response.arrayBuffer()
}

async function inParallel(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count
  const worker = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
}
