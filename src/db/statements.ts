/** Stands for every table, where a statement does not tell which it writes. */
export const ANY_TABLE = '*'

const READS = /^\s*(select|with)\b(?!.*\b(insert into|update|delete from)\b)/is
const WRITES = /^\s*(?:insert into|update|delete from)\s+"(\w+)"/i

/** The table that a statement writes, or null when it only reads. */
export function writtenTable(statement: string): string | null {
  return READS.test(statement) ? null : (WRITES.exec(statement)?.[1] ?? ANY_TABLE)
}
