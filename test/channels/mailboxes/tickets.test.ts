import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { listConnections } from '../../../src/channels/email/mailboxes/operations.ts'
import { listQuarantine } from '../../../src/channels/email/quarantine.ts'
import { mailboxes } from '../../../src/db/schema.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { engineOf } from '../../support/data/postgres.ts'
import { hasDovecot, type ImapServer, startImapServer } from '../../support/mail/imap-server.ts'
import { createConnected, mailOf } from '../../support/mail/mailboxes.ts'
import { type MailServer, startMailServer } from '../../support/mail/server.ts'
import { until } from '../../support/patience.ts'
import { emptyFolder, executable, type Program, record, run, serve } from '../../support/processes/program.ts'

let imap: ImapServer
let smtp: MailServer
beforeAll(async () => {
  if (hasDovecot) {
    imap = await startImapServer({
      passwords: { 'help@acme.test': 'secret', 'sales@acme.test': 'secret', 'cli@acme.test': 'pass word' },
    })
  }
  smtp = await startMailServer()
})
afterAll(async () => {
  await imap?.close()
  await smtp.close()
})

async function subjectsOf(app: TestApp, key: string): Promise<string[]> {
  const { body } = await app.request('GET', '/v1/tickets', { key })
  return body.items.map(({ subject }: { subject: string }) => subject).sort()
}

describe.skipIf(!hasDovecot)('a service', () => {
  test('makes tickets of what comes into its mailboxes, and quarantines what it cannot understand', async () => {
    const app = await startApp()
    app.jobs.start()
    const acme = await app.createTenant()
    const other = await app.createTenant('Other')
    await createConnected(app, acme, { imap, smtp })
    const sales = await createConnected(app, other, { imap, smtp }, { user: 'sales@acme.test' })
    imap.deliver(mailOf('To help'))
    imap.deliver('Subject: From nobody\r\n\r\nx\r\n', { user: 'sales@acme.test' })
    imap.deliver(mailOf('To sales'), { user: 'sales@acme.test' })
    await until(async () => (await subjectsOf(app, acme.key)).length === 1)
    await until(async () => (await subjectsOf(app, other.key)).length === 1)
    expect(await subjectsOf(app, acme.key)).toEqual(['To help'])
    expect(await subjectsOf(app, other.key)).toEqual(['To sales'])
    await until(async () => (await listQuarantine(app.database.db, other.tenantId)).length === 1)
    expect(await listQuarantine(app.database.db, other.tenantId)).toMatchObject([
      { inboxId: sales.inboxId, subject: 'From nobody' },
    ])
    const { body } = await acme.get('/v1/inboxes')
    expect(Object.keys(body.items[0])).toEqual(['id', 'name', 'channel', 'emailAddress', 'createdAt', 'updatedAt'])
    await app.close()
  })

  test('keeps the header of a mail that is too large in quarantine, once', async () => {
    const app = await startApp()
    app.jobs.start()
    const acme = await app.createTenant()
    const { inboxId } = await createConnected(app, acme, { imap, smtp })
    imap.deliver(mailOf('Huge', { text: `${'x'.repeat(998)}\r\n`.repeat(26 * 1024 + 220) }))
    await until(async () => (await listQuarantine(app.database.db, acme.tenantId)).length > 0)
    const [mail] = await listQuarantine(app.database.db, acme.tenantId)
    expect(mail).toMatchObject({ inboxId, subject: 'Huge', from: 'ada@example.com' })
    expect(mail?.reason).toStartWith('is larger than 25 MiB, and still in the mailbox (UID ')
    expect(mail?.size).toBeLessThan(1_000)
    expect(await subjectsOf(app, acme.key)).toEqual([])
    await app.close()
  })

  test('takes a mail once that comes again after its mailbox was numbered anew', async () => {
    const app = await startApp()
    app.jobs.start()
    const acme = await app.createTenant()
    await createConnected(app, acme, { imap, smtp })
    // They say when they were written: what seems to be old would not be new.
    const date = new Date().toUTCString()
    imap.deliver(mailOf('Only once', { date }))
    await until(async () => (await subjectsOf(app, acme.key)).length === 1)
    // Its ticket is there a little before it is noted how far the mailbox was read.
    await until(async () => {
      const [row] = await app.database.db.select().from(mailboxes).where(eq(mailboxes.tenantId, acme.tenantId))
      return row !== undefined && row.lastMailAt > row.createdAt
    })
    await imap.renumber()
    imap.deliver(mailOf('Another', { date }))
    const look = async () => app.clock.advance(1_000)
    await until(async () => (await subjectsOf(app, acme.key)).length === 2, look)
    expect(await subjectsOf(app, acme.key)).toEqual(['Another', 'Only once'])
    await app.close()
  })
})

