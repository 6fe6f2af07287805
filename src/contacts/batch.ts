import type { Caller } from '../caller.ts'
import type { Database, Tx } from '../db/index.ts'
import { RuleError } from '../errors.ts'
import { problemOf } from '../http/answers/errors.ts'
import { checkValue } from '../http/requests/validation.ts'
import { Turns } from '../lib/concurrency/turns.ts'
import { type ContactBatchResult, ContactCreate } from './model.ts'
import { createOrUpdateContact } from './upsert.ts'

/** What is written in one transaction: so many contacts, fewer where they name many groups. Others wait for no longer. */
const STEP = 25
/** So many groups or values of a contact are as much work as another contact. */
const LISTED_PER_CONTACT = 20

/**
 * Takes contacts in by the batch: each is created or updated by its email as if it were alone, in the order given, and one
 * that breaks a rule keeps no other from being taken. In several transactions: where one fails for another reason, what
 * came before it stays, and sent again changes nothing. Of all batches of a service one step is under way at a time.
 */
export function contactBatches({ database }: { readonly database: Pick<Database, 'transaction'> }) {
  const turns = new Turns(1)
  return async (caller: Caller, contacts: readonly unknown[]): Promise<ContactBatchResult[]> => {
    const results: ContactBatchResult[] = []
    while (results.length < contacts.length) {
      const begin = results.length
      const step = contacts.slice(begin, begin + stepSize(contacts, begin))
      const write = async (tx: Tx) => {
        const written: ContactBatchResult[] = []
        for (const contact of step) written.push(await writeOne(tx, caller, contact, begin + written.length))
        return written
      }
      results.push(...(await turns.take(() => database.transaction(write))))
    }
    return results
  }
}

function stepSize(contacts: readonly unknown[], begin: number): number {
  let work = 0
  let size = 0
  while (size < contacts.length - begin && (size === 0 || work < STEP)) work += workOf(contacts[begin + size++])
  return size
}

function workOf(contact: unknown): number {
  const { groupIds, customValues } = Object(contact)
  const listed = [groupIds, customValues].map((list) => (Array.isArray(list) ? list.length : 0))
  return 1 + listed.reduce((a, b) => a + b) / LISTED_PER_CONTACT
}

async function writeOne(tx: Tx, caller: Caller, input: unknown, index: number): Promise<ContactBatchResult> {
  try {
    const { contact, isNew } = await createOrUpdateContact(tx, caller, checkValue(ContactCreate, input), 'api')
    return { index, status: isNew ? 201 : 200, id: contact.id, error: null }
  } catch (error) {
    // Rules are looked at before anything is written: the transaction goes on.
    if (!(error instanceof RuleError) || error.code !== 'invalid_request') throw error
    return { index, status: 400, id: null, error: problemOf(error) }
  }
}
