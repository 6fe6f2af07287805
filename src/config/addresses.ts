import { isIP } from 'node:net'
import type { InboundSmtp } from './mail.ts'

/** The base address that follows from where the service listens. */
export function defaultBaseUrl(host: string, port: number): string {
  return `http://${authority(host, port)}`
}

/** Where mail is taken, as mail programs are told. */
export function inboundSmtpUrl({ host, port }: Pick<InboundSmtp, 'host' | 'port'>): string {
  return `smtp://${authority(host, port)}`
}

/** Where a service of this machine is reached that listens on `host`: one on every address is on this machine's own. */
export function addressHere(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
}

function authority(host: string, port: number): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}