describe.skipIf(!hasDovecot)('the command line', () => {
  let program: Program
  beforeAll(async () => {
    program = await executable()
  })

  test('connects a mailbox, which a running service then reads, shows its state and lets go of it', async () => {
    const options = { cwd: emptyFolder() }
    await record(program, ['tenant', 'create', '--name', 'Acme'], options)
    const inbox = await record(
      program,
      ['inbox', 'create', '--name', 'Help', '--channel', 'email', '--address', 'help@cli.test'],
      options,
    )
    const service = await serve(program, options)
    const urls = ['--imap', imap.url('cli@acme.test'), '--smtp', smtp.url]
    const connect = ['inbox', 'connect', '--inbox', inbox.id, ...urls, '--password-stdin']
    const wrong = await run(program, connect, { ...options, stdin: 'wrong\n' })
    expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([
      1,
      '',
      `frontdesk: imap 127.0.0.1:${imap.port}: the server does not accept the user and the password or token (Authentication failed.)\n`,
    ])
    expect((await run(program, connect.slice(0, -1), options)).stderr).toBe('frontdesk: --password-stdin: is needed\n')
    expect(await record(program, ['inbox', 'list'], options)).toEqual([{ ...inbox, connection: null }])
    const connected = await record(program, connect, { ...options, stdin: 'pass word\n' })
    expect(connected).toMatchObject({ inboxId: inbox.id, connection: { state: 'connecting', signIn: 'password' } })
    const listed = async () => (await record(program, ['inbox', 'list'], options))[0].connection
    await until(async () => (await listed()).state === 'connected')
    const { key } = await record(program, ['key', 'create', '--name', 'k', '--scopes', 'tickets:read'], options)
    imap.deliver(mailOf('By the command line'), { user: 'cli@acme.test' })
    const tickets = async () =>
      (await (await fetch(`${service.url}/v1/tickets`, { headers: { authorization: `Bearer ${key}` } })).json()).items
    await until(async () => (await tickets()).length === 1)
    expect((await run(program, ['inbox', 'list'], options)).stdout).toContain('connected since ')
    expect((await run(program, ['check'], options)).code).toBe(0)
    const gone = await record(program, ['inbox', 'disconnect', '--inbox', inbox.id], options)
    expect(gone).toEqual({ inboxId: inbox.id, connection: null })
    expect(await listed()).toBeNull()
    const { stdout, stderr } = await service.stop()
    expect(stdout + stderr).not.toContain('pass word')
    expect(stdout).toContain('a mailbox is connected')
  })

  test('of an untouched data folder makes the key by itself', async () => {
    const options = { cwd: emptyFolder() }
    await record(program, ['tenant', 'create', '--name', 'Acme'], options)
    const create = ['inbox', 'create', '--name', 'Help', '--channel', 'email', '--address', 'help@cli.test']
    const inbox = await record(program, create, options)
    const urls = ['--imap', imap.url('cli@acme.test'), '--smtp', smtp.url, '--all']
    const connect = ['inbox', 'connect', '--inbox', inbox.id, ...urls, '--password-stdin']
    expect((await run(program, connect, { ...options, stdin: 'pass word' })).code).toBe(0)
    const service = await serve(program, options)
    const connection = async () => (await record(program, ['inbox', 'list'], options))[0].connection
    await until(async () => (await connection()).state === 'connected')
    await service.stop()
    expect((await connection()).state).toBe('connecting')
  })
})

describe.skipIf(!hasDovecot)('two nodes on one database', () => {
  test('read a mailbox once, and the other goes on when one stops', async () => {
    const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'frontdesk-node-')))
    const environment = await engineOf(folders[0] as string)
    if (!environment.FRONTDESK_DATABASE_URL) return
    const [here, there] = (await Promise.all(folders.map((dataDir) => startApp({ dataDir, environment })))) as [
      TestApp,
      TestApp,
    ]
    here.jobs.start()
    there.jobs.start()
    const acme = await here.createTenant()
    await createConnected(here, acme, { imap, smtp })
    const state = async () => [...(await listConnections(here.database.db, acme.tenantId)).values()][0]?.state
    await until(async () => (await state()) === 'connected')
    const both = () => [...here.logged, ...there.logged].filter((line) => line.includes('a mailbox is connected'))
    // It is logged once it is noted.
    await until(() => both().length > 0)
    expect(both()).toHaveLength(1)
    const [holder, other] = here.logged.some((line) => line.includes('a mailbox is connected'))
      ? [here, there]
      : [there, here]
    imap.deliver(mailOf('On two nodes'))
    await until(async () => (await subjectsOf(other, acme.key)).length === 1)
    await holder.jobs.stop(10_000)
    imap.deliver(mailOf('On the other node'))
    const look = async () => other.clock.advance(1_000)
    await until(async () => (await subjectsOf(other, acme.key)).length === 2, look)
    expect(await subjectsOf(other, acme.key)).toEqual(['On the other node', 'On two nodes'])
    for (const app of [here, there]) await app.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
})
