import { binder, type Field, type Row, rowDecoder } from '../lean-query.ts'

/** Runs a statement: `rows` as arrays of values, or as objects. */
export type Run = (text: string, params: unknown[], rows: 'values' | 'objects') => Promise<unknown[]>

/** What a prepared drizzle query carries, as far as we use it; `test/db/drizzle-inside.test.ts` fails by name when it changes. */
interface PreparedQuery {
  readonly run: Run
  readonly queryString: string
  readonly params: unknown[]
  readonly fields?: { path: string[]; field: Field }[]
  execute(values?: Row): PromiseLike<unknown>
}

/**
 * Hands a prepared query's text and parameters straight to the driver, which prepares a text once for each connection.
 * The rows of selects whose fields are not all `named` are drizzle's to map.
 */
export function lean<Q>(query: Q): Q {
  const prepared = query as PreparedQuery
  const { run, queryString, fields } = prepared
  const decode = rowDecoder(fields)
  if (fields && !decode) return query
  const bind = binder<unknown>(prepared.params)
  prepared.execute = async (values = {}) => {
    const rows = await run(queryString, bind(values), 'objects')
    return decode ? decode(rows as Row[]) : rows
  }
  return query
}
