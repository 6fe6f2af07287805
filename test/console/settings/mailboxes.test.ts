import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { SMTPServerOptions } from 'smtp-server'
import { getMailbox } from '../../../src/channels/email/mailboxes/operations.ts'
import { secretContext } from '../../../src/channels/email/mailboxes/sign-in.ts'
import { Transports } from '../../../src/channels/email/transports.ts'
import { auditEntries, mailboxes } from '../../../src/db/schema.ts'
import type { Inbox } from '../../../src/inboxes/model.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { hasDovecot, type ImapServer, startImapServer } from '../../support/mail/imap-server.ts'
import { createMailInbox, keepingLetterbox, mailOf, watching } from '../../support/mail/mailboxes.ts'
import { type MailServer, startMailServer, startRawServer } from '../../support/mail/server.ts'
import { type ConsoleBrowser, signedIn } from '../../support/pages/console.ts'
import { until } from '../../support/patience.ts'
import { NOBODYS_PORT } from '../../support/processes/ports.ts'
import { refusalOf } from '../../support/refusal.ts'
import { type Provider, startProvider } from '../../support/servers/token-endpoint.ts'
import { createChatInbox } from '../../support/tickets/tickets.ts'

const USER = 'help@acme.test'
const CALLBACK = '/console/settings/mailboxes/callback'

let app: TestApp
let provider: Provider
let smtp: MailServer
let imap: ImapServer
let acme: TestTenant
let admin: Awaited<ReturnType<typeof signedIn>>
let inbox: Inbox

const onAuth: SMTPServerOptions['onAuth'] = ({ method, username = '', password, accessToken }, _, done) => {
  const isRight = method === 'XOAUTH2' ? provider.isValid(accessToken ?? '') : password === 'secret'
  if (isRight) done(null, { user: username })
  else if (method === 'XOAUTH2') done(null, { data: { status: '401', schemes: 'bearer', scope: 'mail' } })
  else done(new Error('Wrong <b>password</b>'))
}

beforeAll(async () => {
  provider = await startProvider(USER)
  app = await startApp({
    environment: {
      FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true',
      FRONTDESK_GOOGLE_CLIENT_ID: 'desk',
      FRONTDESK_GOOGLE_CLIENT_SECRET: 'desk-secret',
    },
    replace: { providerEndpoints: provider.endpoints },
  })
  smtp = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    onAuth,
  })
  if (hasDovecot) imap = await startImapServer({ tokenInfoUrl: provider.tokenInfoUrl })
})
beforeEach(async () => {
  provider.reset()
  acme = await app.createTenant()
  admin = await signedIn(app, acme)
  inbox = await createMailInbox(acme)
})
afterEach(() => app.database.transaction((tx) => tx.delete(mailboxes)))
afterAll(async () => {
  await imap?.close()
  await smtp.close()
  await app.close()
  await provider.close()
})

const pathOf = (id = inbox.id) => `/console/settings/inboxes/${id}`
const typed = (fields: Record<string, string> = {}) => ({
  user: USER,
  password: 'secret',
  imapHost: '127.0.0.1',
  imapPort: String(imap.port),
  imapSecurity: 'starttls',
  smtpHost: '127.0.0.1',
  smtpPort: String(smtp.port),
  smtpSecurity: 'starttls',
  old: '',
  ...fields,
})
const connect = (fields: Record<string, string> = {}) => admin.post(`${pathOf()}/connect`, typed(fields))
const mailbox = () => getMailbox(app.database.db, acme.tenantId, inbox.id)
const actions = async () => {
  const entries = await app.database.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.recordId, inbox.id))
    .orderBy(auditEntries.number)
  return entries.map(({ action }) => action)
}

