import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { InboundSmtp } from '../../../config.ts'
import { UserError } from '../../../errors.ts'
import type { HealthWarning } from '../../../http/health.ts'

/** How long before its end a certificate is spoken of, in milliseconds. */
const NOTICE = 14 * 24 * 60 * 60_000

/** A certificate chain and its private key, PEM. */
export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

/** Reads what STARTTLS is offered with. Throws UserError, naming the variable, for what is none or does not belong together. */
export function readCertificate({ cert, key }: NonNullable<InboundSmtp['tls']>): Certificate {
  const read = { cert: fileOf('CERT', cert), key: fileOf('KEY', key) }
  const certificate = understood('CERT', cert, 'a certificate', () => new X509Certificate(read.cert))
  const privateKey = understood('KEY', key, 'a private key without a passphrase', () => createPrivateKey(read.key))
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new UserError(`FRONTDESK_INBOUND_SMTP_TLS_KEY: ${key} is not the key of the certificate ${cert}`)
  }
  return read
}

/** Says in `/healthz` when the certificate of the mail listener has ended or is about to. */
export function certificateWarning(tls: NonNullable<InboundSmtp['tls']>, now: () => number): HealthWarning {
  return () => {
    const { validTo } = new X509Certificate(readFileSync(tls.cert))
    const left = Date.parse(validTo) - now()
    if (left > NOTICE) return null
    return `the certificate of the mail listener ${left > 0 ? 'ends' : 'ended'} on ${new Date(validTo).toISOString().slice(0, 10)}`
  }
}

function fileOf(variable: 'CERT' | 'KEY', path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UserError(
      `FRONTDESK_INBOUND_SMTP_TLS_${variable}: ${path} cannot be read: ${(error as { code: string }).code}`,
    )
  }
}

function understood<T>(variable: 'CERT' | 'KEY', path: string, what: string, read: () => T): T {
  try {
    return read()
  } catch {
    throw new UserError(`FRONTDESK_INBOUND_SMTP_TLS_${variable}: ${path} is not ${what} in PEM`)
  }
}
