/** What a step does to a table, in a few words. */
export interface Deed {
  /** With the table's name in it: `adds locale to tickets`. */
  readonly does: string
  readonly table: string
  /** Whether it takes the longer, the more rows the table has. */
  readonly isByRows: boolean
}

const NAME = String.raw`[\`"]?(\w+)[\`"]?`
const pattern = (text: string) =>
  new RegExp(`^\\s*${text.replaceAll(' ', String.raw`\s+`).replaceAll(/\bNAME\b/g, NAME)}`, 'i')

/** What drizzle-kit names the table that takes an old one's place. */
const NEW = '__new_'

type Reading = readonly [pattern: RegExp, words: (name: string, other: string) => string, isByRows: boolean]

/** The first that fits. The table is the first name, or the second where there are two. */
const readings: readonly Reading[] = [
  [pattern('CREATE (?:UNLOGGED |VIRTUAL )?TABLE (?:IF NOT EXISTS )?NAME'), (table) => `adds the table ${table}`, false],
  [pattern('CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?NAME ON NAME'), (_, table) => `indexes ${table}`, true],
  [pattern('ALTER TABLE NAME RENAME TO NAME'), (from, to) => `calls ${from} ${to}`, false],
  [pattern('ALTER TABLE NAME (?:ADD|DROP|RENAME|ALTER)'), (table) => `changes the columns of ${table}`, false],
  [pattern('DROP TABLE (?:IF EXISTS )?NAME'), (table) => `drops ${table}`, false],
  [pattern('(?:INSERT INTO|UPDATE|DELETE FROM) NAME'), (table) => `writes into ${table}`, true],
]

/** What these statements do, each thing once. What concerns no table of ours (triggers, functions, pragmas) is left out. */
export function deedsOf(statements: readonly string[]): Deed[] {
  const rebuilt = new Set(statements.flatMap((statement) => rebuiltIn(statement)))
  const deeds = new Map<string, Deed>()
  const add = (deed: Deed) => deeds.set(deed.does, deed)
  for (const table of rebuilt) add({ does: `rebuilds ${table}`, table, isByRows: true })
  for (const statement of statements) {
    for (const [form, words, isByRows] of readings) {
      const found = form.exec(statement)
      if (!found) continue
      const [, first = '', second] = found
      const table = second ?? first
      const isPartOfRebuilding = [first, table].some(
        (name) => name.startsWith(NEW) || (rebuilt.has(name) && /^\s*DROP/i.test(statement)),
      )
      if (!isPartOfRebuilding) add({ does: words(first, second ?? ''), table, isByRows })
      break
    }
  }
  return [...deeds.values()]
}

function rebuiltIn(statement: string): string[] {
  const [, from = '', to = ''] = pattern('ALTER TABLE NAME RENAME TO NAME').exec(statement) ?? []
  return from.startsWith(NEW) ? [to] : []
}
