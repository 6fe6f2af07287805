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

function authority(host: string, port: number): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}
