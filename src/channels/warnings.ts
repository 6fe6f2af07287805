import type { Deps } from '../deps.ts'
import type { HealthWarning } from '../http/health.ts'
import { certificateWarning } from './email/listener/certificate.ts'

/** What `/healthz` says of the ways to customers. */
export function channelWarnings({ config, clock }: Deps): HealthWarning[] {
  const tls = config.inboundSmtp?.tls
  return tls ? [certificateWarning(tls, clock.now)] : []
}
