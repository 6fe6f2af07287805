import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { SMTPServerOptions } from 'smtp-server'
import { listConnections } from '../../../src/channels/email/mailboxes/operations.ts'
import { mailboxes } from '../../../src/db/schema.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { complete, createPublished } from '../../support/forms/collecting.ts'
import { hasDovecot, type ImapServer, startImapServer } from '../../support/mail/imap-server.ts'
import { createConnected, keepingLetterbox, mailOf, watching } from '../../support/mail/mailboxes.ts'
import { type MailServer, startMailServer } from '../../support/mail/server.ts'
import { until } from '../../support/patience.ts'
import { refusalOf } from '../../support/refusal.ts'
import { type Provider, startProvider } from '../../support/servers/token-endpoint.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

const USER = 'help@acme.test'

let provider: Provider
let app: TestApp
let acme: TestTenant
let imap: ImapServer
let smtp: MailServer
/** How each sign-in at the SMTP server was made. */
let signIns: [method: string, user: string][]

const onAuth: SMTPServerOptions['onAuth'] = ({ method, username = '', password, accessToken }, _, done) => {
  signIns.push([method, username])
  const isRight = method === 'XOAUTH2' ? provider.isValid(accessToken ?? '') : password === 'secret'
  if (isRight) done(null, { user: username })
  else done(null, { data: { status: '401', schemes: 'bearer', scope: 'mail' } })
}

beforeAll(async () => {
  provider = await startProvider(USER)
  app = await startApp({
    environment: { FRONTDESK_MICROSOFT_CLIENT_ID: 'desk', FRONTDESK_MICROSOFT_CLIENT_SECRET: 'desk-secret' },
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
  acme = await app.createTenant()
  signIns = []
  provider.reset()
})
afterEach(() => app.database.transaction((tx) => tx.delete(mailboxes)))
afterAll(async () => {
  await imap?.close()
  await smtp.close()
  await app.close()
  await provider.close()
})

const servers = () => ({ imap, smtp: { url: smtp.url.replace('//', `//${encodeURIComponent(USER)}@`) } })
const oauth = { provider: 'microsoft', secret: 'refresh-1' } as const
const connection = async () => [...(await listConnections(app.database.db, acme.tenantId)).values()][0]

/** An agent's answer, over the API. */
async function reply(inboxId: string) {
  const ticket = await createTicket(acme, { inboxId })
  const { status, body } = await acme.post(`/v1/tickets/${ticket.id}/replies`, { html: '<p>Here I am.</p>' })
  return [status, body.message] as const
}

describe.skipIf(!hasDovecot)('an inbox', () => {
  test('answers by the server of its own mailbox, with its password', async () => {
    const { inboxId } = await createConnected(app, acme, servers())
    signIns = []
    const before = smtp.mails.length
    expect(await reply(inboxId)).toEqual([201, undefined])
    expect(signIns).toEqual([['PLAIN', USER]])
    expect(smtp.mails).toHaveLength(before + 1)
  })

  test('sends nothing but its answers: its server takes no mail from our own address', async () => {
    await createConnected(app, acme, servers())
    const form = await createPublished(acme, [{ type: 'nps', text: 'Likely?' }])
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { notify: ['ada@acme.test'] }))
    await complete(acme, form, [9])
    signIns = []
    await app.runDue()
    expect(signIns).toEqual([])
    expect(readdirSync(join(app.dataDir, 'outbox'))).toHaveLength(1)
  })

  test('answers by OAuth 2, renews its access when it ends, and keeps the next refresh token', async () => {
    const { inboxId, connection } = await createConnected(app, acme, servers(), oauth)
    expect(connection.signIn).toBe('microsoft')
    expect(provider.asked).toEqual([
      {
        grant_type: 'refresh_token',
        refresh_token: 'refresh-1',
        client_id: 'desk',
        client_secret: 'desk-secret',
        scope: 'mail offline_access',
      },
    ])
    signIns = []
    expect(await reply(inboxId)).toEqual([201, undefined])
    expect(signIns).toEqual([['XOAUTH2', USER]])
    // It lasts: nobody is asked again.
    expect(provider.asked).toHaveLength(1)
    app.clock.advance(3_600_000)
    expect(await reply(inboxId)).toEqual([201, undefined])
    expect(provider.asked.map(({ refresh_token }) => refresh_token)).toEqual(['refresh-1', 'refresh-2'])
  })

  test('asks for access once, however many answers wait for it', async () => {
    const { inboxId } = await createConnected(app, acme, servers(), oauth)
    app.clock.advance(3_600_000)
    const sent = await Promise.all([1, 2, 3, 4].map(() => reply(inboxId)))
    expect(sent.map(([status]) => status)).toEqual([201, 201, 201, 201])
    expect(provider.asked).toHaveLength(2)
  })

  test('has four connections at most to its server, and what is over that waits', async () => {
    let open = 0
    let most = 0
    const counting = await startMailServer({
      onConnect: (_, done) => {
        open += 1
        most = Math.max(most, open)
        // Long enough for all to come that would.
        setTimeout(done, 50)
      },
      onClose: () => {
        open -= 1
      },
    })
    const { inboxId } = await createConnected(app, acme, { imap, smtp: counting })
    const sent = await Promise.all(Array.from({ length: 12 }, () => reply(inboxId)))
    expect(sent.filter(([status]) => status === 201)).toHaveLength(12)
    expect(counting.mails).toHaveLength(12)
    expect(most).toBeLessThanOrEqual(4)
    await counting.close()
  })

  test('renews an access token that the server no longer takes, and sends after all', async () => {
    const { inboxId } = await createConnected(app, acme, servers(), oauth)
    provider.revokeAccess()
    expect(await reply(inboxId)).toEqual([201, undefined])
    expect(provider.asked).toHaveLength(2)
  })

  test('whose access is not renewed says so, and keeps the answer as failed', async () => {
    const { inboxId } = await createConnected(app, acme, servers(), oauth)
    app.clock.advance(3_600_000)
    provider.refuse('invalid_grant')
    expect(await reply(inboxId)).toEqual([
      502,
      'the reply was not sent: no access to the mail server: the provider no longer renews our access: connect the mailbox anew',
    ])
  })

  test('is not connected while the provider does not let us in', async () => {
    provider.refuse('invalid_grant')
    expect(await refusalOf(createConnected(app, acme, servers(), oauth))).toBe(
      'microsoft: the provider no longer renews our access: connect the mailbox anew (invalid_grant)',
    )
    provider.refuse('invalid_client')
    expect(await refusalOf(createConnected(app, await app.createTenant(), servers(), oauth))).toContain(
      'microsoft: FRONTDESK_MICROSOFT_CLIENT_ID or FRONTDESK_GOOGLE_CLIENT_ID and its secret are missing or not accepted',
    )
    const google = { ...oauth, provider: 'google' } as const
    expect(await refusalOf(createConnected(app, await app.createTenant(), servers(), google))).toContain('are missing')
  })
})

