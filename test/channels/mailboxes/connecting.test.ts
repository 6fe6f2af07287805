import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { explainFault } from '../../../src/channels/email/mailboxes/faults.ts'
import { disconnectMailbox, listConnections } from '../../../src/channels/email/mailboxes/operations.ts'
import { addressOf } from '../../../src/channels/email/mailboxes/reach.ts'
import { namedServer, parseServerUrl } from '../../../src/channels/email/mailboxes/server-url.ts'
import { tryImap, trySmtp } from '../../../src/channels/email/mailboxes/trial.ts'
import { smtpOptions } from '../../../src/channels/email/transports.ts'
import { auditEntries, mailboxes } from '../../../src/db/schema.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { hasDovecot, type ImapServer, startImapServer } from '../../support/mail/imap-server.ts'
import { createConnected, createMailInbox } from '../../support/mail/mailboxes.ts'
import { type MailServer, startMailServer, startRawServer } from '../../support/mail/server.ts'
import { NOBODYS_PORT } from '../../support/processes/ports.ts'
import { refusalOf } from '../../support/refusal.ts'
import { createChatInbox } from '../../support/tickets/tickets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

describe('the URL of a server', () => {
  test.each([
    ['imap', 'imaps://help%40acme.test@imap.acme.test', 'imap.acme.test', 993, 'tls', 'help@acme.test'],
    ['imap', 'imaps://help@acme.test@IMAP.acme.test:1993/', 'imap.acme.test', 1993, 'tls', 'help@acme.test'],
    ['imap', 'imap://help@[::1]', '::1', 143, 'starttls', 'help'],
    ['smtp', 'smtp://help@smtp.bücher.test', 'smtp.xn--bcher-kva.test', 587, 'starttls', 'help'],
    ['smtp', 'smtps://10.0.0.7', '10.0.0.7', 465, 'tls', null],
  ] as const)('%s: %s', (kind, url, host, port, security, user) => {
    expect(parseServerUrl(kind, url)).toEqual({ host, port, security, user })
  })

  test.each([
    ['imap', 'smtp://help@acme.test', 'imap: must be a URL such as imaps://user@imap.example.com'],
    ['smtp', 'acme.test', 'smtp: must be a URL such as smtps://user@smtp.example.com'],
    ['imap', 'imaps://help:hunter2@acme.test', 'imap: a URL holds no password: pipe it into --password-stdin'],
    ['imap', 'imaps://help@acme.test/INBOX', 'imap: nothing may follow host and port'],
    ['imap', 'imaps://acme.test', 'imap: names no user, as in user@host'],
    ['smtp', 'smtp://a%0d%0aQUIT@acme.test', 'smtp: names no user, as in user@host'],
    ['smtp', 'smtp://%zz@acme.test', 'smtp: names no user, as in user@host'],
  ] as const)('%s: %s is refused', (kind, url, message) => {
    expect(() => parseServerUrl(kind, url)).toThrow(message)
  })

  test('insists on TLS, but for this machine', () => {
    const secret = { password: 'x' }
    expect(smtpOptions(parseServerUrl('smtp', 'smtp://a@acme.test'), 'acme.test', secret)).toMatchObject({
      requireTLS: true,
    })
    expect(smtpOptions(parseServerUrl('smtp', 'smtp://a@127.0.0.1'), '127.0.0.1', secret)).toMatchObject({
      requireTLS: false,
    })
  })
})

