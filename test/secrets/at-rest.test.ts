import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { webhooks } from '../../src/db/schema.ts'
import { sign } from '../../src/webhooks/body/signature.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import { asBefore } from '../support/data/earlier-version.ts'
import { testOfSqlite } from '../support/data/postgres.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { respondent } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'
import { refusalOf } from '../support/refusal.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { addContacts, passWindow, startDelivering, subscribe } from '../support/webhooks/webhooks.ts'

const SECRET = 'unmistakable-5ecret'

let dataDir: string
let app: TestApp | undefined
const start = async (environment: Record<string, string> = {}) => {
  app = await startDelivering(environment, dataDir)
  return app
}
const stop = async () => {
  await app?.close()
  app = undefined
}
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
})
afterEach(async () => {
  await stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Everything in the data folder's files. */
const bytes = () =>
  readdirSync(dataDir)
    .filter((name) => statSync(join(dataDir, name)).isFile())
    .map((name) => readFileSync(join(dataDir, name), 'latin1'))
    .join('')

/** A subscription with a secret, and a respondent who began under an Idempotency-Key. */
async function furnish(app: TestApp) {
  const tenant = await app.createTenant()
  const receiver = await receiving()
  const id = await subscribe(tenant, receiver, { secret: SECRET })
  const form = await createPublished(tenant, [questionBody('textbox')])
  const begin = (app: TestApp) => respondent(app, form).begin(['x'], false, { 'idempotency-key': 'k'.repeat(16) })
  return { tenant, receiver, id, begin, begun: (await begin(app)).body }
}

async function expectSigned(app: TestApp, tenant: TestTenant, receiver: Awaited<ReturnType<typeof receiving>>) {
  await addContacts(tenant)
  await passWindow(app)
  const last = receiver.requests.at(-1)
  expect(last?.headers['x-signature']).toBe(sign(SECRET, last?.body as Uint8Array))
}

describe('at rest', () => {
  test('neither a webhook secret nor a resume token can be read, and both work', async () => {
    const app = await start()
    const { tenant, receiver, id, begin, begun } = await furnish(app)
    expect(bytes()).not.toContain(SECRET)
    expect(bytes()).not.toContain(begun.resumeToken)
    await expectSigned(app, tenant, receiver)
    expect((await tenant.post(`/v1/webhooks/${id}/test`)).status).toBe(200)
    expect(receiver.requests.at(-1)?.headers['x-signature']).toBe(
      sign(SECRET, receiver.requests.at(-1)?.body as Uint8Array),
    )
    const again = await begin(app)
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([begun, 'true'])
  })

  test("a subscription's sealed secret is no other's", async () => {
    const app = await start()
    const { tenant, receiver, id } = await furnish(app)
    const other = await receiving()
    const victim = await subscribe(tenant, other)
    const [row] = await app.database.db.select().from(webhooks).where(eq(webhooks.id, id))
    const { sealedSecret = null } = row ?? {}
    await app.database.transaction(
      async (tx) => void (await tx.update(webhooks).set({ sealedSecret }).where(eq(webhooks.id, victim))),
    )
    await expectSigned(app, tenant, receiver)
    expect(other.requests).toEqual([])
    expect(app.logged.join('\n')).not.toContain(SECRET)
  })

  testOfSqlite(
    'what an earlier version left in clear text is sealed and purged by the first start, and goes on working',
    async () => {
      const { tenant, receiver, id, begin, begun } = await furnish(await start())
      await stop()
      asBefore('sealed_secrets', dataDir, (sqlite) => {
        // As it was written, twice: the first place of the row stays in the file as a gap.
        for (const secret of ['x', SECRET]) sqlite.run('UPDATE webhooks SET secret = ? WHERE id = ?', [secret, id])
        sqlite.run('UPDATE idempotency_keys SET body = ?', [JSON.stringify(begun)])
      })
      expect(bytes()).toContain(SECRET)
      expect(bytes()).toContain(begun.resumeToken)
      const app = await start()
      expect(bytes()).not.toContain(SECRET)
      expect(bytes()).not.toContain(begun.resumeToken)
      const key = { key: tenant.key }
      expect((await app.request('GET', `/v1/webhooks/${id}`, key)).body.hasSecret).toBe(true)
      expect((await app.request('POST', '/v1/contacts', { ...key, body: { email: 'a@acme.test' } })).status).toBe(201)
      await passWindow(app)
      const last = receiver.requests.at(-1)
      expect(last?.headers['x-signature']).toBe(sign(SECRET, last?.body as Uint8Array))
      const again = await begin(app)
      expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([begun, 'true'])
    },
  )
})

describe('the key', () => {
  const file = () => join(dataDir, 'secret.key')
  const line = /FRONTDESK_SECRET_KEY.*secret\.key/

  testOfSqlite('is made in the data folder, for its user alone, and stays', async () => {
    await start()
    const made = readFileSync(file(), 'utf8')
    expect([made.trim().length, statSync(file()).mode & 0o777]).toEqual([44, 0o600])
    await stop()
    await start()
    expect(readFileSync(file(), 'utf8')).toBe(made)
  })

  test('of FRONTDESK_SECRET_KEY leaves no file, and another, or none, is refused with one line that names it and the file', async () => {
    const key = randomBytes(32).toString('base64')
    await start({ FRONTDESK_SECRET_KEY: key })
    expect(existsSync(file())).toBe(false)
    await stop()
    expect(await refusalOf(start({ FRONTDESK_SECRET_KEY: randomBytes(32).toString('base64') }))).toMatch(line)
    expect(await refusalOf(start({ FRONTDESK_SECRET_KEY: '' }))).toContain('FRONTDESK_SECRET_KEY')
    expect(existsSync(file())).toBe(false)
    await start({ FRONTDESK_SECRET_KEY: key })
  })

  testOfSqlite.each([
    ['is gone', () => rmSync(file())],
    ['is another', () => writeFileSync(file(), randomBytes(32).toString('base64'))],
    ['is none', () => writeFileSync(file(), 'hello')],
  ])('whose file %s stops the start, and nothing takes its place', async (_, change) => {
    await start()
    await stop()
    change()
    const before = existsSync(file()) && readFileSync(file(), 'utf8')
    expect(await refusalOf(start())).toContain('secret.key')
    expect(existsSync(file()) && readFileSync(file(), 'utf8')).toBe(before)
  })
})
