import { eq } from 'drizzle-orm'
import type { Reader, Tx } from './index.ts'
import { installation } from './tables/db.ts'

type Name = (typeof installation.$inferSelect)['name']

/** What is noted of the installation as a whole under a name, or null. */
export async function installationValue(db: Reader, name: Name): Promise<string | null> {
  const [row] = await db.select().from(installation).where(eq(installation.name, name))
  return row?.value ?? null
}

/** Notes something for good, unless it is noted already. Says whether this did it. */
export async function noteOnce(tx: Tx, name: Name, value: string): Promise<boolean> {
  const noted = await tx.insert(installation).values({ name, value }).onConflictDoNothing().returning()
  return noted.length > 0
}

/** Notes something in the place of what was noted before. */
export async function noteAnew(tx: Tx, name: Name, value: string): Promise<void> {
  await tx
    .insert(installation)
    .values({ name, value })
    .onConflictDoUpdate({ target: installation.name, set: { value } })
}
