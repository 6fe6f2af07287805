import type { Deps } from '../deps.ts'
import type { HealthWarning } from '../http/health.ts'
import { certificateWarning } from './email/listener/certificate.ts'
import { failingMailboxes } from './email/mailboxes/operations.ts'

/** What `/healthz` says of the ways to customers. */
export function channelWarnings({ config, clock, database }: Deps): HealthWarning[] {
  const tls = config.inboundSmtp?.tls
  return [() => failingMailboxes(database.db), ...(tls ? [certificateWarning(tls, clock.now)] : [])]
}