describe.skipIf(!hasDovecot)('a mailbox', () => {
  let kept: ReturnType<typeof keepingLetterbox>
  let watch: ReturnType<typeof watching>
  beforeEach(() => {
    kept = keepingLetterbox()
    watch = watching(app, kept.letterbox)
  })
  afterEach(() => watch.stop())

  test('is read with OAuth 2, and goes on with a new token when the old one is revoked', async () => {
    await createConnected(app, acme, servers(), oauth)
    provider.revokeAccess()
    imap.deliver(mailOf('One'))
    await until(() => kept.subjects.includes('One'), watch.look)
    expect(provider.asked).toHaveLength(2)
  })

  test('whose password is wrong says so once, and waits longer each time, an hour at most', async () => {
    const { inboxId } = await createConnected(app, acme, servers())
    const sealedSecret = app.deps.secrets.seal('hunter2', `mailbox secret ${acme.tenantId} ${inboxId}`)
    await app.database.transaction((tx) =>
      tx.update(mailboxes).set({ sealedSecret }).where(eq(mailboxes.inboxId, inboxId)),
    )
    const waits: number[] = []
    for (let i = 0; i < 8; i++) {
      let wait: number | null = null
      await until(async () => {
        wait = await watch.look()
        return wait !== null && wait > 1_000
      })
      waits.push((wait ?? 0) / 60_000)
      app.clock.advance(wait ?? 0)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    expect(await connection()).toMatchObject({
      state: 'failing',
      error: 'the server does not accept the user and the password or token (Authentication failed.)',
      since: '2026-03-01T12:00:00.000Z',
    })
    const said = app.logged.filter((line) => line.includes('a mailbox cannot be reached') && line.includes(inboxId))
    expect(said).toHaveLength(1)
    expect(app.logged.join()).not.toContain('hunter2')
  })

  test('whose password another key sealed says so', async () => {
    const { inboxId } = await createConnected(app, acme, servers())
    await app.database.transaction((tx) =>
      tx.update(mailboxes).set({ sealedSecret: 'sealed1.AAAA' }).where(eq(mailboxes.inboxId, inboxId)),
    )
    await until(async () => (await connection())?.state === 'failing', watch.look)
    expect((await connection())?.error).toBe('its password or token cannot be decrypted: connect the mailbox anew')
  })
})

test('an inbox without a mailbox sends by the house’s way', async () => {
  const ticket = await createTicket(acme)
  expect((await acme.post(`/v1/tickets/${ticket.id}/replies`, { html: 'x' })).status).toBe(201)
  expect(signIns).toEqual([])
})
