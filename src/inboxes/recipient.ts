import { domainToASCII, domainToUnicode } from 'node:url'
import { sql } from 'drizzle-orm'
import { isOneOf, prepared, remembered } from '../db/index.ts'
import { inboxes } from '../db/schema.ts'
import { domainOf, MAX_EMAIL, normaliseEmail } from '../lib/input/email.ts'

/** The inbox that a mail goes to. */
export interface ReceivingInbox {
  tenantId: string
  id: string
  emailAddress: string
  /** Whether it takes no new mail. It stays an address of ours. */
  isArchived: boolean
}

const inboxesByAddress = prepared((db) =>
  db
    .select({
      tenantId: inboxes.tenantId,
      id: inboxes.id,
      emailAddress: inboxes.emailAddress,
      archivedAt: inboxes.archivedAt,
    })
    .from(inboxes)
    // Inboxes of mail alone have one.
    .where(isOneOf(db, inboxes.emailAddress, sql.placeholder('addresses')))
    .prepare(),
)

/**
 * The inbox that an envelope's recipient names, an archived one too, or null when there is none (SMTP: 550). What follows a `+` does not
 * matter, unless an inbox has that very address.
 */
export const inboxesOf = remembered([inboxes], async (db, recipient): Promise<ReceivingInbox | null> => {
  const spellings = spellingsOf(recipient)
  if (spellings.length === 0) return null
  const found = await inboxesByAddress(db).execute({ addresses: JSON.stringify(spellings) })
  for (const spelling of spellings) {
    const inbox = found.find(({ emailAddress }) => emailAddress === spelling)
    if (inbox) {
      const { tenantId, id, archivedAt } = inbox
      return { tenantId, id, emailAddress: spelling, isArchived: archivedAt !== null }
    }
  }
  return null
})

/** The addresses that a recipient can stand for, the closest first; none for what is no address. */
function spellingsOf(recipient: string): string[] {
  const address = normaliseEmail(recipient)
  const at = address.lastIndexOf('@')
  if (at < 1 || address.length > MAX_EMAIL) return []
  const domain = domainOf(address)
  const domains = [...new Set([domain, domainToASCII(domain), domainToUnicode(domain)])].filter(Boolean)
  const names = [address.slice(0, at)]
  for (let name = names[0] as string; name.lastIndexOf('+') > 0; names.push(name)) {
    name = name.slice(0, name.lastIndexOf('+'))
  }
  return names.flatMap((name) => domains.map((one) => `${name}@${one}`))
}
