import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKey, listKeys, MAX_ACTIVE_KEYS, revokeKey } from '../../src/keys/operations.ts'
import { scopes } from '../../src/kinds/scopes.ts'
import { snapshot } from '../support/api/snapshot.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { until } from '../support/patience.ts'
import { refusal } from '../support/refusal.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const keysOf = (tenant: TestTenant) => listKeys(app.database.db, tenant.tenantId)
const inFuture = (ms: number) => new Date(app.clock.now() + ms).toISOString()
const statusOf = async (key: string) => (await app.request('GET', '/v1/me', { key })).status
const revoke = (tenant: TestTenant, keyId: string) => tenant.perform((tx, caller) => revokeKey(tx, caller, keyId))

describe('a new key', () => {
  test('is shown once, works at once in both headers, and says who it is', async () => {
    const { key, keyId } = await acme.createKey(['tickets:read', 'forms:read'])
    expect(key).toMatch(/^sk_[\w-]{43}$/)
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { authorization: `bearer  ${key}` },
      { 'x-api-key': key },
    ]) {
      const { status, body } = await app.request('GET', '/v1/me', { headers: headers as Record<string, string> })
      expect([status, body]).toEqual([
        200,
        { keyId, keyName: 'test', tenantId: acme.tenantId, scopes: ['forms:read', 'tickets:read'] },
      ])
    }
  })

  test('has 256 bits of chance', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => acme.createKey()))
    const bytes = made.map(({ key }) => Buffer.from(key.slice(3), 'base64url'))
    for (const value of bytes) expect(value).toHaveLength(32)
    expect(new Set(bytes.map(String)).size).toBe(10)
  })

  test('is stored as a hash only, and written to no file or log', async () => {
    const { key } = await acme.createKey()
    expect(await statusOf(key)).toBe(200)
    const files = readdirSync(app.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const contents = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
    const stored = [...contents, JSON.stringify(await snapshot(app))]
    // Proof that the search can find something: the prefix is kept in the clear.
    expect(stored.some((content) => content.includes(key.slice(0, 9)))).toBeTrue()
    for (const content of [...stored, ...app.logged]) {
      expect(content.includes(key.slice(3))).toBeFalse()
      expect(content.includes(key.slice(9))).toBeFalse()
    }
  })

  test('is listed by name, prefix, scopes and times', async () => {
    const expiresAt = inFuture(60_000)
    const { key, keyId } = await acme.createKey(['forms:read'], expiresAt)
    const [newest] = await keysOf(acme)
    expect(newest).toEqual({
      keyId,
      name: 'test',
      prefix: key.slice(0, 9),
      scopes: ['forms:read'],
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      createdAt: new Date(app.clock.now()).toISOString(),
    })
  })

  test.each([
    ['a blank name', { name: '  ' }, 'name: must be 1 to 255 characters'],
    ['a long name', { name: 'x'.repeat(256) }, 'name: must be 1 to 255 characters'],
    ['no scope', { scopes: [] }, /^scopes: must be one or more of forms:read, /],
    ['an unknown scope', { scopes: ['forms:read', 'forms:delete'] }, /, not forms:delete$/],
    ['a scope in capitals', { scopes: ['Forms:Read'] }, /, not Forms:Read$/],
    ['an expiry that is past', { expiresAt: '2026-01-01T00:00:00.000Z' }, 'expires: must lie in the future'],
  ])('with %s is refused, and none is made', async (_, input, message) => {
    const before = await keysOf(acme)
    const making = acme.perform((tx, caller) =>
      createKey(tx, caller, { name: 'test', scopes: ['forms:read'], expiresAt: null, ...input }),
    )
    expect(await refusal(making)).toEqual(['invalid_request', expect.stringMatching(message)])
    expect(await keysOf(acme)).toEqual(before)
  })

  test('holds a scope that was named twice once', async () => {
    const { key } = await acme.createKey(['forms:read', 'forms:read'])
    expect((await app.request('GET', '/v1/me', { key })).body.scopes).toEqual(['forms:read'])
  })
})

