import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { refusedHosts } from '../support/webhooks/refused-hosts.ts'
import { passWindow, startDelivering } from '../support/webhooks/webhooks.ts'

/*
 * Addresses that were written while private ones were allowed, and are tried once they are not: so the same spellings
 * reach every place that has to refuse them.
 */
const hosts = refusedHosts.flatMap(([, spellings]) => spellings)
const input = { name: 'x', events: ['contact.created_or_updated'] }

let dataDir: string
let open: TestApp
let guarded: TestApp
let acme: TestTenant
let key: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-addresses-'))
  open = await startDelivering({}, dataDir)
  acme = await open.createTenant()
  key = acme.key
  guarded = await startApp({ dataDir })
})
afterAll(async () => {
  await guarded.close()
  await open.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('the corpus has at least 60 spellings', () => {
  expect(hosts.length).toBeGreaterThanOrEqual(60)
})

test.each(hosts)('host %j is refused when it is written', async (host) => {
  const body = { ...input, url: `https://${host}/hook` }
  const webhook = (await acme.post('/v1/webhooks', { ...input, url: 'https://example.com/' })).body
  const before = (await acme.get('/v1/webhooks')).body.items
  for (const [method, path] of [
    ['POST', '/v1/webhooks'],
    ['PUT', `/v1/webhooks/${webhook.id}`],
  ] as const) {
    const answer = await guarded.request(method, path, { key, body })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    expect(answer.body.message).toStartWith('url: ')
  }
  expect((await acme.get('/v1/webhooks')).body.items).toEqual(before)
  await acme.delete(`/v1/webhooks/${webhook.id}`)
})

describe('written while it was allowed', () => {
  test('every one is refused by a test delivery and by deliveries, and nothing is connected to', async () => {
    const ids: string[] = []
    for (const host of hosts) {
      const { status, body } = await acme.post('/v1/webhooks', { ...input, url: `https://${host}/hook` })
      if (status === 201) ids.push(body.id)
    }
    expect(ids.length).toBeGreaterThanOrEqual(60)
    for (const id of ids) {
      const { body } = await guarded.request('POST', `/v1/webhooks/${id}/test`, { key })
      expect(body).toEqual({ success: false, statusCode: 0, responseBody: '' })
    }
    await guarded.request('POST', '/v1/contacts', { key, body: { email: 'a@example.com' } })
    await passWindow(guarded)
    for (const id of ids) {
      const { items } = (await guarded.request('GET', `/v1/webhooks/${id}/deliveries`, { key })).body
      expect(items).toMatchObject([{ status: 'retrying', attempts: [{ statusCode: null, error: 'blocked_address' }] }])
    }
  })
})
