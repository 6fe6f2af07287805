import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import { lean } from './lean.ts'

/** PostgreSQL's words for what `db/dialect.ts` describes. */
export const dialect: Dialect = {
  lean,

  // The writer notes an error, and looks for one before it answers.
  async send(query, values) {
    Promise.resolve(query.execute(values)).catch(() => {})
  },

  rowsWritten: (outcome) => (outcome as { count: number }).count,

  isOneOf(column, jsonArray) {
    const type = sql.raw(column.dataType === 'number' ? 'bigint[]' : 'text[]')
    return sql`${column} = ANY (ARRAY (SELECT jsonb_array_elements_text(${jsonArray}::text::jsonb))::${type})`
  },

  // An array is read in the index's order; an aggregate would sort it again, for every row.
  textList: (column, from, where) =>
    sql`nullif(array_to_string(ARRAY (SELECT ${column} FROM ${from} WHERE ${where} ORDER BY ${column}), ','), '')`,

  withoutIndex: (column) => sql`(${column} || '')`,

  /** Looks for the words as `article_words` wrote them: see the `article_search` migration. */
  articleSearch(sourceId, words) {
    const prefixes = words.map((word) => phrase([word], '*'))
    return JSON.stringify({
      source: sourceId,
      everyWord: prefixes.join(' & '),
      asPhrase: `(${phrase(words, 'A')}) | (${phrase(words, 'B')})`,
      inTitle: words.map((word) => phrase([word], 'A')),
    })
  },

  // What is looked for comes first, so that its parts are there when the index is asked.
  articleMatches: (search) => sql`(
    SELECT found.number,
      (found.search @@ (wanted.it ->> 'asPhrase')::tsquery)::int::bigint + 2 * (
        SELECT count(*) FROM jsonb_array_elements_text(wanted.it -> 'inTitle') AS word
        WHERE found.search @@ word::tsquery
      ) AS score
    FROM (SELECT ${search}::text::jsonb AS it) AS wanted
    INNER JOIN articles AS found
      ON found.source_id = (wanted.it ->> 'source') AND found.search @@ (wanted.it ->> 'everyWord')::tsquery
  ) AS hits`,

  wordSearch: (sourceId, words) =>
    JSON.stringify({
      source: sourceId,
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
        WHERE found.source_id = (all_of.it ->> 'source') AND found.search @@ (wanted.word ->> 'match')::tsquery
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
      ON found.source_id = (all_of.it ->> 'source') AND found.search @@ (wanted.word ->> 'match')::tsquery
    GROUP BY found.number
  ) AS hits`,

  /** The tenant is a word of its messages, which begins with a character that no word looked for has. */
  messageSearch(tenantId, words) {
    const parts = words.flatMap(partsOf)
    if (parts.length === 0) return null
    const wanted = parts.map((part, i) => `'${part}'${i === parts.length - 1 ? ':*' : ''}`)
    return [`'\u{e000}${tenantId.replaceAll('-', '')}'`, ...wanted].join(' & ')
  },

  // The index gives all that there is, in no order. Of words that every fourth message holds there is enough among the
  // newest, which are gone through by their number. The tenant is no condition here, so that none but these two ways are taken.
  messageMatches: ({ search, before, most }) => sql`(
    WITH wanted AS MATERIALIZED (
      SELECT ${search}::text::tsquery AS words, ${before}::bigint AS before, ${most}::bigint AS most
    ), newest AS MATERIALIZED (
      SELECT number FROM (
        SELECT number, search FROM searched_messages WHERE number < (SELECT before FROM wanted)
        ORDER BY number DESC LIMIT (SELECT 4 * most FROM wanted)
      ) AS last
      WHERE search @@ (SELECT words FROM wanted)
    )
    (SELECT number FROM newest WHERE (SELECT count(*) FROM newest) >= (SELECT most FROM wanted)
      ORDER BY number DESC LIMIT (SELECT most FROM wanted))
    UNION ALL
    (SELECT number FROM searched_messages
      WHERE (SELECT count(*) FROM newest) < (SELECT most FROM wanted)
        AND search @@ (SELECT words FROM wanted) AND number + 0 < (SELECT before FROM wanted)
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
