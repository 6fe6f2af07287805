import { timingSafeEqual } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { Config } from '../../../config.ts'
import { comparable } from '../../../lib/input/comparable-email.ts'
import { domainOf, isDomain } from '../../../lib/input/email.ts'
import type { Secrets } from '../../../secrets/seal.ts'

/*
 * Mails that we send by ourselves, about accounts, responses and alerts (decisions §14, §20). They are from an address that nobody
 * reads, and say in their Message-ID, and in a header for servers that replace it, which mail of ours they are: whatever
 * repeats that is known, and nobody else can make it up.
 */

const kinds = ['account', 'notification', 'alert', 'rule', 'report'] as const
/** About an account, about a response, about what happened to a ticket, what a rule says, or a report. */
export type SystemMailKind = (typeof kinds)[number]

/** One of these mails. */
export interface SystemMailName {
  readonly kind: SystemMailKind
  readonly id: string
}

/** Bases32 letters survive whatever mail goes through: 80 bits of proof. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const PROOF_LENGTH = 16

/** Whom these mails are from. */
export function systemAddress({ systemFrom, baseUrl }: Pick<Config, 'systemFrom' | 'baseUrl'>): string {
  const { hostname } = new URL(baseUrl)
  return systemFrom ?? `no-reply@${isDomain(hostname) && !/\.\d+$/.test(hostname) ? hostname : 'localhost'}`
}

/** Whether an envelope or a header names that address, with something after a `+` or without. */
export function isSystemAddress(config: Pick<Config, 'systemFrom' | 'baseUrl'>, address: string): boolean {
  const withoutTag = comparable(address).replace(/\+.*@/, '@')
  return [comparable(address), withoutTag].includes(comparable(systemAddress(config)))
}

/** What names a mail of ours and proves that it is one: `account.ID.PROOF`. */
export function proofOf(secrets: Pick<Secrets, 'mac'>, { kind, id }: SystemMailName): string {
  const mac = secrets.mac(id, `mail about ${kind}`)
  const proof = Array.from(mac.subarray(0, PROOF_LENGTH), (byte) => ALPHABET[byte % 32]).join('')
  return `${kind}.${id}.${proof}`
}

/** The mail that such words name, or null where we did not write them. */
export function provenMail(secrets: Pick<Secrets, 'mac'>, words: string): SystemMailName | null {
  const [name, id = ''] = words.split('.')
  const kind = kinds.find((known) => known === name)
  if (!kind) return null
  const expected = Buffer.from(proofOf(secrets, { kind, id }))
  const given = Buffer.from(words)
  return given.length === expected.length && timingSafeEqual(given, expected) ? { kind, id } : null
}

/** What such a mail is sent with, `from` that address. */
export function systemHeaders(secrets: Pick<Secrets, 'mac'>, name: SystemMailName, from: string) {
  const proof = proofOf(secrets, name)
  return {
    messageId: `<${proof}@${domainToASCII(domainOf(from)) || 'localhost'}>`,
    proof,
    automatic: 'generated',
  } as const
}
