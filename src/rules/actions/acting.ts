import type { Caller } from '../../caller.ts'
import type { Reader, Tx } from '../../db/index.ts'
import type { Deps } from '../../deps.ts'
import { findResponse } from '../../responses/lookup.ts'
import { getTicket } from '../../tickets/read.ts'
import type { Rule } from '../model.ts'
import type { About } from '../running/about.ts'

/** What actions are done with. */
export interface Acting {
  readonly tx: Tx
  readonly deps: Pick<Deps, 'channels' | 'secrets' | 'config'>
  /** The rule, as whoever makes the changes. */
  readonly caller: Caller
  readonly rule: Rule
  readonly about: About
}

/** An action that need not be done this time: the rule has not failed for that. */
export class NotNeeded extends Error {}

/** The contact behind a record, or null. */
export async function contactOf(db: Reader, tenantId: string, { subject, id }: About): Promise<string | null> {
  if (subject === 'contact') return id
  if (subject === 'ticket') return (await getTicket(db, tenantId, id)).contactId
  return (await findResponse(db, tenantId, id)).response.contactId
}
