import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandCaller } from '../../src/caller.ts'
import { type Database, openDatabase } from '../../src/db/index.ts'
import { messages, tickets } from '../../src/db/schema.ts'
import { createInbox } from '../../src/inboxes/operations.ts'
import { newId } from '../../src/lib/ids.ts'
import { formatTime } from '../../src/lib/time.ts'
import { createTenant } from '../../src/tenants/operations.ts'
import { type InboxFilters, listInbox } from '../../src/tickets/inbox/list.ts'
import { searchInbox } from '../../src/tickets/search/search.ts'
import { median, print, quantile, row } from './harness/report.ts'

const TICKETS = 20_000
const MESSAGES = 200_000
const WORDS = 60_000
const ROUNDS = 60

/** What people look for: how often the words are, from the commonest (0) to the rarest (1), and how the last is cut. */
const kinds: Record<string, { words: readonly number[]; cutTo?: number; filters?: InboxFilters }> = {
  'a rare word': { words: [0.9] },
  'a word of a few hundred messages': { words: [0.55] },
  'two words, neither rare': { words: [0.3, 0.5] },
  'the beginning of a word': { words: [0.7], cutTo: 3 },
  'a word and one letter': { words: [0.5, 0.4], cutTo: 1 },
  'a word that nearly all hold': { words: [0] },
  'one letter': { words: [0.1], cutTo: 1 },
  'a common word, among spam': { words: [0.05], filters: { status: 'spam' } },
}

/** The list of the inbox and searching it, in the process, with 200,000 messages in 20,000 tickets. `url`: of PostgreSQL. */
export async function benchSearch(
  url: string | null = process.env.FRONTDESK_BENCH_DATABASE_URL ?? null,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const database = await openDatabase({ dataDir, databaseUrl: url })
    const random = generator(7)
    const begun = performance.now()
    const tenantId = await fill(database, random)
    print(`${MESSAGES} messages written in ${Math.round((performance.now() - begun) / 1000)} s`)
    row(`${MESSAGES} messages`, 'p50 ms', 'p95 ms', 'p95 of CPU', 'tickets')
    const page = { cursor: undefined, limit: 50 }
    await measure('the list of open tickets', async () => listInbox(database.db, tenantId, page, { status: 'open' }))
    const all: Taken[] = []
    for (const [name, { words, cutTo, filters = {} }] of Object.entries(kinds)) {
      all.push(
        ...(await measure(name, async () => {
          const wanted = words.map((share) => word(Math.floor(WORDS ** Math.min(share + random() * 0.1, 0.999)) - 1))
          const last = wanted.pop() as string
          const text = [...wanted, cutTo === undefined ? last : last.slice(0, cutTo)].join(' ')
          return searchInbox(database.db, tenantId, text, page, filters)
        })),
      )
    }
    report('all of these', all)
    await database.close()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** In milliseconds: by the clock, and of this process alone, whatever else the machine does. */
interface Taken {
  readonly time: number
  readonly cpu: number
}

async function measure(name: string, find: () => Promise<{ items: readonly unknown[] }>): Promise<Taken[]> {
  const taken: Taken[] = []
  let found = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now()
    const before = process.cpuUsage()
    found += (await find()).items.length
    const { user, system } = process.cpuUsage(before)
    taken.push({ time: performance.now() - begun, cpu: (user + system) / 1000 })
  }
  report(name, taken, (found / ROUNDS).toFixed(0))
  return taken
}

function report(name: string, taken: readonly Taken[], found = ''): void {
  const times = taken.map(({ time }) => time)
  const cpu = quantile(
    taken.map((one) => one.cpu),
    0.95,
  )
  row(name, median(times).toFixed(1), quantile(times, 0.95).toFixed(1), cpu.toFixed(1), found)
}

async function fill(database: Database, random: () => number): Promise<string> {
  const { tenantId } = await database.transaction((tx) => createTenant(tx, { name: 'Bench' }, Date.now()))
  const first = Date.now() - MESSAGES * 1000
  const inboxId = await database.transaction(async (tx) => {
    const caller = commandCaller(tenantId, Date.now())
    return (await createInbox(tx, caller, { name: 'Help', channel: 'email', emailAddress: 'help@bench.test' })).id
  })
  const ids: string[] = []
  for (let from = 0; from < TICKETS; from += 500) {
    const rows = Array.from({ length: 500 }, (_, i) => ticketRow(tenantId, inboxId, from + i + 1, first, random))
    ids.push(...rows.map(({ id }) => id))
    await database.transaction((tx) => tx.insert(tickets).values(rows))
  }
  for (let from = 0; from < MESSAGES; from += 500) {
    const rows = Array.from({ length: 500 }, (_, i) =>
      messageRow(tenantId, ids[Math.floor(random() * TICKETS)] as string, first + (from + i) * 1000, random),
    )
    await database.transaction((tx) => tx.insert(messages).values(rows))
  }
  return tenantId
}

function ticketRow(tenantId: string, inboxId: string, number: number, first: number, random: () => number) {
  const at = formatTime(first + number * 10_000)
  const status = number % 100 === 0 ? 'spam' : number % 10 === 0 ? 'open' : 'closed'
  return {
    tenantId,
    id: newId(first + number * 10_000),
    inboxId,
    sequentialNumber: number,
    status,
    priority: 'normal',
    requesterEmail: `${word(number)}@customer.test`,
    requesterName: word(number),
    subject: text(random, 6),
    excerpt: text(random, 25),
    messageCount: MESSAGES / TICKETS,
    lastMessageAt: at,
    createdAt: at,
    updatedAt: at,
  } as const
}

function messageRow(tenantId: string, ticketId: string, at: number, random: () => number) {
  const content = text(random, 40 + Math.floor(random() * 80))
  return {
    tenantId,
    id: newId(at),
    ticketId,
    state: 'public',
    direction: 'inbound',
    source: 'email',
    authorType: 'contact',
    html: `<p>${content}</p>`,
    text: content,
    to: [] as string[],
    cc: [] as string[],
    createdAt: formatTime(at),
  } as const
}

/** As often as words are in a language (Zipf): the first is in nearly every message, most are in a few. */
function text(random: () => number, count: number): string {
  return Array.from({ length: count }, () => word(Math.floor(WORDS ** random()) - 1)).join(' ')
}

/** A pronounceable word for a number: `kobuti`. */
function word(number: number): string {
  let made = ''
  for (let rest = ((number * 7919) % 857_375) + 95; rest > 0; rest = Math.floor(rest / 95)) {
    made += ('bcdfghjklmnprstvwxz'[rest % 19] as string) + ('aeiou'[Math.floor(rest / 19) % 5] as string)
  }
  return made
}

/** The same numbers each time (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

if (import.meta.main) await benchSearch()
