import { ne } from 'drizzle-orm'
import { openDatabase } from '../../src/db/index.ts'
import { contacts, events, messages, receivedMails, responses } from '../../src/db/schema.ts'
import type { Kind, Ledger } from './ledger.ts'

/** Notes what was acknowledged and is not in a data folder. */
export async function compareWith(dataDir: string, ledger: Ledger): Promise<void> {
  const database = await openDatabase({ dataDir })
  const { db } = database
  const existing: Record<Exclude<Kind, 'answer'>, { what: string }[]> = {
    contact: await db.select({ what: contacts.id }).from(contacts),
    response: await db.select({ what: responses.id }).from(responses),
    message: await db.select({ what: messages.text }).from(messages),
    mail: await db.select({ what: receivedMails.mailId }).from(receivedMails),
  }
  await database.close()
  for (const kind of Object.keys(existing) as (keyof typeof existing)[]) {
    const missing = ledger.missing(kind, new Set(existing[kind].map(({ what }) => what.trim())))
    if (missing.length > 0) ledger.fault(`lost: ${missing.length} of kind ${kind}, such as ${missing[0]}`)
  }
}

/** The ids of all events in a data folder, but of forms that were published: that was before anybody subscribed. */
export async function eventsIn(dataDir: string): Promise<string[]> {
  const database = await openDatabase({ dataDir })
  const rows = await database.db.select({ id: events.eventId }).from(events).where(ne(events.event, 'form.published'))
  await database.close()
  return rows.map(({ id }) => id)
}
