import { Database as Sqlite } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { upsertArticle } from '../../src/articles/operations.ts'
import { createSource } from '../../src/articles/sources.ts'
import { commandCaller } from '../../src/caller.ts'
import { DATABASE_FILE, type Database, openDatabase } from '../../src/db/index.ts'
import { createInbox } from '../../src/inboxes/operations.ts'
import { createTenant } from '../../src/tenants/operations.ts'
import { type Running, startService } from './harness/processes.ts'
import { median, quantile, row } from './harness/report.ts'

const ARTICLES = 10_000
const WORDS = 12_000
const QUESTIONS = 1000
const ROUNDS = 5

/**
 * Questions over 10,000 articles, one after the other, by HTTP. The floor is SQLite's own ranking of the same words in the
 * same file: the bare statement, with none of the articles read for an excerpt.
 */
export async function benchAsk(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const database = await openDatabase({ dataDir })
    const random = generator(7)
    const sourceId = await fill(database, random)
    await database.close()
    const service = await startService(dataDir, { FRONTDESK_PUBLIC_RATE_LIMIT: '1000000000' })
    const sqlite = new Sqlite(join(dataDir, DATABASE_FILE), { readonly: true })
    const bare = sqlite.prepare(
      'SELECT rowid FROM article_search WHERE article_search MATCH ? ORDER BY bm25(article_search, 0, 3, 1) LIMIT 5',
    )
    const questions = Array.from({ length: QUESTIONS }, () => question(random))
    const rounds = []
    for (let i = 0; i < ROUNDS; i += 1) {
      const floor = await times(questions, async (text) => Response.json(bare.all(anyWordOf(text))))
      const asked = await times(questions, (text) => ask(service, sourceId, text))
      rounds.push({
        p50: median(asked),
        p99: quantile(asked, 0.99),
        floor: median(floor),
        floor99: quantile(floor, 0.99),
      })
    }
    row(`questions over ${ARTICLES} articles`, 'p50 ms', 'p99 ms', 'floor p50', 'floor p99', 'ratio')
    row(
      'POST /chat/{sourceId}/ask',
      median(rounds.map(({ p50 }) => p50)).toFixed(2),
      median(rounds.map(({ p99 }) => p99)).toFixed(2),
      median(rounds.map(({ floor }) => floor)).toFixed(2),
      median(rounds.map(({ floor99 }) => floor99)).toFixed(2),
      median(rounds.map(({ p50, floor }) => floor / p50)).toFixed(2),
    )
    sqlite.close()
    await service.stop()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function fill(database: Database, random: () => number): Promise<string> {
  const { tenantId } = await database.transaction((tx) => createTenant(tx, { name: 'Bench' }, Date.now()))
  const caller = commandCaller(tenantId, Date.now())
  const sourceId = await database.transaction(async (tx) => {
    const inbox = await createInbox(tx, caller, { name: 'Chat', channel: 'livechat' })
    return (await createSource(tx, caller, { name: 'Help', inboxId: inbox.id })).id
  })
  for (let at = 0; at < ARTICLES; at += 500) {
    await database.transaction(async (tx) => {
      for (let i = at; i < at + 500; i += 1) {
        const paragraphs = Array.from({ length: 6 }, () => `${words(random, 40)}.`)
        const content = `## ${words(random, 4)}\n\n${paragraphs.join('\n\n')}`
        await upsertArticle(tx, caller, sourceId, `article-${i}`, { title: words(random, 5), content })
      }
    })
  }
  return sourceId
}

/** As often as words are in a language (Zipf): the first is in nearly every article, most are in a few. */
function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () => word(Math.floor(WORDS ** random()))).join(' ')
}

function anyWordOf(text: string): string {
  return `{title content} : (${text.slice(0, -1).split(' ').join(' OR ')})`
}

/** Nine words, of all kinds. */
function question(random: () => number): string {
  return `${words(random, 9)}?`
}

/** A pronounceable word for a number: `kobuti`. */
function word(number: number): string {
  let text = ''
  for (let rest = number + 40; rest > 0; rest = Math.floor(rest / 95)) {
    text += ('bcdfghjklmnprstvwxz'[rest % 19] as string) + ('aeiou'[Math.floor(rest / 19) % 5] as string)
  }
  return text
}

async function ask(service: Running, sourceId: string, text: string): Promise<Response> {
  return fetch(url(service, `/chat/${sourceId}/ask`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question: text }),
  })
}

function url({ port }: Running, path: string): string {
  return `http://127.0.0.1:${port}${path}`
}

/** Milliseconds for each, answered in full. Throws where one is not. */
async function times(questions: readonly string[], send: (text: string) => Promise<Response>): Promise<number[]> {
  const taken: number[] = []
  for (const text of questions) {
    const begun = performance.now()
    const response = await send(text)
    await response.text()
    taken.push(performance.now() - begun)
    if (response.status !== 200) throw new Error(`a question was answered ${response.status}`)
  }
  return taken
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

if (import.meta.main) await benchAsk()
