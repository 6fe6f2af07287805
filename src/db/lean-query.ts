import { Column, type DriverValueEncoder, is, noopDecoder, Param, Placeholder, SQL, sql } from 'drizzle-orm'

/* What makes prepared queries cheap on either engine. */

export type Field = Column | SQL | SQL.Aliased
export type Row = Record<string, unknown>

/**
 * The fields of a select, each named by an alias: `named({ lastName: contacts.lastName })`. The engine then hands
 * out rows that are objects already, and a prepared select of them costs no mapping (see `Dialect.lean`).
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

/** Puts the values of placeholders into the order of a statement's parameters. */
export function binder<Bindable>(params: unknown[]): (values: Row) => Bindable[] {
  const slots = params.map(slotOf)
  return (values) =>
    slots.map(({ name, encoder, constant }) => {
      if (name === null) return constant as Bindable
      const value = values[name]
      if (value === undefined) throw new Error(`no value for the placeholder ${name}`)
      return (encoder === null ? value : encoder.mapToDriverValue(value)) as Bindable
    })
}

interface Slot {
  /** Of the placeholder; null for what is always the same. */
  name: string | null
  encoder: DriverValueEncoder<unknown, unknown> | null
  constant: unknown
}

function slotOf(param: unknown): Slot {
  if (is(param, Placeholder)) return { name: param.name, encoder: null, constant: null }
  if (is(param, Param) && is(param.value, Placeholder)) {
    return { name: param.value.name, encoder: param.encoder, constant: null }
  }
  return { name: null, encoder: null, constant: param }
}

/** How the rows of a select are read whose fields are all `named`; null for other queries. */
export function rowDecoder(
  fields: readonly { path: string[]; field: Field }[] | undefined,
): ((rows: Row[]) => Row[]) | null {
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
