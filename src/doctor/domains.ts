import { createPublicKey } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { isPrivateHost } from '../lib/network/outbound-address.ts'
import { codeOf } from './asking.ts'
import { type Diagnosis, diagnosing } from './diagnosis.ts'
import { type Names, textsOf, unlessNothing } from './names.ts'

/** A domain that our mails are from, or that mail comes in for. */
export interface MailDomain {
  readonly domain: string
  /** Whether customers write to an address in it. */
  readonly receives: boolean
  /** The mail server that its mails leave by; null where they do not leave at all. */
  readonly server: string | null
}

/** Selectors of DKIM keys that are looked for where nobody names one: those of the larger providers and programs. */
const SELECTORS = [
  'default',
  'dkim',
  'mail',
  'google',
  'selector1',
  'selector2',
  's1',
  's2',
  'k1',
  'k2',
  'k3',
  'key1',
  'key2',
  'mandrill',
  'pm',
  'fm1',
  'mx',
  'smtp',
  'sig1',
  'mta',
]

/** Bits below which an RSA key is refused, and below which it is weak (RFC 8301). */
const REFUSED_BITS = 1024
const WEAK_BITS = 2048

/** What the DNS says of a domain's mail: where it goes, who may send it, who signs it, and what becomes of the rest. */
export async function checkDomain(
  domain: MailDomain,
  names: Names,
  selectors: readonly string[],
): Promise<Diagnosis[]> {
  const name = domainToASCII(domain.domain)
  const of = { ...domain, domain: name || domain.domain }
  const checks: [string, Promise<Diagnosis[]>][] = [['MX', checkMx(of, names)]]
  if (domain.server !== null) {
    checks.push(
      ['SPF', checkSpf(of.domain, domain.server, names)],
      ['DKIM', checkDkim(of.domain, selectors, names)],
      ['DMARC', checkDmarc(of.domain, names)],
    )
  }
  const found = checks.map(([what, check]) =>
    check.catch((error) => [
      diagnosing(`${what} of ${of.domain}`).warn(`cannot be looked up (${codeOf(error)})`, 'name a server with --dns'),
    ]),
  )
  return (await Promise.all(found)).flat()
}

async function checkMx({ domain, receives }: MailDomain, { resolve }: Names): Promise<Diagnosis[]> {
  const { good, warn, bad } = diagnosing(`MX of ${domain}`)
  const records = await unlessNothing(
    resolve(domain, 'MX') as unknown as Promise<{ exchange: string; priority: number }[]>,
  )
  const hosts = records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)
  const none = hosts.length === 0 || hosts.every((host) => host === '' || host === '.')
  if (!none) return [good(hosts.join(', '))]
  return receives
    ? [
        bad(
          'there is none: what customers write does not arrive',
          `enter one that leads to the server that takes its mail`,
        ),
      ]
    : [
        warn(
          'there is none: nobody is told of mails that could not be delivered, and some servers take none',
          'enter one',
        ),
      ]
}

async function checkSpf(domain: string, server: string, names: Names): Promise<Diagnosis[]> {
  const { good, warn, bad } = diagnosing(`SPF of ${domain}`)
  const [record, ...others] = await textsOf(names, domain, /^v=spf1( |$)/i)
  if (record === undefined) {
    return [
      bad('there is none: mails from it land in the spam', 'enter the TXT record that your mail provider tells you'),
    ]
  }
  if (others.length > 0) return [bad('there are several records, so none counts', 'make one of them')]
  if (/(^| )\+?all( |$)/i.test(record)) return [bad(`it lets everybody send: ${record}`, 'end it in ~all or -all')]
  const ends = /(^| )([-~]all|redirect=\S+)/i.test(record)
  const open = ends ? [] : [warn(`it does not say what becomes of others: ${record}`, 'end it in ~all or -all')]
  const addresses = await names.addresses(server).catch(() => [])
  const outside = addresses.filter((address) => !isPrivateHost(address))
  if (outside.length === 0) return open.length > 0 ? open : [good(record)]
  const verdicts = await Promise.all(outside.map((ip) => spfVerdict(ip, domain, names)))
  if (verdicts.includes('permerror')) {
    return [bad(`it cannot be followed, or asks for more than ten names: ${record}`, 'see what it includes')]
  }
  if (verdicts.includes('pass'))
    return [...open, ...(open.length > 0 ? [] : [good(`${record}, which lets ${server} send`)])]
  const says = `it does not name the addresses of ${server}: ${record}`
  return [...open, warn(says, 'ask the provider what to include, unless mails leave from other addresses than it has')]
}

