import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { join } from 'node:path'
import { type Config, loadConfig } from '../../src/config.ts'
import type { Diagnosis } from '../../src/doctor/diagnosis.ts'
import { checkDomain } from '../../src/doctor/domains.ts'
import { examine } from '../../src/doctor/index.ts'
import { checkClock, checkOpenFiles } from '../../src/doctor/machine.ts'
import { checkListener, checkSending, sendTestMail } from '../../src/doctor/mail.ts'
import { namesBy } from '../../src/doctor/names.ts'
import { PROBE_HEADER, PROBE_PATH, probeOf } from '../../src/doctor/probe.ts'
import { checkReach } from '../../src/doctor/reach.ts'
import { sealerWith } from '../../src/secrets/seal.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createMailInbox } from '../support/mail/mailboxes.ts'
import { refusal, startMailServer } from '../support/mail/server.ts'
import { NOBODYS_PORT } from '../support/processes/ports.ts'
import { emptyFolder } from '../support/processes/program.ts'
import { type Front, startFront } from '../support/servers/front.ts'
import { type Records, startNameServer } from '../support/servers/name-server.ts'

const shortly = (found: readonly Diagnosis[]) => found.map(({ level, about, says }) => `${level} ${about}: ${says}`)
/** Those of one thing. */
const of = (found: readonly Diagnosis[], about: string) =>
  shortly(found.filter((diagnosis) => diagnosis.about === about)).map((line) => line.replace(`${about}: `, ''))

