import { and, ne } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { isOneOf, type Reader } from '../db/index.ts'
import { alerts, checkouts, forms, inboxes, livechatSources, tenants, users } from '../db/schema.ts'
import { UserError } from '../errors.ts'
import { NO_PASSWORD } from '../users/passwords/passwords.ts'
import type { Row } from './tables.ts'

/** Values looked for in one query. */
const SOME = 500

/** What may be there once in an installation, whoever's it is, and how people call it. */
const ONCE: Readonly<
  Record<
    string,
    { readonly field: string; readonly table: SQLiteTable; readonly column: AnySQLiteColumn; readonly word: string }
  >
> = {
  alerts: { field: 'id', table: alerts, column: alerts.id, word: 'an alert' },
  checkouts: { field: 'sessionId', table: checkouts, column: checkouts.sessionId, word: 'a payment' },
  forms: { field: 'launchCode', table: forms, column: forms.launchCode, word: 'a form at' },
  inboxes: { field: 'emailAddress', table: inboxes, column: inboxes.emailAddress, word: 'an inbox at' },
  livechat_sources: { field: 'id', table: livechatSources, column: livechatSources.id, word: 'a source' },
}

/** Notes what of a tenant's records nobody else here may have, and looks whether somebody does. */
export class Clashes {
  readonly #noted = new Map<string, string[]>()
  readonly #addresses: string[] = []

  note(kind: string, row: Row): void {
    if (kind === 'users') this.#addresses.push(String(row.email))
    const once = ONCE[kind]
    if (!once) return
    const value = row[once.field]
    if (typeof value !== 'string') return
    const values = this.#noted.get(kind) ?? []
    this.#noted.set(kind, values)
    values.push(value)
  }

  /** Throws UserError where anything of it is here already, of this tenant or another. */
  async requireNone(db: Reader, tenantId: string): Promise<void> {
    await requireNoTenant(db, tenantId)
    for (const [kind, values] of this.#noted) {
      const { table, column, word } = ONCE[kind] as (typeof ONCE)[string]
      const found = await present(db, table, column, values)
      if (found !== undefined) {
        throw new UserError(`cannot be imported: there is ${word} ${found} here already (${kind}), of another tenant`)
      }
    }
  }

  /** Addresses of its people that sign in to another tenant here. */
  async elsewhere(db: Reader): Promise<string[]> {
    const found: string[] = []
    for (let at = 0; at < this.#addresses.length; at += SOME) {
      const some = JSON.stringify(this.#addresses.slice(at, at + SOME))
      const rows = await db
        .select({ email: users.email })
        .from(users)
        .where(and(isOneOf(db, users.email, some), ne(users.passwordHash, NO_PASSWORD)))
      found.push(...rows.map(({ email }) => email))
    }
    return found.sort()
  }
}

/** Throws UserError where there is a tenant of that id, leaving or not. */
export async function requireNoTenant(db: Reader, tenantId: string): Promise<void> {
  const found = await present(db, tenants, tenants.id, [tenantId])
  if (found !== undefined) {
    throw new UserError(
      `cannot be imported: the tenant ${tenantId} is here already; to replace it, delete that first (frontdesk tenant delete)`,
    )
  }
}

async function present(
  db: Reader,
  table: SQLiteTable,
  column: AnySQLiteColumn,
  values: readonly string[],
): Promise<string | undefined> {
  for (let at = 0; at < values.length; at += SOME) {
    const some = JSON.stringify(values.slice(at, at + SOME))
    const [row] = await db
      .select({ value: column })
      .from(table)
      .where(isOneOf(db, column, some))
      .limit(1)
    if (row) return String(row.value)
  }
  return undefined
}
