import { beforeEach, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { getServers, setServers } from 'node:dns'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { authenticate } from '../../../src/channels/email/receiving/authenticate.ts'
import type { Resolver } from '../../../src/ports/resolver.ts'
import { rawMail } from '../../support/mail/mails.ts'
import { startNameServer } from '../../support/servers/name-server.ts'

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicKey = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

let zone: Record<string, string>
let asked: string[]

const failure = (code: string) => Object.assign(new Error(code), { code })
const resolver: Resolver = async (name, type) => {
  asked.push(`${type} ${name}`)
  const record = zone[`${type} ${name}`]
  if (record === undefined) throw failure('ENOTFOUND')
  if (record === 'broken') throw failure('ESERVFAIL')
  if (record === 'silent') return new Promise<never>(() => {})
  return [[record]]
}

beforeEach(() => {
  asked = []
  zone = {
    'TXT customer.test': 'v=spf1 ip4:9.9.9.9 -all',
    'TXT evil.test': 'v=spf1 +all',
    'TXT _dmarc.customer.test': 'v=DMARC1; p=reject',
    'TXT s1._domainkey.customer.test': `v=DKIM1; k=rsa; p=${publicKey}`,
    'TXT s1._domainkey.evil.test': `v=DKIM1; k=rsa; p=${publicKey}`,
  }
})

const FROM = 'ada@customer.test'
const plain = rawMail({ from: FROM })

async function signed(signingDomain = 'customer.test', raw = plain) {
  const key = { signingDomain, selector: 's1', privateKey }
  const { signatures } = await dkimSign(Buffer.from(raw), { ...key, signatureData: [key] })
  return Buffer.concat([Buffer.from(signatures), raw])
}

/** As a server on the internet brings it. */
const from = (address: string, sender: string) => ({
  envelope: { from: sender, recipients: [] },
  connection: { address, hello: 'mx.test' },
})
const nobody = { envelope: null, connection: null }
const check = (raw: Uint8Array, origin: Parameters<typeof authenticate>[2], ask = resolver) =>
  authenticate(raw, FROM, origin, ask)

test('the domain’s own server vouches by SPF, another does not', async () => {
  expect(await check(plain, from('9.9.9.9', FROM))).toEqual({ spf: 'pass', dkim: 'none', dmarc: 'pass' })
  expect(await check(plain, from('8.8.8.8', FROM))).toEqual({ spf: 'fail', dkim: 'none', dmarc: 'fail' })
})

test('a server that the domain would rather not have is not vouched for either', async () => {
  zone['TXT customer.test'] = 'v=spf1 ip4:9.9.9.9 ~all'
  expect(await check(plain, from('8.8.8.8', FROM))).toEqual({ spf: 'fail', dkim: 'none', dmarc: 'fail' })
})

test('a key that its record has in several pieces is read as the name server gives it', async () => {
  const configured = getServers()
  const names = await startNameServer({
    's1._domainkey.customer.test': { TXT: [`v=DKIM1; h=sha256; k=rsa; |p=${publicKey}`] },
    '_dmarc.customer.test': { TXT: ['v=DMARC1; p=reject'] },
  })
  setServers([names.address])
  const verdict = await authenticate(await signed(), FROM, nobody)
  setServers(configured)
  names.close()
  expect(verdict).toMatchObject({ dkim: 'pass', dmarc: 'pass' })
})

test('a server that another domain vouches for says nothing about this one', async () => {
  expect(await check(plain, from('8.8.8.8', 'x@evil.test'))).toEqual({ spf: 'pass', dkim: 'none', dmarc: 'fail' })
})

test('the domain’s signature vouches for a mail that was passed on; of another domain, or of another text, it does not', async () => {
  const raw = await signed()
  expect(await check(raw, from('8.8.8.8', FROM))).toEqual({ spf: 'fail', dkim: 'pass', dmarc: 'pass' })
  expect(await check(await signed('evil.test'), from('8.8.8.8', FROM))).toMatchObject({ dkim: 'pass', dmarc: 'fail' })
  const changed = Buffer.from(raw.toString('latin1').replace('a week ago', 'a year ago'), 'latin1')
  expect(await check(changed, from('8.8.8.8', FROM))).toMatchObject({ dkim: 'fail', dmarc: 'fail' })
})

test('a domain without a policy is nobody’s to fail', async () => {
  delete zone['TXT _dmarc.customer.test']
  expect(await check(plain, from('8.8.8.8', FROM))).toMatchObject({ spf: 'fail', dmarc: 'none' })
})

describe('where the server is not known, or one of our own network,', () => {
  test.each([
    ['nobody', nobody],
    ['the network', from('10.0.0.1', FROM)],
    ['the network, as IPv6 writes it', from('::ffff:10.0.0.1', FROM)],
  ])('nothing is asked about a mail without a signature (%s)', async (_, origin) => {
    expect(await check(plain, origin)).toEqual({ spf: 'unknown', dkim: 'none', dmarc: 'unknown' })
    expect(asked).toEqual([])
  })

  test('a signature can vouch for a mail, and not fail it', async () => {
    expect(await check(await signed(), nobody)).toEqual({ spf: 'unknown', dkim: 'pass', dmarc: 'pass' })
    expect(await check(await signed('evil.test'), nobody)).toMatchObject({ dkim: 'pass', dmarc: 'unknown' })
  })
})

describe('a resolver that fails', () => {
  test('leaves everything unknown', async () => {
    const broken = async () => Promise.reject(failure('ESERVFAIL'))
    const unknown = { spf: 'unknown', dkim: 'unknown', dmarc: 'unknown' } as const
    expect(await check(await signed(), from('8.8.8.8', FROM), broken)).toEqual(unknown)
  })

  test('for what the failure of DMARC would rest on leaves that unknown', async () => {
    zone['TXT customer.test'] = 'broken'
    expect(await check(plain, from('8.8.8.8', FROM))).toMatchObject({ spf: 'unknown', dmarc: 'unknown' })
    zone['TXT s1._domainkey.customer.test'] = 'broken'
    zone['TXT customer.test'] = 'v=spf1 -all'
    expect(await check(await signed(), from('8.8.8.8', FROM))).toMatchObject({ dkim: 'unknown', dmarc: 'unknown' })
    zone['TXT _dmarc.customer.test'] = 'broken'
    expect(await check(plain, from('8.8.8.8', FROM))).toMatchObject({ spf: 'fail', dmarc: 'unknown' })
  })

  test('for what a forger names besides does not hide the failure', async () => {
    zone['TXT evil.test'] = 'broken'
    zone['TXT s1._domainkey.evil.test'] = 'silent'
    const raw = await signed('evil.test')
    const patience = { proofs: 20, policy: 60_000 }
    const found = await authenticate(raw, FROM, from('8.8.8.8', 'x@evil.test'), resolver, patience)
    expect(found).toEqual({ spf: 'unknown', dkim: 'unknown', dmarc: 'fail' })
  })
})

test('more signatures than anybody honest puts on a mail are worth nothing, and not looked at', async () => {
  const one = (await signed()).toString('latin1')
  const header = one.slice(0, one.indexOf('From:'))
  const raw = Buffer.from(header.repeat(30) + one, 'latin1')
  expect(await check(raw, nobody)).toMatchObject({ dkim: 'fail' })
  expect(asked.filter((name) => name.includes('_domainkey'))).toEqual([])
})