describe('the service, as it is reached', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ environment: { FRONTDESK_TRUSTED_PROXIES: '127.0.0.1' } })
  })
  afterAll(() => app.close())

  /** What is said of a service behind such a proxy. */
  async function behind(front: Front, service: TestApp = app, more: Partial<Config> = {}) {
    const proxy = await startFront(() => service.deps.config.baseUrl, front)
    const config = { ...service.deps.config, baseUrl: proxy.url, ...more }
    const { diagnoses } = await checkReach({
      config,
      names: namesBy(null),
      key: service.deps.secrets,
      now: service.clock.now(),
    })
    await proxy.close()
    return diagnoses
  }

  test('a proxy that does all it should is good, and nothing is bad', async () => {
    const found = await behind({})
    expect(shortly(found)).toEqual([
      'good TLS: none, and nothing leaves this network',
      expect.stringMatching(/^warn base URL: .* is at 127\.0\.0\.1, which is reached from this network alone$/),
      'good service: is well',
      'good proxy: 127.0.0.1 says who the client is, and is believed',
      'good WebSocket: gets through',
      'good uploads: files get through the proxy',
    ])
  })

  test('a proxy that forwards nothing, or what strangers write, is bad', async () => {
    expect(of(await behind({ forwards: 'never' }), 'proxy')).toEqual([
      'bad 127.0.0.1 sends no X-Forwarded-For: all visitors seem to come from it, and share one limit',
    ])
    expect(of(await behind({ forwards: 'unchanged' }), 'proxy')).toEqual([
      'bad 127.0.0.1 passes X-Forwarded-For on as strangers write it: they can pretend any address',
    ])
  })

  test('a proxy that nobody has named is bad, and the variable is said', async () => {
    const other = await startApp()
    const [proxy] = (await behind({}, other)).filter(({ about }) => about === 'proxy')
    expect(proxy).toMatchObject({ level: 'bad', remedy: 'FRONTDESK_TRUSTED_PROXIES=127.0.0.1' })
    await other.close()
  })

  test('a proxy that keeps sockets or files back is bad', async () => {
    expect(of(await behind({ withoutSockets: true }), 'WebSocket')).toEqual([
      'bad the proxy leaves out Upgrade and Connection: chats fall back to asking again and again',
    ])
    expect(of(await behind({ most: 1024 * 1024 }), 'uploads')).toEqual(['bad the proxy takes no file of 2 MiB'])
  })

  test('something else at the address, nobody, and another frontdesk are told apart', async () => {
    expect(of(await behind({ answers: 200 }), 'base URL')).toEqual(['bad something else answers there, with 200'])
    expect(of(await behind({ answers: 502 }), 'base URL')).toEqual(['bad the proxy answers 502'])
    const other = await startApp()
    const config = { ...app.deps.config, baseUrl: other.deps.config.baseUrl }
    // On PostgreSQL all installations of the tests have one key.
    const key = sealerWith(new Uint8Array(32))
    const asked = { config, names: namesBy(null), key, now: app.clock.now() }
    expect(of((await checkReach(asked)).diagnoses, 'base URL')).toEqual([
      expect.stringContaining('another frontdesk answers at'),
    ])
    await other.close()
    expect(of((await checkReach(asked)).diagnoses, 'base URL')).toEqual([
      expect.stringMatching(/^bad nobody answers at .*ECONNREFUSED/),
    ])
  })

  test('what the command has otherwise than the service is named, and not its value', async () => {
    const found = await behind({}, app, { smtpUrl: 'smtp://user:hush@mail.test' })
    expect(of(found, 'service')).toEqual([
      'good is well',
      'warn it runs with another FRONTDESK_SMTP_URL than this command has',
    ])
    expect(JSON.stringify(found)).not.toContain('hush')
  })

  test('an http: address on the internet is bad', async () => {
    const dns = await startNameServer({ 'desk.acme.test': { A: ['127.0.0.1'] } })
    const { port } = new URL(app.deps.config.baseUrl)
    const config = { ...app.deps.config, baseUrl: `http://desk.acme.test:${port}` }
    const reach = { config, names: namesBy(dns.address), key: app.deps.secrets, now: app.clock.now() }
    const { diagnoses, arrival } = await checkReach(reach)
    expect(of(diagnoses, 'TLS')).toEqual([
      'bad FRONTDESK_BASE_URL is an http: address: passwords and answers can be read on the way',
    ])
    expect(arrival).toMatchObject({ peer: '127.0.0.1' })
    const unknown = await checkReach({ ...reach, config: { ...config, baseUrl: 'http://nowhere.acme.test' } })
    expect(shortly(unknown.diagnoses)).toEqual(['bad base URL: there is no address for nowhere.acme.test (ENOTFOUND)'])
    dns.close()
  })

  test('strangers, old proofs and those of another installation get nothing of the page that tells', async () => {
    const now = app.clock.now()
    const other = { mac: () => new Uint8Array(32) }
    for (const probe of [
      undefined,
      '',
      'x',
      `${now}.`,
      probeOf(other, now),
      probeOf(app.deps.secrets, now - 3_600_000),
      probeOf(app.deps.secrets, now).replace(/^\d/, '9'),
    ]) {
      const { status, body } = await app.request('GET', PROBE_PATH, {
        headers: probe === undefined ? {} : { [PROBE_HEADER]: probe },
      })
      expect([probe, status, Object.keys(body)]).toEqual([probe, 404, ['error', 'message', 'requestId']])
    }
    const right = await app.request('GET', PROBE_PATH, { headers: { [PROBE_HEADER]: probeOf(app.deps.secrets, now) } })
    expect([right.status, right.body.now]).toEqual([200, now])
  })
})

