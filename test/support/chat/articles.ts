import { createSource } from '../../../src/articles/sources.ts'
import { inboxes } from '../../../src/db/schema.ts'
import { newId } from '../../../src/lib/ids.ts'
import { formatTime } from '../../../src/lib/time.ts'
import type { TestTenant } from '../app.ts'

/** A live-chat source with an inbox of its own. */
export function createTestSource(tenant: TestTenant, name = 'Help centre') {
  return tenant.perform(async (tx, caller) => {
    const at = formatTime(caller.at)
    const inbox = { tenantId: caller.tenantId, id: newId(caller.at), createdAt: at, updatedAt: at }
    await tx.insert(inboxes).values({ ...inbox, name: 'Chat', channel: 'livechat' })
    return createSource(tx, caller, { name, inboxId: inbox.id })
  })
}