async function spfVerdict(ip: string, domain: string, { resolve }: Names): Promise<string> {
  const { spf } = await import('mailauth/lib/spf/index.js')
  const { status } = await spf({ ip, helo: domain, sender: `postmaster@${domain}`, resolver: resolve })
  return status.result
}

async function checkDkim(domain: string, named: readonly string[], names: Names): Promise<Diagnosis[]> {
  const { good, warn, bad } = diagnosing(`DKIM of ${domain}`)
  const asked = named.length > 0 ? named : SELECTORS
  const looked = await Promise.all(
    asked.map(async (selector) => {
      const [record] = await textsOf(names, `${selector}._domainkey.${domain}`, /(^|;)\s*p\s*=/i)
      return { selector, record }
    }),
  )
  const found = looked.flatMap(({ selector, record }) => (record === undefined ? [] : [{ selector, ...keyIn(record) }]))
  if (found.length === 0) {
    return named.length > 0
      ? [bad(`there is no key ${named.join(', ')}`, 'enter the TXT record that your mail provider tells you')]
      : [
          warn(
            'no key was found under the usual names',
            'have your mail provider sign, and name the key with --dkim-selector',
          ),
        ]
  }
  return found.map(({ selector, bits, fault }) => {
    if (fault !== null) return bad(`the key ${selector} ${fault}`, 'enter the key that your mail provider tells you')
    if (bits !== null && bits < REFUSED_BITS)
      return bad(`the key ${selector} has ${bits} bits: it counts for nothing`, 'make one of 2048')
    if (bits !== null && bits < WEAK_BITS) return warn(`the key ${selector} has ${bits} bits`, 'make one of 2048')
    return good(`the key ${selector}${bits === null ? '' : `, of ${bits} bits`}`)
  })
}

/** What a key's record holds: the bits of an RSA key, or what is wrong with it. */
function keyIn(record: string): { bits: number | null; fault: string | null } {
  const tags = new Map(
    record.split(';').map((tag) => tag.split(/=(.*)/s).map((part) => part.replace(/\s+/g, '')) as [string, string]),
  )
  const key = tags.get('p') ?? ''
  if (key === '') return { bits: null, fault: 'was taken back' }
  if (tags.get('k')?.toLowerCase() === 'ed25519') return { bits: null, fault: null }
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
    return { bits: asymmetricKeyDetails?.modulusLength ?? null, fault: null }
  } catch {
    return { bits: null, fault: 'cannot be read' }
  }
}

async function checkDmarc(domain: string, names: Names): Promise<Diagnosis[]> {
  const { good, warn, bad } = diagnosing(`DMARC of ${domain}`)
  for (const name of upwards(domain)) {
    const [record, ...others] = await textsOf(names, `_dmarc.${name}`, /^v=DMARC1\s*(;|$)/i)
    if (record === undefined) continue
    if (others.length > 0) return [bad('there are several records, so none counts', 'make one of them')]
    const policy = /;\s*p\s*=\s*(none|quarantine|reject)\b/i.exec(record)?.[1]
    if (policy === undefined) return [bad(`it names no policy: ${record}`, 'enter p=quarantine')]
    return policy.toLowerCase() === 'none'
      ? [warn(`${record}: whoever pretends to be you is let through`, 'once your mails pass, enter p=quarantine')]
      : [good(record)]
  }
  return [warn('there is none: Gmail and others take few mails then', `enter _dmarc.${domain} TXT "v=DMARC1; p=none"`)]
}

/** A domain and those above it, down to two labels: the record of the organisation holds for what is below it (RFC 7489). */
function upwards(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_, index) => labels.slice(index).join('.'))
}