describe('mail', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = (bits: number) =>
    (bits === 2048 ? publicKey : generateKeyPairSync('rsa', { modulusLength: bits }).publicKey)
      .export({ type: 'spki', format: 'der' })
      .toString('base64')

  /** What is said of a domain with such records; its mails leave by relay.test, at 192.0.2.9 (RFC 5737). */
  async function said(records: Readonly<Record<string, Records>>, { receives = true, selectors = ['s1'] } = {}) {
    const dns = await startNameServer({ 'relay.test': { A: ['8.8.4.4'] }, ...records })
    const domain = { domain: 'acme.test', receives, server: 'relay.test' }
    const found = await checkDomain(domain, namesBy(dns.address), selectors)
    dns.close()
    return shortly(found).map((line) => line.replace(/ of acme\.test/, ''))
  }

  test('a domain with all that it needs is good', async () => {
    const found = await said({
      'acme.test': { MX: ['mx1.acme.test', 'mx2.acme.test'], TXT: ['other', 'v=spf1 ip4:8.8.4.4 -all'] },
      's1._domainkey.acme.test': { TXT: [`v=DKIM1; k=rsa; p=${key(2048)}`] },
      '_dmarc.acme.test': { TXT: ['v=DMARC1; p=reject'] },
    })
    expect(found).toEqual([
      'good MX: mx1.acme.test, mx2.acme.test',
      'good SPF: v=spf1 ip4:8.8.4.4 -all, which lets relay.test send',
      'good DKIM: the key s1, of 2048 bits',
      'good DMARC: v=DMARC1; p=reject',
    ])
  })

  test('what is missing is said, with what follows from it', async () => {
    expect(await said({})).toEqual([
      'bad MX: there is none: what customers write does not arrive',
      'bad SPF: there is none: mails from it land in the spam',
      'bad DKIM: there is no key s1',
      'warn DMARC: there is none: Gmail and others take few mails then',
    ])
    expect((await said({}, { receives: false, selectors: [] })).map((line) => line.split(':')[0])).toEqual([
      'warn MX',
      'bad SPF',
      'warn DKIM',
      'warn DMARC',
    ])
  })

  test.each([
    ['v=spf1 +all', 'bad SPF: it lets everybody send: v=spf1 +all'],
    ['v=spf1 ip4:8.8.4.4 ?all', 'warn SPF: it does not say what becomes of others: v=spf1 ip4:8.8.4.4 ?all'],
    ['v=spf1 ip4:192.0.2.1 -all', 'warn SPF: it does not name the addresses of relay.test: v=spf1 ip4:192.0.2.1 -all'],
    [
      `v=spf1 ${Array.from({ length: 11 }, (_, index) => `exists:e${index}.acme.test`).join(' ')} -all`,
      expect.stringMatching(/^bad SPF: it cannot be followed, or asks for more than ten names/),
    ],
  ])('SPF %s', async (record, expected) => {
    const found = await said({ 'acme.test': { TXT: [record] } })
    expect(found.filter((line) => line.includes('SPF'))).toEqual([expected])
  })

  test('two records of one kind count as none', async () => {
    const found = await said({
      'acme.test': { TXT: ['v=spf1 -all', 'v=spf1 ~all'] },
      '_dmarc.acme.test': { TXT: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] },
    })
    expect(found.filter((line) => line.includes('several')).map((line) => line.split(':')[0])).toEqual([
      'bad SPF',
      'bad DMARC',
    ])
  })

  test.each([
    [() => 'v=DKIM1; p=', 'bad DKIM: the key s1 was taken back'],
    [() => 'v=DKIM1; p=AAAA', 'bad DKIM: the key s1 cannot be read'],
    [() => `p=${key(1024)}`, 'warn DKIM: the key s1 has 1024 bits'],
    [() => `p=${key(512)}`, 'bad DKIM: the key s1 has 512 bits: it counts for nothing'],
    [() => 'k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=', 'good DKIM: the key s1'],
  ])('DKIM, case %#', async (record, expected) => {
    const found = await said({ 's1._domainkey.acme.test': { TXT: [record()] } })
    expect(found.filter((line) => line.includes('DKIM'))).toEqual([expected])
  })

  test('signs in at the mail server, and sends a test mail that says where it is from', async () => {
    const server = await startMailServer({
      authOptional: false,
      onAuth: ({ username, password }, _, done) =>
        done(password === 'right' ? null : refusal(535, 'no'), { user: username }),
      allowInsecureAuth: true,
    })
    const config = (password: string) =>
      loadConfig({
        FRONTDESK_SMTP_URL: server.url.replace('//', `//desk:${password}@`),
        FRONTDESK_SYSTEM_FROM: 'desk@acme.test',
      })
    expect(shortly([await checkSending(config('right'))])).toEqual(['good outgoing mail: 127.0.0.1 lets us in'])
    const refused = await checkSending(config('wrong'))
    expect(shortly([refused])[0]).toStartWith('bad outgoing mail: 127.0.0.1: the server does not accept the user')
    expect(JSON.stringify(refused)).not.toContain('wrong')
    expect(server.mails).toEqual([])
    expect(await sendTestMail(config('right'), 'you@other.test', 'i', 0)).toMatchObject({ level: 'good' })
    expect(server.mails[0]).toMatchObject({
      from: { address: 'desk@acme.test' },
      envelope: { to: ['you@other.test'] },
      subject: 'A test mail of frontdesk',
    })
    await server.close()
    const away = { ...config('right'), smtpUrl: `smtp://127.0.0.1:${NOBODYS_PORT}` }
    expect(shortly([await checkSending(away)])).toEqual([
      expect.stringContaining('bad outgoing mail: 127.0.0.1: the host takes no connections on this port'),
    ])
    expect(await sendTestMail(away, 'you@other.test', 'i', 0)).toMatchObject({ level: 'bad' })
  })

  test('looks whether mail is taken where it should be', async () => {
    const server = await startMailServer()
    const inboundSmtp = { host: '127.0.0.1', port: server.port, tls: null }
    expect(shortly(await checkListener({ inboundSmtp }))).toEqual([
      `warn incoming mail: taken on port ${server.port}, in clear`,
    ])
    await server.close()
    const away = { ...inboundSmtp, port: NOBODYS_PORT }
    expect(await checkListener({ inboundSmtp: away })).toMatchObject([{ level: 'bad' }])
    expect(await checkListener({ inboundSmtp: null })).toEqual([])
  })
})