describe('a server that somebody names who is no administrator of the machine', () => {
  const named = (host: string, allowPrivate = false) =>
    namedServer('imap', { host, port: '', security: 'tls', user: 'help' }, { allowPrivate })

  test('has the usual port unless it says so, and is reached at public addresses alone', () => {
    expect(named('IMAP.bücher.test.')).toEqual({
      host: 'imap.xn--bcher-kva.test',
      port: 993,
      security: 'tls',
      user: 'help',
      publicOnly: true,
    })
    const smtp = { host: 'smtp.acme.test', port: '2525', security: 'starttls', user: 'help' } as const
    expect(namedServer('smtp', smtp, { allowPrivate: false })).toMatchObject({ port: 2525, security: 'starttls' })
    expect(namedServer('smtp', { ...smtp, port: '' }, { allowPrivate: false }).port).toBe(587)
    expect(named('127.1', true).host).toBe('127.0.0.1')
    expect(named('::1', true).host).toBe('::1')
  })

  test.each(['', 'a b', 'a/b', 'a:993', 'user@a.test', 'a.test?x', '[::1', '%31', 'a\\b', '[fe80::1%eth0]'])(
    '%j is none',
    (host) => expect(() => named(host, true)).toThrow('imapHost: must be the name of a host'),
  )

  const publicOnly = { ...parseServerUrl('imap', 'imaps://help@imap.acme.test'), publicOnly: true } as const
  const lookup =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address }))

  test('is reached at the address that was looked at, at every connection', async () => {
    const { config } = app.deps
    expect(await addressOf(publicOnly, config, lookup('93.184.216.34'))).toBe('93.184.216.34')
    const rebound = addressOf(publicOnly, config, lookup('93.184.216.34', '10.0.0.7'))
    expect(await refusalOf(rebound)).toBe('the host has a private or reserved address')
    expect(await refusalOf(addressOf(publicOnly, config, lookup()))).toBe('there is no host of this name')
    expect(await refusalOf(tryImap(config, { ...publicOnly, host: '127.0.0.1' }, { password: 'x' }))).toBe(
      'the host has a private or reserved address',
    )
    expect(await refusalOf(trySmtp(config, { ...publicOnly, host: '127.0.0.1' }, { password: 'x' }))).toBe(
      'the host has a private or reserved address',
    )
    // What the command line names may be any.
    expect(await addressOf({ ...publicOnly, publicOnly: undefined } as never, config)).toBe('imap.acme.test')
  })

  test('keeps its name for the certificate', () => {
    expect(smtpOptions(publicOnly, '93.184.216.34', { password: 'x' })).toMatchObject({
      host: '93.184.216.34',
      servername: 'imap.acme.test',
    })
  })
})

test('a trial ends in time, whatever a server does not say', async () => {
  const silent = await startRawServer(() => {})
  const server = { host: '127.0.0.1', port: Number(new URL(silent.url).port), security: 'starttls', user: 'a' } as const
  for (const trial of [tryImap, trySmtp]) {
    expect(await refusalOf(trial(app.deps.config, server, { password: 'x' }, 50))).toBe('the host does not answer')
  }
  await silent.close()
})

test.each([
  [{ code: 'ENOTFOUND' }, 'host_unknown'],
  [{ code: 'EDNS', message: 'getaddrinfo EAI_AGAIN x' }, 'host_unknown'],
  [{ code: 'ESOCKET', message: 'connect ECONNREFUSED 127.0.0.1:1' }, 'refused'],
  [{ code: 'ETIMEDOUT' }, 'unreachable'],
  [{ code: 'CONNECT_TIMEOUT' }, 'unreachable'],
  [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'tls'],
  [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'tls'],
  [{ tlsFailed: true, message: 'Server does not support STARTTLS' }, 'tls'],
  [{ authenticationFailed: true, serverResponseCode: 'AUTHENTICATIONFAILED' }, 'sign_in'],
  [{ authenticationFailed: true, serverResponseCode: 'UNAVAILABLE' }, 'trouble'],
  [{ code: 'EAUTH', responseCode: 535 }, 'sign_in'],
  [{ code: 'EAUTH', responseCode: 454 }, 'trouble'],
  [{ code: 'ECONNRESET' }, 'lost'],
  [{ code: 'ParserError11' }, 'trouble'],
  [null, 'trouble'],
] as const)('a fault that says %o is %s', (fault, problem) => {
  expect(explainFault(fault).problem).toBe(problem)
})