describe('an inbox in the settings', () => {
  test('is linked from the list and says how it can be connected', async () => {
    expect((await admin.get('/console/settings/inboxes')).text).toContain(`<a href="${pathOf()}">Support</a>`)
    const { status, text, headers } = await admin.get(pathOf())
    expect(status).toBe(200)
    expect(text).toContain('This inbox is not connected to a mailbox')
    expect(text).toContain(`value="${inbox.emailAddress}"`)
    expect(text).toContain('Continue with Google')
    expect(text).not.toContain('Continue with Microsoft')
    // A form may lead to the page of the one provider, and nowhere else.
    const origin = new URL(provider.endpoints.google.consent.url).origin
    expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${origin};`)
  })

  test('of a chat has no mailbox; another tenant’s is unknown, to read and to change', async () => {
    const chat = await createChatInbox(acme)
    const page = await admin.get(pathOf(chat.id))
    expect([
      page.status,
      page.text.includes('Only email inboxes have a mailbox'),
      page.text.includes('/connect'),
    ]).toEqual([200, true, false])
    const theirs = await createMailInbox(await app.createTenant())
    expect((await admin.get(pathOf(theirs.id))).status).toBe(404)
    for (const action of ['connect', 'test', 'disconnect', 'consent']) {
      const answer = await admin.post(`${pathOf(theirs.id)}/${action}`, { account: USER, provider: 'google' })
      expect([action, answer.status]).toEqual([action, 404])
    }
  })

  test('is for admins alone', async () => {
    const agent = await signedIn(app, acme, 'agent')
    expect((await agent.get(pathOf())).status).toBe(403)
    expect((await agent.post(`${pathOf()}/connect`)).status).toBe(403)
    expect((await agent.get(`${CALLBACK}?code=x&state=y`)).status).toBe(403)
  })
})

describe.skipIf(!hasDovecot)('by user and password', () => {
  test('is connected once both servers let us in, and takes mail from then on', async () => {
    imap.deliver(mailOf('Before'))
    const page = await admin.follow(await connect())
    expect(page.text).toContain('The mailbox is connected.')
    expect(page.text).toContain('<span class="badge warn">Connecting</span>')
    expect(page.text).toContain(`<dd>help@acme.test (password)</dd>`)
    expect(page.text).toContain(`<dd>127.0.0.1:${imap.port} (STARTTLS)</dd>`)
    expect(page.text).not.toContain('secret')
    expect(await actions()).toEqual(['inbox.created', 'inbox.connected'])

    const { letterbox, subjects } = keepingLetterbox()
    const watched = watching(app, letterbox)
    await until(async () => (await mailbox())?.state === 'connected', watched.look)
    imap.deliver(mailOf('After'))
    await until(() => subjects.includes('After'), watched.look)
    expect(subjects).toEqual(['After'])
    expect((await admin.get(pathOf())).text).toContain('<span class="badge good">Connected</span>')
    await watched.stop()
  })

  test('takes mails that lie there already where that is asked for', async () => {
    await connect({ old: 'all' })
    const [row] = await app.database.db.select().from(mailboxes)
    expect(row).toMatchObject({ lastUid: 0, oldestAt: null })
    await connect({ old: 'week' })
    const [next] = await app.database.db.select().from(mailboxes)
    expect(next?.oldestAt).toBe('2026-02-22T09:00:00.000Z')
  })

  test('says in plain words what is wrong with each server, beside its field, and keeps what was typed but the password', async () => {
    const answer = await connect({ imapPort: String(NOBODYS_PORT), password: 'hunter2' })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(
      `Incoming mail (127.0.0.1:${NOBODYS_PORT}): The host takes no connections on this port.`,
    )
    expect(answer.text).toContain(
      `Outgoing mail (127.0.0.1:${smtp.port}): The server does not accept this user and password.`,
    )
    expect(answer.text).toContain('The server said: “535 Wrong &lt;b&gt;password&lt;/b&gt;”')
    expect(answer.text).toContain('<p class="error" id="field-imapHost-error">')
    expect(answer.text).toContain(`value="${NOBODYS_PORT}"`)
    expect(answer.text).not.toContain('hunter2')
    expect([await mailbox(), await actions()]).toEqual([null, ['inbox.created']])
  })

  test.each([
    ['a wrong password', { password: 'wrong' }, 'password', 'does not accept this user and password'],
    ['a certificate that nobody vouches for', {}, 'imapHost', 'No secure connection could be made'],
  ])('refuses %s', async (what, fields, name, words) => {
    const strict = what.startsWith('a certificate') ? await startImapServer({ certificate: 'self-signed' }) : null
    const more: Record<string, string> = strict ? { imapPort: String(strict.port), imapSecurity: 'tls' } : fields
    const answer = await connect(more)
    expect([answer.status, answer.text.includes(`id="field-${name}-error"`)]).toEqual([422, true])
    expect(answer.text).toContain(words)
    await strict?.close()
    expect(await mailbox()).toBeNull()
  })

  test('refuses an account without a folder INBOX', async () => {
    const bare = await startRawServer((socket) => {
      socket.write('* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN] ready\r\n')
      socket.on('data', (chunk) => {
        for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
          const [tag, command] = line.split(' ')
          socket.write(command === 'SELECT' ? `${tag} NO [NONEXISTENT] No such mailbox\r\n` : `${tag} OK done\r\n`)
        }
      })
    })
    const answer = await connect({ imapPort: new URL(bare.url).port })
    expect([answer.status, answer.text.includes('The account has no folder INBOX that could be opened.')]).toEqual([
      422,
      true,
    ])
    await bare.close()
  })

  test.each([
    ['imapHost', { imapHost: 'imap.acme.test/x' }, 'Must be the name of a server'],
    ['imapHost', { imapHost: '' }, 'Must be the name of a server'],
    ['smtpHost', { smtpHost: 'evil@smtp.acme.test' }, 'Must be the name of a server'],
    ['smtpPort', { smtpPort: '70000' }, 'Must have a port from 1 to 65535'],
    ['user', { user: 'a\u0000b' }, 'Must be 1 to 320 characters'],
    ['password', { password: '' }, 'Must not be empty'],
  ])('asks for another %s before any server is asked: %j', async (name, fields, words) => {
    const answer = await connect(fields)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(`id="field-${name}-error">${words}`)
  })

  test('speaks German where the reader does', async () => {
    await admin.post('/console/account/profile', { name: 'Ada', language: 'de' })
    const { text } = await connect({ password: 'wrong', smtpHost: 'a b' })
    expect(text).toContain('Muss der Name eines Servers sein')
    const refused = await connect({ password: 'wrong' })
    expect(refused.text).toContain('Der Server nimmt diesen Benutzer mit diesem Passwort nicht an.')
  })

  test('is tried again, which says what is wrong now, and goes on at once when all is well again', async () => {
    await connect()
    const { letterbox } = keepingLetterbox()
    const watched = watching(app, letterbox)
    await until(async () => (await mailbox())?.state === 'connected', watched.look)
    expect((await admin.follow(await admin.post(`${pathOf()}/test`))).text).toContain(
      'Both servers accepted the sign-in.',
    )
    await imap.stop()
    await until(
      async () => (await mailbox())?.state === 'failing',
      () => {
        app.clock.advance(5_000)
        return watched.look()
      },
    )
    const { text } = await admin.get(pathOf())
    expect(text).toContain('<span class="badge bad">Not reachable</span>')
    expect(text).toContain('<p>The host takes no connections on this port.</p>')
    expect((await admin.get('/console/settings/inboxes')).text).toContain('The host takes no connections on this port.')
    const failed = await admin.post(`${pathOf()}/test`)
    expect([failed.status, failed.text.includes('The host takes no connections on this port.')]).toEqual([422, true])
    await imap.start()
    await admin.post(`${pathOf()}/test`)
    expect((await mailbox())?.state).toBe('connecting')
    // The clock stands still: nobody waits for the next attempt.
    await until(async () => (await mailbox())?.state === 'connected', watched.look)
    await watched.stop()
  })

  test('is let go of, and its password forgotten', async () => {
    await connect()
    const answer = await admin.follow(await admin.post(`${pathOf()}/disconnect`))
    expect(answer.text).toContain('The mailbox is disconnected.')
    expect(answer.text).toContain('This inbox is not connected to a mailbox')
    expect([await mailbox(), await actions()]).toEqual([
      null,
      ['inbox.created', 'inbox.connected', 'inbox.disconnected'],
    ])
    expect((await admin.post(`${pathOf()}/disconnect`)).status).toBe(404)
    expect((await admin.post(`${pathOf()}/test`)).status).toBe(404)
  })

  test('asks other people’s servers ten times a minute at most', async () => {
    const fields = { imapPort: String(NOBODYS_PORT), smtpPort: String(NOBODYS_PORT) }
    for (let i = 0; i < 10; i++) expect((await connect(fields)).status).toBe(422)
    const refused = await connect(fields)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    app.clock.advance(60_000)
    expect((await connect(fields)).status).toBe(422)
  })
})

test('servers that are not public are refused before anything is sent there, unless they are allowed', async () => {
  const strict = await startApp()
  const tenant = await strict.createTenant()
  const browser = await signedIn(strict, tenant)
  const { id } = await createMailInbox(tenant)
  const fields = { user: USER, password: 'secret', imapHost: 'imap.acme.test' }
  for (const smtpHost of [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '[::1]',
    '::1',
    '10.0.0.7',
    '169.254.169.254',
    '0x7f.1',
  ]) {
    const answer = await browser.post(`${pathOf(id)}/connect`, { ...fields, smtpHost })
    expect([smtpHost, answer.status]).toEqual([smtpHost, 400])
    expect(answer.text).toContain('id="field-smtpHost-error">Must not point to a private or reserved address')
  }
  await strict.close()
})

test('a name that leads into our network later is not followed there: neither to fetch nor to send', async () => {
  const strict = await startApp()
  const tenant = await strict.createTenant()
  const own = await createMailInbox(tenant)
  let connections = 0
  const inside = await startRawServer(() => {
    connections += 1
  })
  const { port } = new URL(inside.url)
  const server = { host: '127.0.0.1', port: Number(port), security: 'tls', user: USER, publicOnly: true } as const
  const at = '2026-03-01T09:00:00.000Z'
  await tenant.perform((tx, { tenantId }) =>
    tx.insert(mailboxes).values({
      ...{ tenantId, inboxId: own.id, revision: 'x', imap: server, smtp: server, provider: null },
      ...{ uidValidity: 1, lastUid: 1, lastMailAt: at, since: at, createdAt: at, state: 'connected' },
      sealedSecret: strict.deps.secrets.seal('secret', secretContext({ tenantId, inboxId: own.id })),
    }),
  )
  const watched = watching(strict, keepingLetterbox().letterbox)
  const found = () => getMailbox(strict.database.db, tenant.tenantId, own.id)
  await until(async () => (await found())?.state === 'failing', watched.look)
  expect(await found()).toMatchObject({ problem: 'not_public' })
  const transport = new Transports(strict.deps).of({ tenantId: tenant.tenantId, inboxId: own.id })
  const mail = { id: 'x', envelope: { from: USER, to: [USER] }, message: Buffer.from('Subject: x\r\n\r\n') }
  expect(await refusalOf(transport.send(mail))).toContain('the host has a private or reserved address')
  const browser = await signedIn(strict, tenant)
  const tried = await browser.post(`${pathOf(own.id)}/test`)
  expect([tried.status, tried.text.includes('This host has a private or reserved address')]).toEqual([422, true])
  expect(connections).toBe(0)
  await watched.stop()
  await inside.close()
  await strict.close()
})

describe.skipIf(!hasDovecot)('by consent', () => {
  beforeAll(() => provider.setServers({ imap: imap.port, smtp: smtp.port }))

  /** To the provider's page. Returns its address, and the query with which it leads back. */
  async function leave(fields: Record<string, string> = {}, browser: ConsoleBrowser = admin) {
    const answer = await browser.post(`${pathOf()}/consent`, { account: USER, provider: 'google', old: '', ...fields })
    expect([answer.status, answer.text]).toEqual([303, ''])
    const url = new URL(answer.headers.get('location') as string)
    return { url, query: provider.consent(url.href) }
  }
  const comeBack = (query: URLSearchParams, browser: ConsoleBrowser = admin) => browser.get(`${CALLBACK}?${query}`)

  test('asks for lasting access with PKCE and a state of its own', async () => {
    const [one, two] = [(await leave()).url, (await leave()).url]
    expect(Object.fromEntries(one.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'desk',
      redirect_uri: `${app.url}${CALLBACK}`,
      scope: 'mail offline_access',
      access_type: 'offline',
      code_challenge_method: 'S256',
      login_hint: USER,
    })
    for (const name of ['state', 'code_challenge']) {
      expect(one.searchParams.get(name)).not.toBe(two.searchParams.get(name))
    }
    expect(one.href).not.toContain('desk-secret')
    expect(one.href).not.toContain(inbox.id)
  })

  test('is connected with a refresh token, which is stored sealed and shown nowhere', async () => {
    const answer = await comeBack((await leave()).query)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, pathOf()])
    const page = await admin.follow(answer)
    expect(page.text).toContain('The mailbox is connected.')
    expect(page.text).toContain('<dd>help@acme.test (Google)</dd>')
    expect(await mailbox()).toMatchObject({ provider: 'google', imap: { port: imap.port, user: USER } })
    const rows = JSON.stringify(await app.database.db.select().from(mailboxes))
    expect(rows + page.text + app.logged.join()).not.toMatch(/refresh-\d|access-\d|code-[\da-f]{8}/)
    expect(await actions()).toEqual(['inbox.created', 'inbox.connected'])
    const { letterbox, subjects } = keepingLetterbox()
    const watched = watching(app, letterbox)
    await until(async () => (await mailbox())?.state === 'connected', watched.look)
    imap.deliver(mailOf('By consent'))
    await until(() => subjects.includes('By consent'), watched.look)
    await watched.stop()
  })

  async function expectRefused(query: URLSearchParams, words: string, status: number, browser: ConsoleBrowser = admin) {
    const answer = await comeBack(query, browser)
    expect([answer.status, answer.text.includes(words)]).toEqual([status, true])
    expect([await mailbox(), await actions()]).toEqual([null, ['inbox.created']])
    return answer
  }

  test('takes a state once, from the session that was given it, within ten minutes', async () => {
    const { query } = await leave()
    const colleague = await signedIn(app, acme)
    await expectRefused(query, 'was begun in another session', 400, colleague)
    const forged = new URLSearchParams({ code: 'code-1', state: 'sealed1.AAAA' })
    await expectRefused(forged, 'was begun in another session', 400)
    expect(provider.asked).toEqual([])
    app.clock.advance(600_000)
    await expectRefused(query, 'That took too long', 400)
    const next = await leave()
    await comeBack(next.query)
    await admin.post(`${pathOf()}/disconnect`)
    const again = await comeBack(next.query)
    expect([again.status, await mailbox()]).toEqual([400, null])
  })

  test('says so where somebody turned back, on the page of the inbox', async () => {
    const { query } = await leave()
    query.delete('code')
    query.set('error', '<script>access_denied')
    const answer = await expectRefused(query, 'Google gave no access, or you cancelled there.', 400)
    expect(answer.text).toContain(`action="${pathOf()}/connect"`)
    expect(answer.text).not.toContain('<script>')
  })

  test.each([
    ['no lasting access', () => provider.giveNoRefreshToken(), 'No lasting access was given.'],
    ['a code that is not ours', () => provider.refuse('invalid_grant'), 'No lasting access was given.'],
    ['a client that is not known', () => provider.refuse('invalid_client'), 'This service is not registered there'],
  ])('says so where the provider gives %s', async (_, lie, words) => {
    const { query } = await leave()
    lie()
    await expectRefused(query, words, 422)
  })

  test('says so where the mail server does not accept the account', async () => {
    const { query } = await leave({ account: 'other@acme.test' })
    await expectRefused(query, 'The server does not accept this user and password.', 422)
  })

  test.each([
    ['another provider than is registered', { provider: 'microsoft' }, 'This service is not registered there'],
    ['no provider', { provider: 'pigeon' }, 'This service is not registered there'],
    ['no address', { account: 'nobody' }, 'Must be an email address'],
  ])('leads nowhere with %s', async (_, fields, words) => {
    const answer = await admin.post(`${pathOf()}/consent`, { account: USER, provider: 'google', ...fields })
    expect([answer.status, answer.text.includes(words), answer.headers.get('location')]).toEqual([400, true, null])
  })
})
