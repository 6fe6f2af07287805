/**
 * The statement with each parameter as `+?`, which means the same. SQLite looks at the values of bare ones while it plans
 * (a partial index may fit one value and not another), and therefore plans a statement with a join or a range anew whenever
 * values are bound: that takes longer than to run it.
 */
export function planOnce(statement: string): string {
  return statement.replace(QUOTED_OR_PARAMETER, (found) => (found === '?' ? '+?' : found))
}

const QUOTED_OR_PARAMETER = /'[^']*'|"[^"]*"|\?/g
