import type { Statement } from 'bun:sqlite'
import { Column, fillPlaceholders, is, noopDecoder, SQL, sql } from 'drizzle-orm'

type Field = Column | SQL | SQL.Aliased
type Row = Record<string, unknown>

/** What a prepared drizzle select carries, as far as we use it. */
interface PreparedSelect {
  fields?: { path: string[]; field: Field }[]
  stmt: Statement
  query: { params: unknown[] }
  all(values?: Row): unknown[]
}

/**
 * The fields of a select, each named by an alias: `named({ lastName: contacts.lastName })`. SQLite then hands out rows
 * that are objects already, and a prepared select of them costs no mapping (see `withNativeRows`).
 */
export function named<F extends Record<string, Column | SQL>>(
  fields: F,
): { [K in keyof F]: SQL.Aliased<ValueOf<F[K]>> } {
  const aliased = Object.entries(fields).map(([name, field]) => [
    name,
    (is(field, Column) ? sql`${field}`.mapWith(field) : field).as(name),
  ])
  return Object.fromEntries(aliased)
}

type ValueOf<F> =
  F extends SQL<infer T>
    ? T
    : F extends Column<infer C>
      ? C['notNull'] extends true
        ? C['data']
        : C['data'] | null
      : never

/**
 * Lets a prepared select whose fields are all `named` take its rows from SQLite as they are. drizzle would fetch
 * arrays and walk every field's path for every row, which costs as much as SQLite does for a page. Other selects, and
 * statements that return no rows, stay as they are.
 */
export function withNativeRows<Q>(query: Q): Q {
  const select = query as PreparedSelect
  if (!Array.isArray(select.fields) || !select.fields.every(({ field }) => is(field, SQL.Aliased))) return query
  const decoded = select.fields.flatMap(({ path, field }) => {
    const decoder = decoderOf(field as SQL.Aliased)
    return decoder ? [{ name: path[0] as string, decoder }] : []
  })
  select.all = (values = {}) => {
    const rows = select.stmt.all(...(fillPlaceholders(select.query.params, values) as [])) as Row[]
    for (const { name, decoder } of decoded) {
      for (const row of rows) if (row[name] !== null) row[name] = decoder.mapFromDriverValue(row[name])
    }
    return rows
  }
  return query
}

type Decoder = Pick<Column, 'mapFromDriverValue'>

/** How a field's value is read, or null where it is taken as it is. */
function decoderOf(field: SQL.Aliased): Decoder | null {
  const { decoder } = field.sql as unknown as { decoder: Decoder }
  return decoder === noopDecoder || decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue ? null : decoder
}
