import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import { lean } from './lean.ts'

/** How many of the newest messages tell how often a word is. */
const SAMPLE = sql.raw('1600')

/** PostgreSQL's words for what `db/dialect.ts` describes. */
type Executing = { execute(statement: SQL): Promise<unknown> }

export const dialect: Dialect = {
  mergesUnions: false,
  lean,
  // drizzle over PostgreSQL has no `run`, which its type speaks of.
  noteSize: (tx, table) => (tx as unknown as Executing).execute(sql`ANALYZE ${table}`),

  // The writer notes an error, and looks for one before it answers.
  async send(query, values) {
    Promise.resolve(query.execute(values)).catch(() => {})
  },

  writesLists: true,

  listedRows(jsonArray, columns) {
    const types = Object.entries(columns).map(([name, kind]) => `"${name}" ${kind === 'number' ? 'bigint' : 'text'}`)
    return sql`jsonb_to_recordset(${jsonArray}::text::jsonb) AS listed(${sql.raw(types.join())})`
  },

  rowsWritten: (outcome) => (outcome as { count: number }).count,

  transactionNumber: sql<number>`transaction_number(pg_current_xact_id())`,

  hasEnded: (transactionNumber) =>
    sql`${transactionNumber} < transaction_number(pg_snapshot_xmin(pg_current_snapshot()))`,

  isBehind: (row, place) => sql`(${row.transaction}, ${row.number}) > (${place.transaction}, ${place.number})`,

  isOneOf(column, jsonArray) {
    const type = sql.raw(column.dataType === 'number' ? 'bigint[]' : 'text[]')
    return sql`${column} = ANY (ARRAY (SELECT jsonb_array_elements_text(${jsonArray}::text::jsonb))::${type})`
  },

  isAmong: (column, few) => sql`${column} = ANY (ARRAY ${few})`,

  // An array is read in the index's order; an aggregate would sort it again, for every row.
  textList: (column, from, where) =>
    sql`nullif(array_to_string(ARRAY (SELECT ${column} FROM ${from} WHERE ${where} ORDER BY ${column}), ','), '')`,

  lastOf: (column) => sql<number>`(array_agg(${column}))[count(*)]`,

  withoutIndex: (column) => sql`(${column} || '')`,

  /** Looks for the words as `article_words` wrote them: see the `article_search` migration. */
  articleSearch({ sourceId, language }, words) {
    const prefixes = words.map((word) => phrase([word], '*'))
    return JSON.stringify({
      ...{ source: sourceId, language },
      everyWord: prefixes.join(' & '),
      asPhrase: `(${phrase(words, 'A')}) | (${phrase(words, 'B')})`,
      inTitle: words.map((word) => phrase([word], 'A')),
    })
  },

  // The search terms are worked out first, so that they are known when the index is used.
  articleMatches: (search) => sql`(
    SELECT found.number,
      (found.search @@ (wanted.it ->> 'asPhrase')::tsquery)::int::bigint + 2 * (
        SELECT count(*) FROM jsonb_array_elements_text(wanted.it -> 'inTitle') AS word
        WHERE found.search @@ word::tsquery
      ) AS score
    FROM (SELECT ${search}::text::jsonb AS it) AS wanted
    INNER JOIN articles AS found
      ON found.source_id = (wanted.it ->> 'source') AND found.language = (wanted.it ->> 'language')
        AND found.search @@ (wanted.it ->> 'everyWord')::tsquery
  ) AS hits`,

  wordSearch: ({ sourceId, language }, words) =>
    JSON.stringify({
      ...{ source: sourceId, language },
      words: words.map(({ word, isBeginning, isInTitle, weight }) => {
        const where = `${isBeginning ? '*' : ''}${isInTitle ? 'A' : ''}`
        const parts = partsOf(word).map((part) => `'${part}'${where && `:${where}`}`)
        return { match: parts.join(' <-> '), weight }
      }),
    }),

  wordCounts: (search, most) => sql`(
    SELECT sum((
      SELECT count(*) FROM (
        SELECT 1 FROM articles AS found
        WHERE found.source_id = (all_of.it ->> 'source') AND found.language = (all_of.it ->> 'language')
        AND found.search @@ (wanted.word ->> 'match')::tsquery
        LIMIT ${most}
      ) AS found
    )) AS count
    FROM (SELECT ${search}::text::jsonb AS it) AS all_of
    CROSS JOIN LATERAL jsonb_array_elements(all_of.it -> 'words') AS wanted(word)
  ) AS counts`,

  // ts_rank of one word adds less for each time more, and divides by the logarithm of the article's length.
  wordMatches: (search) => sql`(
    SELECT found.number,
      sum((wanted.word ->> 'weight')::float8 *
        ts_rank('{0, 0, 0.33, 1}', found.search, (wanted.word ->> 'match')::tsquery, 1)) AS score
    FROM (SELECT ${search}::text::jsonb AS it) AS all_of
    CROSS JOIN LATERAL jsonb_array_elements(all_of.it -> 'words') AS wanted(word)
    INNER JOIN articles AS found
      ON found.source_id = (all_of.it ->> 'source') AND found.language = (all_of.it ->> 'language')
        AND found.search @@ (wanted.word ->> 'match')::tsquery
    GROUP BY found.number
  ) AS hits`,

  /** The tenant is a word of its messages, which begins with a character that no word looked for has. */
  messageSearch(tenantId, words) {
    const parts = words.flatMap(partsOf)
    if (parts.length === 0) return null
    const wanted = [`\u{e000}${tenantId.replaceAll('-', '')}`, ...parts].map((part) => `'${part}'`)
    const every = `${wanted.join(' & ')}:*`
    // Thousands of words begin with the same letter or two, and the index would read them all.
    const isLeftToRows = parts.length > 1 && (parts.at(-1) as string).length <= 2
    return JSON.stringify({ every, indexed: isLeftToRows ? wanted.slice(0, -1).join(' & ') : every })
  },

  // The index gives all that there is, in no order, and each has to be looked up. What enough of the newest hold is found
  // sooner by going through these by their number: where more than `share` of a sample do, which is where both ways cost
  // the same. Where that finds too few after all, the index is asked. The tenant is no condition here, so that none but
  // these two ways are taken.
  messageMatches: ({ search, before, most }) => sql`(
    WITH wanted AS MATERIALIZED (
      SELECT (it ->> 'every')::tsquery AS words, (it ->> 'indexed')::tsquery AS indexed,
        it ->> 'every' = it ->> 'indexed' AS is_all_indexed, ${before}::bigint AS before, ${most}::bigint AS most,
        sqrt(${most}::bigint::float8 / greatest((SELECT max(number) FROM searched_messages), 1)) / 2 AS share
      FROM (SELECT ${search}::text::jsonb AS it) AS looked_for
    ), sample AS MATERIALIZED (
      SELECT count(*) AS found FROM (
        SELECT search FROM searched_messages WHERE number < (SELECT before FROM wanted)
        ORDER BY number DESC LIMIT ${SAMPLE}
      ) AS last
      WHERE search @@ (SELECT words FROM wanted)
    ), newest AS MATERIALIZED (
      SELECT number FROM (
        SELECT number, search FROM searched_messages WHERE number < (SELECT before FROM wanted)
        ORDER BY number DESC
        LIMIT (SELECT CASE WHEN found > share * ${SAMPLE} THEN (1.5 * most / share)::bigint ELSE 0 END FROM wanted, sample)
      ) AS last
      WHERE search @@ (SELECT words FROM wanted)
      ORDER BY number DESC LIMIT (SELECT most FROM wanted)
    )
    (SELECT number FROM newest WHERE (SELECT count(*) FROM newest) >= (SELECT most FROM wanted))
    UNION ALL
    (SELECT number FROM searched_messages
      WHERE (SELECT count(*) FROM newest) < (SELECT most FROM wanted)
        AND search @@ (SELECT indexed FROM wanted) AND number + 0 < (SELECT before FROM wanted)
        AND CASE WHEN (SELECT is_all_indexed FROM wanted) THEN true ELSE search @@ (SELECT words FROM wanted) END
      ORDER BY number + 0 DESC LIMIT (SELECT most FROM wanted))
  ) AS hits`,
}

/**
 * The words one after the other, the last as the beginning of a word: anywhere (`*`), in the title (`A`) or in the
 * content (`B`), never across both.
 */
function phrase(words: readonly string[], where: '*' | 'A' | 'B'): string {
  const weight = where === '*' ? '' : where
  const parts = words.flatMap(partsOf)
  return parts.map((part, i) => `'${part}':${i === parts.length - 1 ? '*' : ''}${weight}`).join(' <-> ')
}

/** As `article_words` has them: small letters, without accents, split where neither letter nor digit is. */
function partsOf(word: string): string[] {
  const plain = word.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
  return plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
