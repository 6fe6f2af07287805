import { expect, test } from 'bun:test'
import { check } from '../../src/check/index.ts'
import { mailboxes } from '../../src/db/schema.ts'
import type { MailServer } from '../../src/kinds/mailboxes.ts'
import { startApp } from '../support/app.ts'
import { createMailInbox } from '../support/mail/mailboxes.ts'

const server: MailServer = { host: 'mail.acme.test', port: 993, security: 'tls', user: 'help@acme.test' }

test('check and /healthz name a mailbox that cannot be reached, without its host or user', async () => {
  const app = await startApp()
  const acme = await app.createTenant()
  const [failing, connected] = [await createMailInbox(acme), await createMailInbox(await app.createTenant())]
  const at = '2026-03-01T09:00:00.000Z'
  const row = {
    ...{
      revision: 'r',
      imap: server,
      smtp: server,
      provider: null,
      sealedSecret: 'sealed1.',
      uidValidity: 1,
      lastUid: 0,
    },
    ...{ lastMailAt: at, since: at, createdAt: at },
  }
  const [tenantId, otherId] = [acme.tenantId, (connected.emailAddress ?? '').slice(5, -5)]
  await app.database.transaction(async (tx) => {
    const problem = { state: 'failing', problem: 'sign_in', detail: 'help@acme.test is locked' } as const
    await tx.insert(mailboxes).values({ ...row, ...problem, tenantId, inboxId: failing.id })
    await tx.insert(mailboxes).values({ ...row, state: 'connected', tenantId: otherId, inboxId: connected.id })
  })
  const sentence = `the mailbox of inbox ${failing.id} cannot be reached: the server does not accept the user and the password or token`
  expect((await check(app.deps.config, app.clock.now())).filter(({ problem }) => problem.includes('mailbox'))).toEqual([
    {
      where: expect.any(String),
      problem: sentence,
      remedy: 'see `frontdesk inbox list`, and connect it anew with `frontdesk inbox connect`',
    },
  ])
  const { status, body } = await app.request('GET', '/healthz')
  expect([status, body]).toEqual([200, { status: 'ok', warnings: [sentence] }])
  await app.close()
})
