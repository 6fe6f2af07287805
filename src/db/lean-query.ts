import type { Statement } from 'bun:sqlite'
import { Column, type DriverValueEncoder, is, noopDecoder, Param, Placeholder, SQL, sql } from 'drizzle-orm'

type Field = Column | SQL | SQL.Aliased
type Row = Record<string, unknown>

/** What a prepared drizzle query carries, as far as we use it. */
interface PreparedQuery {
  readonly executeMethod: 'all' | 'get' | 'run' | 'values'
  readonly fields?: { path: string[]; field: Field }[]
  readonly stmt: Statement
  readonly query: { params: unknown[] }
  all(values: Row): unknown
  get(values: Row): unknown
  values(values: Row): unknown
  execute(values?: Row): PromiseLike<unknown>
}

/**
 * The fields of a select, each named by an alias: `named({ lastName: contacts.lastName })`. SQLite then hands out rows
 * that are objects already, and a prepared select of them costs no mapping (see `lean`).
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
 * Makes `execute` of a prepared query cost hardly more than its statement. drizzle asks of every parameter what it is,
 * each time, and answers through three promises; of a select it fetches arrays and walks every field's path for every
 * row, which costs as much as SQLite does for a page. Here parameters are told apart once, and rows of a select whose
 * fields are all `named` are taken as they are. The rows of other selects are drizzle's to map.
 */
export function lean<Q>(query: Q): Q {
  const prepared = query as PreparedQuery
  const { executeMethod, stmt } = prepared
  const bind = binder(prepared.query.params)
  const decode = rowDecoder(prepared.fields)
  if (executeMethod === 'run') prepared.execute = async (values = {}) => stmt.run(...bind(values))
  else if (decode) prepared.execute = async (values = {}) => decode(stmt.all(...bind(values)) as Row[])
  else prepared.execute = async (values = {}) => prepared[executeMethod](values)
  return query
}

type Bindable = Parameters<Statement['all']>[number]

/** Puts the values of placeholders into the order of a statement's parameters. */
function binder(params: unknown[]): (values: Row) => Bindable[] {
  const slots = params.map(slotOf)
  return (values) =>
    slots.map(({ name, encoder, constant }) => {
      if (name === null) return constant
      const value = values[name]
      if (value === undefined) throw new Error(`no value for the placeholder ${name}`)
      return (encoder === null ? value : encoder.mapToDriverValue(value)) as Bindable
    })
}

interface Slot {
  /** Of the placeholder; null for what is always the same. */
  name: string | null
  encoder: DriverValueEncoder<unknown, unknown> | null
  constant: Bindable
}

function slotOf(param: unknown): Slot {
  if (is(param, Placeholder)) return { name: param.name, encoder: null, constant: null }
  if (is(param, Param) && is(param.value, Placeholder)) {
    return { name: param.value.name, encoder: param.encoder, constant: null }
  }
  return { name: null, encoder: null, constant: param as Bindable }
}

/** How the rows of a select are read whose fields are all `named`; null for other queries. */
function rowDecoder(fields: PreparedQuery['fields']): ((rows: Row[]) => Row[]) | null {
  if (!fields?.every(({ field }) => is(field, SQL.Aliased))) return null
  const decoded = fields.flatMap(({ path, field }) => {
    const decoder = decoderOf(field as SQL.Aliased)
    return decoder ? [{ name: path[0] as string, decoder }] : []
  })
  return (rows) => {
    for (const { name, decoder } of decoded) {
      for (const row of rows) if (row[name] !== null) row[name] = decoder.mapFromDriverValue(row[name])
    }
    return rows
  }
}

type Decoder = Pick<Column, 'mapFromDriverValue'>

/** How a field's value is read, or null where it is taken as it is. */
function decoderOf(field: SQL.Aliased): Decoder | null {
  const { decoder } = field.sql as unknown as { decoder: Decoder }
  return decoder === noopDecoder || decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue ? null : decoder
}
