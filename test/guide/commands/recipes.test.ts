import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import postgres from 'postgres'
import { upsertArticle } from '../../../src/articles/operations.ts'
import { clientPackage } from '../../support/api/client.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { createTestSource } from '../../support/chat/articles.ts'
import { isPostgresHere, startPostgres } from '../../support/data/postgres.ts'
import { until } from '../../support/patience.ts'
import { unusedPort } from '../../support/processes/ports.ts'
import { emptyFolder, executable } from '../../support/processes/program.ts'
import { openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'
import { createChatInbox, createEmailInbox, createTicket } from '../../support/tickets/tickets.ts'
import { type Receiver, reply, startReceiver } from '../../support/webhooks/receiver.ts'
import { envelopeOf, passWindow, startDelivering } from '../../support/webhooks/webhooks.ts'

const PATH = 'src/guide/recipes.md'
const automations = ['console', 'js', 'console'] as const
const receivers = ['js', 'js', 'json', 'sh', 'js', 'js'] as const
const code = codeOf(PATH, ...automations, ...receivers, 'js', 'console', 'js', 'js')
const [subscribing, step, upserting, receive, contact, rule, making, slack, bot, once, again, follow, sync] = code
const MODULES = resolve(import.meta.dir, '../../../node_modules')
const SECRET = 'topsecret'

const cwd = emptyFolder()
const children: Bun.Subprocess[] = []
let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startDelivering()
  mkdirSync(join(cwd, 'node_modules'))
  cpSync(await clientPackage(), join(cwd, 'node_modules/frontdesk-client'), { recursive: true })
  symlinkSync(join(MODULES, 'postgres'), join(cwd, 'node_modules/postgres'))
  for (const { text } of [receive, contact, slack, bot, once, follow, sync])
    writeFileSync(join(cwd, /^\/\/ (\S+)\n/.exec(text)?.[1] ?? ''), text)
})
afterAll(async () => {
  for (const child of children) child.kill()
  await app.close()
})

function node(file: string, environment: Record<string, string>) {
  const env = { PATH: process.env.PATH ?? '', DESK: app.url, KEY: acme.key, SECRET, ...environment }
  const child = Bun.spawn(['node', file], { cwd, env, stdout: 'pipe', stderr: 'pipe' })
  children.push(child)
  return child
}

/** A program of the chapter that takes deliveries, once it does. */
async function receiving(file: string, port: string, environment: Record<string, string> = {}) {
  const child = node(file, { PORT: port, ...environment })
  const url = `http://127.0.0.1:${port}/`
  const forged = await until(() => fetch(url, { method: 'POST', body: '{}' }).catch(() => null))
  expect(forged.status).toBe(401)
  return child
}

const freePort = () => String(unusedPort())

/** Subscribes what listens at a port to tickets that are opened; returns the subscription's id. */
async function subscribe(file: string, port: string): Promise<string> {
  const input = { name: file, url: `http://127.0.0.1:${port}/`, secret: SECRET, events: ['ticket.created'] }
  const made = await acme.post('/v1/webhooks', input)
  expect(made.status).toBe(201)
  return made.body.id
}

/** A program of the chapter, subscribed to tickets that are opened. */
async function subscribed(file: string, environment: Record<string, string> = {}): Promise<void> {
  const port = freePort()
  await receiving(file, port, environment)
  await subscribe(file, port)
}

const command = async () => (await executable()).command

