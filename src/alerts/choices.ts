import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { ofTenant, prepared, type Reader, remembered, type Tx } from '../db/index.ts'
import { alertChoices } from '../db/schema.ts'
import { type AlertKind, type AlertMailTime, alertKinds } from '../kinds/alerts.ts'

/** How somebody wants to be told of one kind of news. */
export interface AlertChoice {
  /** By a notification of the browser, while nobody looks at the inbox. */
  readonly browser: boolean
  readonly sound: boolean
  readonly mail: AlertMailTime
}

export type AlertChoices = Readonly<Record<AlertKind, AlertChoice>>

const OFF: AlertChoice = { browser: false, sound: false, mail: 'off' }
const BY_MAIL: AlertChoice = { ...OFF, mail: 'unless_read' }

/** What holds for those who have not chosen: nobody misses what is meant for them alone. */
export const DEFAULT_CHOICES: AlertChoices = {
  assigned: BY_MAIL,
  answered: OFF,
  mentioned: BY_MAIL,
  new_in_team: OFF,
}

const choicesOfTenant = prepared((db) => db.select().from(alertChoices).where(ofTenant(alertChoices)).prepare())

const chosen = remembered(
  [alertChoices],
  async (db, tenantId: string): Promise<ReadonlyMap<string, Partial<AlertChoices>>> => {
    const rows = await choicesOfTenant(db).execute({ tenantId })
    const byUser = Map.groupBy(rows, ({ userId }) => userId)
    return new Map(
      [...byUser].map(([userId, own]) => [
        userId,
        Object.fromEntries(own.map(({ kind, browser, sound, mail }) => [kind, { browser, sound, mail }])),
      ]),
    )
  },
)

/** How a person wants to be told (decisions §20). */
export async function alertChoicesOf(db: Reader, tenantId: string, userId: string): Promise<AlertChoices> {
  return { ...DEFAULT_CHOICES, ...(await chosen(db, tenantId)).get(userId) }
}

/** Keeps how a person wants to be told. Each says so for themselves. */
export async function setAlertChoices(tx: Tx, caller: Caller, userId: string, choices: AlertChoices): Promise<void> {
  const { tenantId } = caller
  for (const kind of alertKinds) {
    const { browser, sound, mail } = choices[kind]
    const set = { browser, sound, mail }
    await tx
      .insert(alertChoices)
      .values({ tenantId, userId, kind, ...set })
      .onConflictDoUpdate({ target: [alertChoices.tenantId, alertChoices.userId, alertChoices.kind], set })
  }
  await audit(tx, caller, 'user.updated', userId, ['alerts'])
}
