import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

test('without a mail server each reply becomes one whole .eml file', async () => {
  const { id } = await createTicket(acme, { subject: 'Grüße', mailId: '<a@b.test>' })
  const html = `<p>${'long '.repeat(50_000)}</p>`
  const answers = await Promise.all(
    ['one', 'two', html].map((html) => acme.post(`/v1/tickets/${id}/replies`, { html })),
  )
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  const folder = join(app.dataDir, 'outbox')
  const files = readdirSync(folder)
  expect(files).toHaveLength(3)
  expect(files.every((name) => /^[0-9a-f-]{36}\.eml$/.test(name))).toBe(true)
  expect(statSync(join(folder, files[0] as string)).mode & 0o077).toBe(0)
  const mails = await Promise.all(files.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))))
  expect(mails.map((mail) => mail.html?.trim()).sort()).toEqual([html, 'one', 'two'].map((text) => text.trim()).sort())
  for (const mail of mails) {
    expect(mail).toMatchObject({ subject: 'Re: Grüße', to: [{ name: 'Ada Lovelace', address: 'ada@acme.test' }] })
    // A reply may refer to another one as well that went out before it.
    expect(mail.references).toStartWith('<a@b.test>')
  }
})

test('an outbox that cannot be written to is a 502', async () => {
  const service = await startApp()
  const tenant = await service.createTenant()
  writeFileSync(join(service.dataDir, 'outbox'), 'in the way')
  const { id } = await createTicket(tenant)
  const answer = await tenant.post(`/v1/tickets/${id}/replies`, { html: 'x' })
  expect([answer.status, answer.body]).toEqual([
    502,
    problem('delivery_failed', 'the reply was not sent: the outbox folder could not be written to'),
  ])
  expect((await tenant.get(`/v1/tickets/${id}`)).body.messageCount).toBe(1)
  await service.close()
})
