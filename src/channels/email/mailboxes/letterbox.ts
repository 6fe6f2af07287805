import type { ReceiveDeps } from '../receiving/reading.ts'
import { quarantineHeader, receiveMail } from '../receiving/receive.ts'
import type { Letterbox } from './fetching.ts'

/** Fetched mails are taken as all mails are. Who sent them over which connection, the server that has them knows alone. */
export function letterboxOf(deps: ReceiveDeps): Letterbox {
  return {
    async receive({ tenantId, inboxId }, raw, at) {
      const inbox = { tenantId, id: inboxId }
      await receiveMail(deps, { raw, at, inbox, envelope: null, connection: null })
    },
    async refuse({ tenantId, inboxId }, header, reason, at) {
      await quarantineHeader(deps, { raw: header, at, inbox: { tenantId, id: inboxId } }, reason)
    },
  }
}
