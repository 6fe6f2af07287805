import { Column, is, noopDecoder, SQL } from 'drizzle-orm'

interface SelectedField {
  path: string[]
  field: Column | SQL | SQL.Aliased
}

/** What a prepared drizzle select carries, as far as we use it. */
interface PreparedSelect {
  fields?: SelectedField[]
  customResultMapper?: (rows: unknown[][]) => unknown[]
}

/**
 * Gives a prepared select a row mapper made for its fields. drizzle's own walks every field's path for every row and
 * costs as much as SQLite does for a page; this one is a function of one object literal. Leaves alone what it does
 * not know: selects with nested fields, and statements that return no rows.
 */
export function withRowMapper<Q>(query: Q): Q {
  const select = query as PreparedSelect
  const fields = select.fields
  if (Array.isArray(fields) && !select.customResultMapper && fields.every(({ path }) => path.length === 1)) {
    select.customResultMapper = compileRowMapper(fields)
  }
  return query
}

/** Field names come from our own selects, never from a request: there is nothing foreign in the compiled text. */
function compileRowMapper(fields: readonly SelectedField[]): (rows: unknown[][]) => unknown[] {
  const decoders = fields.map(({ field }) => decoderOf(field))
  const members = fields.map(({ path }, i) => {
    const value = decoders[i] ? `row[${i}] === null ? null : decoders[${i}].mapFromDriverValue(row[${i}])` : `row[${i}]`
    return `${JSON.stringify(path[0])}: ${value}`
  })
  const mapRow = new Function('decoders', `return (row) => ({ ${members.join(', ')} })`)(decoders)
  return (rows) => rows.map(mapRow)
}

type Decoder = Pick<Column, 'mapFromDriverValue'>

/** How a field's value is read, or null where it is taken as it is. */
function decoderOf(field: SelectedField['field']): Decoder | null {
  if (is(field, Column)) return field.mapFromDriverValue === Column.prototype.mapFromDriverValue ? null : field
  const { decoder } = (is(field, SQL) ? field : field.sql) as unknown as { decoder: Decoder }
  return decoder === noopDecoder ? null : decoder
}
