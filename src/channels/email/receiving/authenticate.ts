import { Readable } from 'node:stream'
import type { Authentication, Verdict } from '../../../kinds/received-mails.ts'
import { domainOf } from '../../../lib/input/email.ts'
import { isPrivateHost } from '../../../lib/network/outbound-address.ts'
import { systemResolver } from '../../../lib/network/system-resolver.ts'
import type { Resolver } from '../../../ports/resolver.ts'

/** What is known of where a mail came from, besides the mail itself. */
export interface Origin {
  envelope: { from: string | null } | null
  connection: { address: string; hello: string } | null
}

/**
 * How long answers about servers and signatures, and then those about the domain of From, may take, in milliseconds. Who
 * names slow domains of their own in a mail does not keep us from asking for the other.
 */
const PATIENCE = { proofs: 3_000, policy: 2_000 }
/** Bytes looked at in one go: other requests are answered between. */
const CHUNK = 64 * 1024
/** Signatures that are checked; honest mail has one to four. Each hashes the whole mail, so of a large one fewer. */
const MAX_SIGNATURES = 20
const MIN_SIGNATURES = 4
const HASHED_AT_MOST = 16 * 1024 * 1024

/**
 * Who vouches for a mail: SPF for the server that brought it, DKIM for what it says, DMARC for the domain of its From.
 * What cannot be found out is `unknown`, and DMARC has failed only where everything it rests on is known. A server of
 * our own network says nothing about where a mail began: then DKIM alone counts.
 */
export async function authenticate(
  raw: Uint8Array,
  from: string,
  { envelope, connection }: Origin,
  resolver: Resolver = systemResolver,
  patience = PATIENCE,
): Promise<Authentication> {
  const signatureCount = countSignatures(raw)
  const address = connection?.address.replace(/^::ffff:(?=\d+\.)/i, '')
  const server = connection && address && !isPrivateHost(address) ? { ...connection, address } : null
  if (signatureCount === 0 && server === null) return { spf: 'unknown', dkim: 'none', dmarc: 'unknown' }
  const ask = bounded(resolver, patience.proofs)
  const [spf, signatures] = await Promise.all([
    server === null ? anyServer(from) : checkSpf(server, envelope?.from || null, ask),
    signatureCount === 0 ? [] : checkSignatures(raw, signatureCount, ask),
  ])
  const dmarc = await checkDmarc(from, spf, signatures, bounded(resolver, patience.policy))
  return { spf: spf.verdict, dkim: dkimOf(signatures), dmarc }
}

/** One that DMARC might have passed by, for all we know. */
function anyServer(from: string): Spf {
  return { verdict: 'unknown', domain: domainOf(from) }
}

const SIGNATURES = /^(?:dkim-signature|arc-message-signature)[ \t]*:/gim

function countSignatures(raw: Uint8Array): number {
  return headOf(raw).match(SIGNATURES)?.length ?? 0
}

/** The header, as text: as far as the first empty line. */
function headOf(raw: Uint8Array): string {
  const buffer = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const ends = [buffer.indexOf('\r\n\r\n'), buffer.indexOf('\n\n')].filter((end) => end >= 0)
  return buffer.toString('latin1', 0, Math.min(...ends, buffer.length))
}

/** Says that the time is over, rather than keep anybody waiting. */
function bounded(resolver: Resolver, patience: number): Resolver {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(Object.assign(new Error('no answer in time'), { code: 'ETIMEOUT' })), patience)
  timer.unref()
  // Nobody may be asking any more.
  over.catch(() => {})
  return (name, type) => Promise.race([resolver(name, type), over])
}

interface Spf {
  verdict: Verdict
  domain: string
}

async function checkSpf(
  { address, hello }: { address: string; hello: string },
  sender: string | null,
  resolver: Resolver,
): Promise<Spf> {
  const { spf } = await import('mailauth/lib/spf/index.js')
  try {
    const { domain, status } = await spf({ ip: address, helo: hello, ...(sender ? { sender } : {}), resolver })
    return { verdict: SPF_VERDICTS[status.result] ?? 'unknown', domain }
  } catch {
    // What mailauth cannot read, a name that is none: nobody vouches for it.
    return { verdict: 'unknown', domain: '' }
  }
}

/** RFC 7208 §2.6: a soft fail is no pass, and no refusal either. */
const SPF_VERDICTS: Record<string, Verdict> = {
  pass: 'pass',
  fail: 'fail',
  softfail: 'fail',
  permerror: 'fail',
  neutral: 'none',
  none: 'none',
}

/** What a mail's signatures are worth; more than anybody honest puts on one are worth nothing. */
async function checkSignatures(raw: Uint8Array, count: number, resolver: Resolver): Promise<Signature[]> {
  const most = Math.max(MIN_SIGNATURES, Math.min(MAX_SIGNATURES, HASHED_AT_MOST / raw.length))
  if (count > most) return [{ verdict: 'fail', domain: '' }]
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js')
  try {
    const { results } = await dkimVerify(Readable.from(chunksOf(raw), { objectMode: false }), { resolver })
    return results.map(({ signingDomain, status }) => ({
      verdict: DKIM_VERDICTS[status.result] ?? 'fail',
      domain: signingDomain ?? '',
    }))
  } catch {
    return [{ verdict: 'fail', domain: '' }]
  }
}

interface Signature {
  verdict: Verdict
  domain: string
}

const DKIM_VERDICTS: Record<string, Verdict> = { pass: 'pass', none: 'none', temperror: 'unknown' }

async function* chunksOf(raw: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < raw.length; at += CHUNK) {
    yield raw.subarray(at, at + CHUNK)
    await new Promise(setImmediate)
  }
}

function dkimOf(signatures: readonly Signature[]): Verdict {
  const verdicts = signatures.map(({ verdict }) => verdict)
  return (['pass', 'unknown', 'fail'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'none'
}

/**
 * A failure counts only if it would be one even if every proof that could not be checked had passed: so it is asked a
 * second time with these taken for passed, and is unknown where that changes the verdict.
 */
async function checkDmarc(from: string, spf: Spf, signatures: readonly Signature[], ask: Resolver): Promise<Verdict> {
  const proofs = [{ ...spf, by: 'spf' }, ...signatures.map((signature) => ({ ...signature, by: 'dkim' }))]
  const verdictWith = (counted: readonly Verdict[]) => {
    const passing = proofs.filter(({ verdict, domain }) => counted.includes(verdict) && domain !== '')
    return dmarcOf(from, passing, ask)
  }
  const verdict = await verdictWith(['pass'])
  if (verdict !== 'fail' || proofs.every((proof) => proof.verdict !== 'unknown')) return verdict
  return (await verdictWith(['pass', 'unknown'])) === 'fail' ? 'fail' : 'unknown'
}

async function dmarcOf(
  from: string,
  passing: readonly { domain: string; by: string }[],
  ask: Resolver,
): Promise<Verdict> {
  const { dmarc } = await import('mailauth/lib/dmarc/index.js')
  try {
    const found = await dmarc({
      headerFrom: [from],
      spfDomains: passing.filter(({ by }) => by === 'spf').map(({ domain }) => domain),
      dkimDomains: passing.filter(({ by }) => by === 'dkim').map(({ domain }) => ({ domain })),
      resolver: ask,
    })
    return (found && DMARC_VERDICTS[found.status.result]) || 'unknown'
  } catch {
    return 'unknown'
  }
}

const DMARC_VERDICTS: Record<string, Verdict> = { pass: 'pass', fail: 'fail', none: 'none' }