describe('active keys', () => {
  test(`are at most ${MAX_ACTIVE_KEYS} of a tenant; revoked and expired ones do not count`, async () => {
    const first = await acme.createKey(scopes, inFuture(1000))
    const second = await acme.createKey()
    for (let count = 3; count < MAX_ACTIVE_KEYS; count++) await acme.createKey()
    const full = ['conflict', 'a tenant has at most 20 active keys: revoke one first'] as [string, string]
    expect(await refusal(acme.createKey())).toEqual(full)

    await revoke(acme, second.keyId)
    await acme.createKey()
    expect(await refusal(acme.createKey())).toEqual(full)

    app.clock.advance(1000)
    expect(await statusOf(first.key)).toBe(401)
    await acme.createKey()
    expect(await refusal(acme.createKey())).toEqual(full)
    expect(await keysOf(acme)).toBeArrayOfSize(MAX_ACTIVE_KEYS + 2)
    // Another tenant is not concerned.
    await (await app.createTenant('Other')).createKey()
  })

  test('stay so when many are made at once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => acme.createKey()))
    // One came with the tenant.
    expect(results.filter(({ status }) => status === 'fulfilled')).toBeArrayOfSize(MAX_ACTIVE_KEYS - 1)
  })
})

describe('the end of a key', () => {
  test('by expiry comes at that very moment', async () => {
    const { key } = await acme.createKey(scopes, inFuture(5000))
    app.clock.advance(4999)
    expect(await statusOf(key)).toBe(200)
    app.clock.advance(1)
    expect(await statusOf(key)).toBe(401)
  })

  test('by revocation comes at once and for good', async () => {
    const { key, keyId } = await acme.createKey()
    expect(await statusOf(key)).toBe(200)
    const revoked = await revoke(acme, keyId)
    expect(revoked.revokedAt).toBe(new Date(app.clock.now()).toISOString())
    expect(await statusOf(key)).toBe(401)
    app.clock.advance(1000)
    expect(await revoke(acme, keyId)).toEqual(revoked)
    expect(await statusOf(key)).toBe(401)
  })

  test('is not in the hands of another tenant', async () => {
    const other = await app.createTenant('Other')
    expect(await refusal(revoke(other, acme.keyId))).toEqual(['not_found', 'key not found'])
    expect(await refusal(revoke(other, Bun.randomUUIDv7()))).toEqual(['not_found', 'key not found'])
    expect(await statusOf(acme.key)).toBe(200)
  })
})

/** Waits for what is stored beside the answer. */
async function becomes(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  await until(async () => (await read()) === expected)
}

describe('the time a key was last used', () => {
  /** The stored time, once what is being written has been. */
  async function lastUsedAt(keyId: string): Promise<string | null | undefined> {
    await app.database.transaction(async () => {})
    return (await keysOf(acme)).find((key) => key.keyId === keyId)?.lastUsedAt
  }

  test('is stored within half a minute of use, whatever the answer was', async () => {
    const { key, keyId } = await acme.createKey(['forms:read'])
    expect(await lastUsedAt(keyId)).toBeNull()
    app.clock.advance(30_000)
    expect((await app.request('GET', '/v1/contacts', { key })).status).toBe(403)
    await becomes(() => lastUsedAt(keyId), new Date(app.clock.now()).toISOString())
    app.clock.advance(30_000)
    expect(await statusOf(key)).toBe(200)
    await becomes(() => lastUsedAt(keyId), new Date(app.clock.now()).toISOString())
  })

  test('does not change once it is revoked', async () => {
    const { key, keyId } = await acme.createKey()
    app.clock.advance(30_000)
    await statusOf(key)
    await becomes(() => lastUsedAt(keyId), new Date(app.clock.now()).toISOString())
    await revoke(acme, keyId)
    const before = await lastUsedAt(keyId)
    app.clock.advance(60_000)
    expect(await statusOf(key)).toBe(401)
    await acme.get('/v1/me')
    expect(await lastUsedAt(keyId)).toBe(before)
  })
})