describe.skipIf(!hasDovecot)('connecting', () => {
  let imap: ImapServer
  let smtp: MailServer
  beforeAll(async () => {
    imap = await startImapServer()
    smtp = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) =>
        password === 'secret' ? done(null, { user: username ?? '' }) : done(new Error('Wrong password')),
    })
  })
  afterAll(async () => {
    await imap.close()
    await smtp.close()
  })
  const urlOf = (server: MailServer) => ({ url: server.url.replace('//', '//help%40acme.test@') })
  type Servers = Partial<Parameters<typeof createConnected>[2]>
  const connect = async (more = {}, servers: Servers = {}, tenant?: TestTenant) =>
    createConnected(app, tenant ?? (await app.createTenant()), { imap, smtp: urlOf(smtp), ...servers }, more)

  test('stores no secret in clear text, says none, and is in the audit log', async () => {
    const tenant = await app.createTenant()
    const { inboxId, connection } = await connect({}, {}, tenant)
    expect(connection).toEqual({
      state: 'connecting',
      error: null,
      since: '2026-03-01T09:00:00.000Z',
      imap: { host: '127.0.0.1', port: imap.port, security: 'starttls', user: 'help@acme.test' },
      smtp: { host: '127.0.0.1', port: smtp.port, security: 'starttls', user: 'help@acme.test' },
      signIn: 'password',
    })
    const rows = await app.database.db.select().from(mailboxes)
    expect(JSON.stringify(rows)).not.toContain('secret"')
    expect(app.logged.join()).not.toContain('secret')
    await tenant.perform((tx, caller) => disconnectMailbox(tx, caller, inboxId))
    expect((await listConnections(app.database.db, tenant.tenantId)).size).toBe(0)
    const entries = await app.database.db.select().from(auditEntries).orderBy(auditEntries.number)
    const own = entries.filter(({ recordId }) => recordId === inboxId).map(({ action }) => action)
    expect(own).toEqual(['inbox.created', 'inbox.connected', 'inbox.disconnected'])
    expect(await refusalOf(tenant.perform((tx, caller) => disconnectMailbox(tx, caller, inboxId)))).toContain(
      'not found',
    )
  })

  test('says at once what is wrong with both servers, and changes nothing', async () => {
    const tenant = await app.createTenant()
    const message = await refusalOf(connect({ secret: 'hunter2' }, {}, tenant))
    expect(message).toContain(
      `imap 127.0.0.1:${imap.port}: the server does not accept the user and the password or token`,
    )
    expect(message).toContain(
      `smtp 127.0.0.1:${smtp.port}: the server does not accept the user and the password or token`,
    )
    expect(message).toContain('Authentication failed')
    expect(message).not.toContain('hunter2')
    expect((await listConnections(app.database.db, tenant.tenantId)).size).toBe(0)
  })

  test('of a port where nobody listens', async () => {
    const gone = `127.0.0.1:${NOBODYS_PORT}`
    expect(await refusalOf(connect({}, { smtp: { url: `smtp://${gone}` } }))).toBe(
      `smtp ${gone}: the host takes no connections on this port`,
    )
    expect(await refusalOf(connect({}, { imap: { url: () => `imaps://a@${gone}` } }))).toBe(
      `imap ${gone}: the host takes no connections on this port`,
    )
  })

  test('of a server without the TLS that was asked for, or with a certificate that nobody vouches for', async () => {
    const strict = await startImapServer({ certificate: 'self-signed' })
    expect(await refusalOf(connect({}, { imap: strict }))).toContain(
      `imap 127.0.0.1:${strict.port}: no secure connection`,
    )
    await strict.close()
    const tls = { url: () => imap.url().replace('imap:', 'imaps:') }
    expect(await refusalOf(connect({}, { imap: tls }))).toContain(`imap 127.0.0.1:${imap.port}: no secure connection`)
    const smtps = { url: urlOf(smtp).url.replace('smtp:', 'smtps:') }
    expect(await refusalOf(connect({}, { smtp: smtps }))).toContain(`smtp 127.0.0.1:${smtp.port}: no secure connection`)
  })

  test.each([
    ['has no room for us', '* BYE too many connections\r\n', 'the server keeps closing the connection'],
    ['never ends a line', 'x'.repeat(2 ** 21 + 1024), 'the server answers otherwise than expected'],
    ['announces more than it may send', '* OK {2000000000}\r\n', 'the server answers otherwise than expected'],
  ])('of a server that %s', async (_, greeting, words) => {
    const odd = await startRawServer((socket) => {
      socket.write(greeting)
      if (greeting.startsWith('* BYE')) socket.end()
    })
    const url = () => odd.url.replace('smtp://', 'imap://help@')
    expect(await refusalOf(connect({}, { imap: { url } }))).toContain(words)
    await odd.close()
  })

  test('of an account without an INBOX', async () => {
    const bare = await startRawServer((socket) => {
      socket.write('* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN] ready\r\n')
      socket.on('data', (chunk) => {
        for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
          const [tag, command] = line.split(' ')
          socket.write(command === 'SELECT' ? `${tag} NO [NONEXISTENT] No such mailbox\r\n` : `${tag} OK done\r\n`)
        }
      })
    })
    const url = () => bare.url.replace('smtp://', 'imap://help@')
    expect(await refusalOf(connect({}, { imap: { url } }))).toContain('the account has no INBOX that could be opened')
    await bare.close()
  })

  test('of a chat, and of another tenant’s inbox', async () => {
    const tenant = await app.createTenant()
    const chat = await createChatInbox(tenant)
    expect(await refusalOf(connect({ inboxId: chat.id }, {}, tenant))).toBe('only email inboxes have a mailbox')
    const theirs = await createMailInbox(await app.createTenant())
    expect(await refusalOf(connect({ inboxId: theirs.id }))).toBe('inbox not found')
  })
})