describe('recipes', () => {
  test('for automations: a subscription, a step that checks it and takes it apart, and a request back', async () => {
    acme = await app.createTenant()
    const there = await startReceiver()
    const places = { 'https://hooks.example.com/catch/1/a': `${there.url}/catch/1/a` }
    const shell = await openShell({ command: await command() }, { cwd, dataDir: app.dataDir, places })
    shell.known.set('http://127.0.0.1:3000', app.url)
    shell.known.set('sk_the-key-of-the-automation', acme.key)
    await shell.run({ ...subscribing, text: `$ export KEY=sk_…\n${subscribing.text}` })
    const [{ body, headers }] = (await there.waitFor(1)) as [Receiver['requests'][number]]
    const input = { body: new TextDecoder().decode(body), signature: headers['x-signature'], secret: SECRET }
    const run = new Function('inputData', 'require', step.text)
    const [{ eventId, payload }] = envelopeOf({ body }).events
    const require = createRequire(import.meta.url)
    expect(run(input, require)).toEqual([{ eventId, event: 'ticket.created', ...payload }])
    for (const forged of [
      { body: `${input.body} ` },
      { signature: 'AAAA' },
      { signature: undefined },
      { secret: 'x' },
    ]) {
      expect(() => run({ ...input, ...forged }, require)).toThrow('not sent by frontdesk')
    }
    await shell.run(upserting)
    expect((await acme.get('/v1/contacts')).body.items).toMatchObject([{ email: 'linus@example.com', name: 'Linus' }])
    await shell.close()
    await there.close()
  })

  test('for a site: what is sent to it is a ticket, and what breaks a rule says which field', async () => {
    acme = await app.createTenant()
    await createEmailInbox(acme)
    const port = unusedPort()
    node('contact.mjs', { PORT: String(port) })
    const send = (fields: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: new URLSearchParams(fields) })
    const broken = await until(() => send({ email: 'ada', subject: 'Hello', text: 'Hi' }).catch(() => null))
    expect([broken.status, await broken.text()]).toEqual([400, 'Please look at email again.'])
    expect((await send({ email: 'ada@acme.test', subject: 'x', text: 'y'.repeat(100_000) })).status).toBe(413)
    const done = await send({ email: 'ada@acme.test', subject: 'Towels', text: 'More, please.' })
    expect(await done.text()).toBe('Thank you. We answer to ada@acme.test; your number is T-1.')
    expect((await acme.get('/v1/tickets')).body.items).toMatchObject([{ subject: 'Towels', excerpt: 'More, please.' }])
  })

  test('for Slack: what a rule has tagged is told there, in the form that Slack takes, and nothing else', async () => {
    acme = await app.createTenant()
    const inbox = await createEmailInbox(acme)
    const there = await startReceiver()
    there.always(reply(200, { body: 'ok' }))
    there.next(reply(500))
    writeFileSync(join(cwd, 'urgent.json'), rule.text)
    const environment = { FRONTDESK_DATA: app.dataDir }
    const shell = await openShell({ command: await command() }, { cwd, dataDir: app.dataDir, environment })
    await shell.run({ ...making, text: `${making.text} --tenant ${acme.tenantId}` })
    await shell.close()
    await subscribed('slack.mjs', { SLACK: new URL('/services/T0/B0/x', there.url).href })
    await createTicket(acme, { inboxId: inbox.id, subject: 'Where is my order?' })
    await createTicket(acme, { inboxId: inbox.id, subject: 'Urgent: <water> & pipes', text: 'It drips.' })
    await app.runDue()
    await passWindow(app)
    // Slack was down: the delivery comes again, and with it what was not told.
    app.clock.advance(60_000)
    await app.runDue()
    const told = await there.waitFor(2)
    expect(told.map(({ path, body }) => [path, JSON.parse(new TextDecoder().decode(body))])).toEqual(
      Array(2).fill(['/services/T0/B0/x', { text: '*T-2* Urgent: &lt;water&gt; &amp; pipes\n> It drips.' }]),
    )
    expect(told[1]?.headers['content-type']).toBe('application/json')
    await there.close()
  })

  test('for a bot: a mail that an article fits is answered once, what none fits and chats are left to people', async () => {
    acme = await app.createTenant()
    const source = await createTestSource(acme)
    await acme.perform((tx, caller) =>
      upsertArticle(tx, caller, source.id, 'towels', { title: 'Towels', content: 'Fresh towels lie in the cupboard.' }),
    )
    const inboxId = (await createEmailInbox(acme)).id
    await subscribed('bot.mjs', { SOURCE: source.id })
    const fits = await createTicket(acme, { inboxId, subject: 'Towels?', text: 'Where do I find fresh towels?' })
    const fitsNot = await createTicket(acme, { inboxId, subject: 'Parking', text: 'May I park a lorry?' })
    const chat = await createTicket(acme, {
      inboxId: (await createChatInbox(acme)).id,
      subject: 'Towels?',
      text: 'Towels?',
    })
    await passWindow(app)
    const read = async ({ id }: { id: string }) => (await acme.get(`/v1/tickets/${id}`)).body
    const answered = await until(async () => {
      const ticket = await read(fits)
      return ticket.status === 'pending' && ticket
    })
    expect(answered.messages).toMatchObject([{ direction: 'inbound' }, { direction: 'outbound', source: 'api' }])
    expect(answered.messages[1].html).toContain('Fresh towels lie in the cupboard.')
    expect(answered.messages[1].html).toMatch(/<a [^>]*href="[^"]*\/help\/[^"]*towels"/)
    const [{ items: deliveries }, { items: hooks }] = [
      (await acme.get(`/v1/webhooks/${(await acme.get('/v1/webhooks')).body.items[0].id}/deliveries`)).body,
      (await acme.get('/v1/webhooks')).body,
    ]
    expect(deliveries).toMatchObject([{ status: 'delivered', eventCount: 3 }])
    const again = await acme.post(`/v1/webhooks/${hooks[0].id}/deliveries/${deliveries[0].id}/redeliver`)
    expect(again.status).toBe(202)
    await app.runDue()
    expect((await read(fits)).messages.length).toBe(2)
    for (const ticket of [fitsNot, chat]) expect(await read(ticket)).toMatchObject({ status: 'open', messageCount: 1 })
  })

  test('for an outage: what no attempt could deliver is sent again when asked for, and handled once however often', async () => {
    acme = await app.createTenant()
    const inboxId = (await createEmailInbox(acme)).id
    const port = freePort()
    const webhook = await subscribe('once.mjs', port)
    const statuses = async () =>
      (await acme.get(`/v1/webhooks/${webhook}/deliveries`)).body.items.map(({ status }: { status: string }) => status)
    const up = () => receiving('once.mjs', port)
    const down = async (child: Awaited<ReturnType<typeof up>>) => {
      child.kill('SIGKILL')
      await child.exited
      return new Response(child.stdout).text()
    }
    const shell = await openShell({ command: await command() }, { cwd, dataDir: app.dataDir })
    for (const [shown, here] of [
      ['http://127.0.0.1:3000', app.url],
      ['01a2098f-43cb-7322-af54-f765cc40a9af', webhook],
      ['sk_the-key', acme.key],
    ] as const) {
      shell.known.set(shown, here)
    }
    const sendAgain = async () => {
      await shell.run({ ...again, text: `$ export KEY=sk_the-key\n${again.text}` })
      await app.runDue()
    }

    const first = await up()
    await createTicket(acme, { inboxId, subject: 'Before' })
    await passWindow(app)
    expect(await down(first)).toBe('ticket.created T-1 Before\n')

    await createTicket(acme, { inboxId, subject: 'Meanwhile' })
    await createTicket(acme, { inboxId, subject: 'And this' })
    await passWindow(app)
    for (let wait = 0; (await statuses())[0] !== 'failed' && wait < 10; wait += 1) {
      app.clock.advance(3_600_000)
      await app.runDue()
    }
    expect(await statuses()).toEqual(['failed', 'delivered'])

    const second = await up()
    await sendAgain()
    expect(await statuses()).toEqual(['delivered', 'failed', 'delivered'])
    expect(await down(second)).toBe('ticket.created T-2 Meanwhile\nticket.created T-3 And this\n')
    const third = await up()
    await sendAgain()
    expect(await statuses()).toEqual(['delivered', 'delivered', 'failed', 'delivered'])
    expect(await down(third)).toBe('')
    await shell.close()
  })

  test('for an outage: what happened meanwhile is read on from where the program stopped, none of it twice', async () => {
    acme = await app.createTenant()
    const inboxId = (await createEmailInbox(acme)).id
    const follows = async (expected: string) => {
      const child = node('follow.mjs', { SINCE: '2026-01-01T00:00:00Z' })
      const decoder = new TextDecoder()
      let said = ''
      for await (const chunk of child.stdout as ReadableStream<Uint8Array>) {
        said += decoder.decode(chunk, { stream: true })
        if (said.endsWith(expected)) break
      }
      // What it has said is noted once nothing lies behind its note: it may have noted before that there was nothing yet.
      await until(async () => {
        const noted = await Bun.file(join(cwd, 'cursor'))
          .text()
          .catch(() => '')
        const page = await acme.get(`/v1/events?types=ticket.created&cursor=${encodeURIComponent(noted)}`)
        return page.status === 200 && page.body.items.length === 0
      })
      child.kill('SIGKILL')
      await child.exited
      return said
    }
    await createTicket(acme, { inboxId, subject: 'Before' })
    expect(await follows('Before\n')).toBe('ticket.created T-1 Before\n')
    await createTicket(acme, { inboxId, subject: 'Meanwhile' })
    await createTicket(acme, { inboxId, subject: 'And this' })
    expect(await follows('And this\n')).toBe('ticket.created T-2 Meanwhile\nticket.created T-3 And this\n')
  })

  test.if(isPostgresHere || process.env.CI === 'true')(
    'for a copy: the first run takes all, the next what has changed, and one that breaks off nothing',
    async () => {
      acme = await app.createTenant()
      for (let at = 0; at < 130; at += 1) await acme.post('/v1/contacts', { email: `c${at}@acme.test`, name: `${at}` })
      app.clock.advance(600_000)
      await acme.post('/v1/contacts', { email: 'last@acme.test' })
      const server = await startPostgres()
      const sql = postgres(server.url, { max: 1, onnotice: () => {} })
      const ran = async (environment: Record<string, string> = {}) => {
        const child = node('sync.mjs', { DATABASE: server.url, ...environment })
        const [said, code] = [await new Response(child.stdout).text(), await child.exited]
        return { said, code }
      }
      const copied = async () => (await sql`SELECT count(*)::int AS count FROM contacts`)[0]?.count

      // The connection to the copy ends in the middle: nothing of it stays.
      await sql`CREATE TABLE contacts (id uuid PRIMARY KEY, email text, name text, last_name text, unsubscribed boolean NOT NULL,
        updated_at timestamptz NOT NULL, CHECK (email <> 'c3@acme.test'))`
      expect(await ran()).toMatchObject({ code: 1 })
      expect(await copied()).toBe(0)
      await sql`DROP TABLE contacts`

      expect(await ran()).toEqual({ said: '131 contacts\n', code: 0 })
      expect(await copied()).toBe(131)
      app.clock.advance(3_600_000)
      const [{ id }] = (await acme.get('/v1/contacts?email=c7@acme.test')).body.items
      await acme.put(`/v1/contacts/${id}`, { name: 'Grace', lastName: 'Hopper' })
      await acme.post('/v1/contacts', { email: 'new@acme.test' })
      // The last of those before, by the five minutes, and the two.
      expect(await ran()).toEqual({ said: '3 contacts\n', code: 0 })
      expect(await copied()).toBe(132)
      expect(await sql`SELECT name, last_name FROM contacts WHERE id = ${id}`).toMatchObject([
        { name: 'Grace', last_name: 'Hopper' },
      ])
      await sql.end()
      await server.stop()
    },
  )
})
