import type { Statement } from 'bun:sqlite'
import { binder, type Field, type Row, rowDecoder } from '../lean-query.ts'

/** What a prepared drizzle query carries, as far as we use it; `test/db/drizzle-inside.test.ts` fails by name when it changes. */
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

type Bindable = Parameters<Statement['all']>[number]

/**
 * Makes `execute` of a prepared query cost hardly more than its statement. drizzle asks of every parameter what it is,
 * each time, and answers through three promises; of a select it fetches arrays and walks every field's path for every
 * row, which costs as much as SQLite does for a page. Here parameters are told apart once, and rows of a select whose
 * fields are all `named` are taken as they are. The rows of other selects are drizzle's to map.
 */
export function lean<Q>(query: Q): Q {
  const prepared = query as PreparedQuery
  const { executeMethod, stmt } = prepared
  const bind = binder<Bindable>(prepared.query.params)
  const decode = rowDecoder(prepared.fields)
  if (executeMethod === 'run') prepared.execute = async (values = {}) => stmt.run(...bind(values))
  else if (decode) prepared.execute = async (values = {}) => decode(stmt.all(...bind(values)) as Row[])
  else prepared.execute = async (values = {}) => prepared[executeMethod](values)
  return query
}
