import { chainKeyOf } from '../audit/key.ts'
import { dropEntries, oldEntries } from '../audit/retention.ts'
import type { Caller } from '../caller.ts'
import { dropRawMails, oldRawMails } from '../channels/email/retention.ts'
import { oldContacts, stillOld } from '../contacts/old.ts'
import type { Reader, Tx } from '../db/index.ts'
import type { FileName } from '../files/names.ts'
import type { RetentionRule } from '../kinds/retention.ts'
import { erasePerson } from '../privacy/erasure.ts'
import { deleteOldResponses, deletePartials, oldResponses, untouchedPartials } from '../responses/old.ts'
import type { Secrets } from '../secrets/seal.ts'
import { deleteOldTickets, oldClosedTickets } from '../tickets/deletion/old.ts'
import { deleteBatches, deleteDelivered, oldBatches, oldDelivered } from '../webhooks/history/expiry.ts'

/** Entries of the audit log that are looked at, and go, at a time. */
const ENTRIES = 200

/** What went in one transaction: how many, the files to be removed after the commit, and what has to be asked for again. */
export interface Gone {
  readonly count: number
  readonly files?: readonly FileName[]
  readonly rest?: readonly string[]
}

/** Records that are kept for a while only. `before` is in milliseconds since 1970: what is from then or earlier goes. */
export interface Retained {
  /** The ids of some that go, behind `after`; `next` says where to go on, null at the end. */
  find(
    db: Reader,
    tenantId: string,
    before: number,
    after: string | null,
  ): Promise<{ ids: readonly string[]; next: string | null }>
  /** Deletes those of them that are still to go. */
  remove(tx: Tx, caller: Caller, before: number, ids: readonly string[]): Promise<Gone>
  /** How many may go in one transaction: other writers wait meanwhile. */
  readonly most: number
}

const partials: Retained = { find: untouchedPartials, remove: deletePartials, most: 25 }
const responses: Retained = { find: oldResponses, remove: deleteOldResponses, most: 25 }
const tickets: Retained = { find: oldClosedTickets, remove: deleteOldTickets, most: 3 }
const delivered: Retained = {
  find: oldDelivered,
  remove: (tx, { tenantId }, before, ids) => deleteDelivered(tx, tenantId, before, ids),
  most: 50,
}
const batches: Retained = {
  find: oldBatches,
  remove: (tx, { tenantId }, before, ids) => deleteBatches(tx, tenantId, before, ids),
  most: 50,
}
const rawMails: Retained = {
  find: oldRawMails,
  remove: (tx, { tenantId }, before, ids) => dropRawMails(tx, tenantId, before, ids),
  most: 100,
}

const contacts: Retained = {
  find: oldContacts,
  async remove(tx, caller, before, ids) {
    const files: FileName[] = []
    const gone = await stillOld(tx, caller.tenantId, before, ids)
    // Nothing is left with them but themselves: one step takes it all.
    for (const id of gone) files.push(...(await erasePerson(tx, caller, id)).files)
    return { count: gone.length, files }
  },
  most: 5,
}

function entriesOf(secrets: Secrets | null): Retained {
  return {
    async find(db, tenantId, before, after) {
      const seek = { after: after === null ? null : Number(after), limit: ENTRIES }
      const positions = await oldEntries(db, tenantId, before, seek)
      const last = positions.at(-1)
      return { ids: positions.map(String), next: positions.length === ENTRIES ? String(last) : null }
    },
    async remove(tx, { tenantId }, before, ids) {
      if (!secrets) return { count: 0 }
      const through = Number(ids.at(-1))
      return { count: await dropEntries(tx, chainKeyOf(secrets), tenantId, before, { through, limit: ids.length }) }
    },
    most: ENTRIES,
  }
}

/** What each rule is about. Without the key the audit log is left as it is. */
export function retainedBy(rule: RetentionRule, secrets: Secrets | null): readonly Retained[] {
  const about: Readonly<Record<RetentionRule, readonly Retained[]>> = {
    partial_responses: [partials],
    responses: [responses],
    closed_tickets: [tickets],
    contacts: [contacts],
    audit: [entriesOf(secrets)],
    deliveries: [delivered, batches],
    raw_mails: [rawMails],
  }
  return about[rule]
}
