import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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
export function certificateWarning({ cert }: NonNullable<InboundSmtp['tls']>, now: () => number): HealthWarning {
  return async () => {
    const ends = await endOf(cert)
    if (ends === null) return 'the certificate of the mail listener cannot be read any more'
    if (ends - now() > NOTICE) return null
    const day = new Date(ends).toISOString().slice(0, 10)
    return `the certificate of the mail listener ${ends > now() ? 'ends' : 'ended'} on ${day}`
  }
}

async function endOf(path: string): Promise<number | null> {
  try {
    return Date.parse(new X509Certificate(await readFile(path)).validTo)
  } catch {
    return null
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
