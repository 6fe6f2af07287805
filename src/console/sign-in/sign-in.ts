import { audit } from '../../audit/record.ts'
import { callerFor } from '../../caller.ts'
import type { Claimant } from '../../users/read.ts'
import { nameInAddress, startSession } from '../session.ts'
import type { OpenVisit } from '../visit.ts'

/** Begins a session of somebody who has shown who they are. Returns its token. */
export async function signIn(
  visit: OpenVisit,
  { tenantId, userId, email, name, role }: Pick<Claimant, 'tenantId' | 'userId' | 'email' | 'name' | 'role'>,
): Promise<string> {
  const from = { address: visit.address, userAgent: visit.request.headers.get('user-agent') }
  return visit.deps.database.transaction(async (tx) => {
    const principal = { type: 'user', tenantId, userId, name: name ?? nameInAddress(email), role } as const
    await audit(tx, callerFor(principal, visit.at, visit.address), 'user.signed_in', userId)
    return startSession(tx, { tenantId, userId }, from, visit.at)
  })
}
