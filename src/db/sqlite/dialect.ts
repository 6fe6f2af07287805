import type { Database as Sqlite } from 'bun:sqlite'
import { inArray, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Dialect, Tx } from '../dialect.ts'
import * as schema from '../schema.ts'
import type { ArticlesOf } from '../searched.ts'
import { lean } from './lean.ts'
import { planOnce } from './plan-once.ts'

/** A handle over a connection. */
export function drizzleOver(sqlite: Pick<Sqlite, 'prepare'>): Tx {
  const client = { prepare: (text: string) => sqlite.prepare(planOnce(text)) } as unknown as Sqlite
  return Object.assign(drizzle(client, { schema }), { engine: dialect })
}

const storageFaults = ['FULL', 'IOERR', 'READONLY', 'CANTOPEN', 'BUSY']

/**
 * Whether the error says that nothing can be stored for now: the disk is full, failing or read-only, no descriptor is
 * left, or another program holds the file. Everything of the transaction was taken back.
 */
export function isStorageFault(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code)
  return storageFaults.some((fault) => code.startsWith(`SQLITE_${fault}`))
}

/** SQLite's words for what `db/dialect.ts` describes. */
const dialect: Dialect = {
  mergesUnions: true,
  lean,
  noteSize: async () => {},

  send: (query, values) => query.execute(values) as Promise<unknown>,

  writesLists: false,

  listedRows(jsonArray, columns) {
    const members = Object.keys(columns).map((name) => `value ->> '${name}' AS "${name}"`)
    return sql`(SELECT ${sql.raw(members.join())} FROM json_each(${jsonArray})) AS listed`
  },

  rowsWritten: (outcome) => (outcome as { changes: number }).changes,

  transactionNumber: sql<number>`0`,

  hasEnded: () => sql`true`,

  // Every row has 0, and a row value with the key of the table in it would be searched by its first part alone.
  isBehind: (row, place) => sql`${row.transaction} = 0 AND ${row.number} > ${place.number}`,

  isOneOf: (column, jsonArray) => inArray(column, sql`(SELECT value FROM json_each(${jsonArray}))`),

  isAmong: (column, few) => sql`${column} IN ${few}`,

  textList: (column, from, where) => sql`(SELECT group_concat(${column}) FROM ${from} WHERE ${where})`,

  // Every transaction has the same number, and rows come by their own.
  lastOf: (column) => sql<number>`max(${column})`,

  withoutIndex: (column) => sql`+${column}`,

  /** The source, with the language of a translation, is part of the text index, so other tenants' articles cost nothing and cannot show. */
  articleSearch(of, words) {
    const scope = scopeOf(of)
    // Words are letters and digits only; the quotes keep AND, OR, NOT and NEAR from being operators.
    const prefixes = words.map((word) => `"${word}" *`)
    const everyWord = { match: `${scope} AND {title content} : (${prefixes.join(' AND ')})`, weight: 0 }
    const inTitle = prefixes.map((prefix) => ({ match: `${scope} AND title : ${prefix}`, weight: 2 }))
    const asPhrase = { match: `${scope} AND {title content} : "${words.join(' ')}" *`, weight: 1 }
    return JSON.stringify([everyWord, asPhrase, ...inTitle])
  },

  articleMatches: (search) => sql`(
    SELECT found.rowid AS number, sum(wanted.value ->> 'weight') AS score
    FROM json_each(${search}) AS wanted
    CROSS JOIN article_search AS found
    WHERE found.article_search MATCH (wanted.value ->> 'match')
    GROUP BY found.rowid
    HAVING min(wanted.value ->> 'weight') = 0
  ) AS hits`,

  /** As `articleSearch`: words of the question are looked for one by one, so that each is weighed by its own source. */
  wordSearch(of, words) {
    const scope = scopeOf(of)
    return JSON.stringify(
      words.map(({ word, isBeginning, isInTitle, weight }) => {
        const wanted = `{title ${isInTitle ? '' : 'content'}} : "${word}"${isBeginning ? ' *' : ''}`
        return { match: `${scope} AND ${wanted}`, anywhere: wanted, weight }
      }),
    )
  },

  wordCounts: (search, most) => sql`(
    SELECT sum((
      SELECT count(*) FROM (
        SELECT 1 FROM article_search WHERE article_search MATCH (wanted.value ->> 'match') LIMIT ${most}
      )
    )) AS count
    FROM json_each(${search}) AS wanted
  ) AS counts`,

  // bm25 weighs a word by how rare it is in all articles, of other tenants too: that is divided out again, by bm25's own
  // formula for it. The limits keep the planner from asking for bm25 where there is none to have.
  wordMatches: (search) => sql`(
    SELECT number, sum(score) AS score FROM (
      SELECT found.rowid AS number, -bm25(article_search, 0, 3, 1) * wanted.factor AS score
      FROM (
        SELECT match, weight / max(1e-6, ln((total - holding + 0.5) / (holding + 0.5))) AS factor FROM (
          SELECT value ->> 'match' AS match, value ->> 'weight' AS weight,
            (SELECT count(*) FROM article_search WHERE article_search MATCH (value ->> 'anywhere')) AS holding,
            (SELECT count(*) FROM articles) AS total
          FROM json_each(${search}) LIMIT -1
        ) LIMIT -1
      ) AS wanted
      CROSS JOIN article_search AS found
      WHERE found.article_search MATCH wanted.match LIMIT -1
    ) GROUP BY number
  ) AS hits`,

  /** The tenant is a word of its messages, which begins with a character that no word looked for has. */
  messageSearch(tenantId, words) {
    const parts = words.flatMap(partsOf)
    if (parts.length === 0) return null
    const wanted = parts.map((part, i) => `"${part}"${i === parts.length - 1 ? ' *' : ''}`)
    return [`"\u{e000}${tenantId.replaceAll('-', '')}"`, ...wanted].join(' AND ')
  },

  // Other tenants' cannot show: each holds its own tenant, and rows are looked up by number and tenant.
  messageMatches: ({ search, before, most }) => sql`(
    SELECT found.rowid AS number FROM message_search AS found
    WHERE found.message_search MATCH ${search} AND found.rowid < ${before} ORDER BY found.rowid DESC LIMIT ${most}
  ) AS hits`,
}

/** As the triggers of the text index have it. */
function scopeOf({ sourceId, language }: ArticlesOf): string {
  return `source : "${sourceId.replaceAll('-', '')}${language}"`
}

/**
 * What the tokeniser of `message_search` makes of a word, but for capitals and accents: it skips accents, and splits at other
 * marks and at a few letters. A part that it would split further is an error to an index that does not know what stands
 * beside what.
 */
function partsOf(word: string): string[] {
  const plain = word.normalize('NFC').replace(/[\u0300-\u0331]/g, '')
  return plain.match(/[[\p{L}\p{N}]--[\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3]]+/gv) ?? []
}