describe('the machine', () => {
  /** A time server (RFC 4330) whose clock is so many seconds ahead of `now`. */
  async function timeServer(now: number, ahead: number, stratum = 2) {
    const socket = createSocket('udp4')
    socket.on('message', (_, { port, address }) => {
      const answer = Buffer.alloc(48)
      answer[0] = (4 << 3) | 4
      answer[1] = stratum
      for (const at of [32, 40]) answer.writeUInt32BE(Math.floor(now / 1000) + 2_208_988_800 + ahead, at)
      socket.send(answer, port, address)
    })
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    return { host: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
  }

  test.each([
    [0, 2, 'good clock: right, by'],
    [10, 2, 'warn clock: it is 10.0 seconds slow'],
    [-40, 2, 'bad clock: it is 40.0 seconds fast: codes of authenticator apps are refused'],
    [0, 16, 'warn clock: it could not be compared'],
  ])('a clock that a server is %i seconds ahead of', async (ahead, stratum, expected) => {
    const now = Date.parse('2026-03-01T09:00:00Z')
    const server = await timeServer(now, ahead, stratum)
    const [line] = shortly([await checkClock(server.host, () => now)])
    expect(line).toStartWith(expected)
    server.close()
  })

  test('few descriptors are bad, fewer than the unit asks for are told', () => {
    const levels = [1024, 20_000, 65_536, null].map((limit) => checkOpenFiles(limit).map(({ level }) => level))
    expect(levels).toEqual([['bad'], ['warn'], ['good'], []])
  })
})

test('all of it together: the data, the service, and the domains of every inbox', async () => {
  const app = await startApp()
  const inbox = await createMailInbox(await app.createTenant())
  const domain = (inbox.emailAddress ?? '').split('@')[1] ?? ''
  const dns = await startNameServer({ [domain]: { MX: ['mx.acme.test'] } })
  const wishes = { dns: dns.address, timeServer: '127.0.0.1:1', selectors: [], mail: null }
  const found = await examine(app.deps.config, wishes, app.clock)
  expect(of(found, 'data')).toEqual([`good ${app.deps.config.dataDir} is in order`])
  expect(of(found, 'service')).toEqual(['good is well'])
  expect(of(found, `MX of ${domain}`)).toEqual(['good mx.acme.test'])
  dns.close()
  await app.close()
  const gone = await examine({ ...app.deps.config, dataDir: join(emptyFolder(), 'none') }, wishes, app.clock)
  expect(shortly(gone)[0]).toMatch(/^bad .*none: there is no such folder$/)
})
