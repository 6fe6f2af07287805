import { outsideCaller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import type { Deps } from '../../deps.ts'
import { clientOf } from '../../http/context.ts'
import { writer } from '../../http/idempotency/write.ts'
import { readIdentity } from '../identity.ts'
import type { NewVisitor } from '../model.ts'
import { admitVisitor } from '../operations.ts'
import { findChatSecret } from '../settings.ts'
import { type Admission, tokenOf } from './admission.ts'

/** Makes a visitor of whoever sends a request, or says more of the one who does. */
export function visitorMaker(deps: Deps, admission: Admission) {
  const { clock, secrets, database } = deps
  const { writeAs } = writer(deps)
  return async (request: Request, { name, email, identity: token }: NewVisitor) => {
    const { source, visitor } = admission.of(request)
    const at = clock.now()
    const identity = token ? await readIdentity(token, await findChatSecret(database.db, secrets, source), at) : null
    const known = visitor && { visitor, token: tokenOf(request) ?? '' }
    const caller = visitor ? admission.callerOf(visitor, request) : outsideCaller(source.tenantId, at)
    const admit = async (tx: Tx) => ({
      status: 201 as const,
      body: await admitVisitor(tx, caller, source, { name, email, identity, known }),
    })
    // Whose network changes meanwhile becomes two visitors, of whom one never writes.
    return writeAs(caller, request, admit, { sender: visitor?.visitorId ?? clientOf(request).address })
  }
}
