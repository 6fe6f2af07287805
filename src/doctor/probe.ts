import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Secrets } from '../secrets/seal.ts'

/*
 * How `frontdesk doctor` asks the running service what arrives there: by a request that nobody without the
 * installation's key can make, through whatever stands in front of the service.
 */

/** Where the service answers it. */
export const PROBE_PATH = '/healthz/arrival'
/** The header that carries its proof. */
export const PROBE_HEADER = 'x-frontdesk-probe'
/** For how long a proof holds, in milliseconds: clocks may differ by that much. */
const HOLDS = 15 * 60_000

type Key = Pick<Secrets, 'mac'>

/** A request as it arrived, and what the service is that took it. */
export interface Arrival {
  /** Who connected: the proxy, where there is one. */
  readonly peer: string
  /** Whom the service takes for the client. */
  readonly client: string
  /** Whether the service believes what that peer says of others. */
  readonly isTrusted: boolean
  /** `X-Forwarded-For`, as it came. */
  readonly forwardedFor: string | null
  /** Whether the request still asked for a WebSocket. */
  readonly asksForSocket: boolean
  readonly version: string
  /** By the clock of the service, in milliseconds since 1970. */
  readonly now: number
  /** How many descriptors the service may have open; null where that is not limited or not known. */
  readonly openFiles: number | null
  /** What the service is configured with, as far as `doctor` goes by it: unreadable, to be compared. */
  readonly settings: Readonly<Record<string, string>>
}

/** Proves at `now` who asks. */
export function probeOf(key: Key, now: number): string {
  return `${now}.${macOf(key, String(now))}`
}

/** Whether such a proof was made with the key, about now. */
export function isProbe(key: Key, probe: string, now: number): boolean {
  const [at = '', mac = ''] = probe.split('.')
  const [expected, given] = [Buffer.from(macOf(key, at)), Buffer.from(mac)]
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  return isOurs && Math.abs(Number(at) - now) <= HOLDS
}

function macOf(key: Key, text: string): string {
  return Buffer.from(key.mac(text, 'doctor probe')).toString('base64url')
}

/** Settings that a command may have otherwise than the service, by variable, so that they can be compared and not read. */
export function settingsOf(key: Key, config: Config): Record<string, string> {
  const compared = {
    FRONTDESK_SMTP_URL: config.smtpUrl,
    FRONTDESK_SYSTEM_FROM: config.systemFrom,
    FRONTDESK_INBOUND_SMTP_PORT: config.inboundSmtp,
    FRONTDESK_TRUSTED_PROXIES: config.trustedProxies,
    FRONTDESK_FILES_URL: config.files?.url ?? null,
  }
  return Object.fromEntries(
    Object.entries(compared).map(([name, value]) => [
      name,
      Buffer.from(key.mac(JSON.stringify(value), `doctor ${name}`))
        .toString('base64url')
        .slice(0, 16),
    ]),
  )
}
