import { afterEach, describe, expect, test } from 'bun:test'
import { openDatabase } from '../../../src/db/index.ts'
import { tenants } from '../../../src/db/schema.ts'
import { startPostgres } from '../../support/data/postgres.ts'
import { until } from '../../support/patience.ts'
import { emptyFolder, logLines, ownExecutable, type Running, record, serve } from '../../support/processes/program.ts'

const program = await ownExecutable()

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A node that serves a server of its own, and a key. */
async function started() {
  const server = await startPostgres()
  open.push(() => server.stop())
  const cwd = emptyFolder()
  const environment = {
    FRONTDESK_DATABASE_URL: server.url,
    FRONTDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd, environment })
  const scopes = 'contacts:read,contacts:write'
  const { key } = await record(program, ['key', 'create', '--name', 'k', '--scopes', scopes], { cwd, environment })
  const service = await serve(program, { cwd, environment })
  let emails = 0
  const create = () =>
    fetch(`${service.url}/v1/contacts`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `c${++emails}@acme.test` }),
    }).then(
      ({ status }) => status,
      () => null,
    )
  expect(await create()).toBe(201)
  return { server, service, create }
}

const GIVEN_UP = ['the database could not be closed', 'jobs under way did not end in time']

/** It ended by itself with 0, nothing in its log was unforeseen. */
async function expectEnd({ exited }: Running): Promise<string[]> {
  const { code, signal, stdout, stderr } = await exited
  const lines = logLines(stdout)
  const messages = lines.map(({ message }) => message)
  for (const { error = '' } of lines) expect(error).toBeString()
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
  expect(messages).toContain('stopping')
  expect(messages.filter((message) => message.startsWith('un'))).toEqual([])
  return messages
}

test('a database that stands still is given up when it is closed, and what it was about to store fails', async () => {
  const server = await startPostgres()
  open.push(() => server.stop())
  const database = await openDatabase({ dataDir: '', databaseUrl: server.url })
  const { promise: isStill, resolve: still } = Promise.withResolvers<void>()
  const write = database.transaction(async (tx) => {
    await tx.select().from(tenants)
    server.signalAll('SIGSTOP')
    open.push(async () => server.signalAll('SIGCONT'))
    still()
    await tx.select().from(tenants)
  })
  await isStill
  const [closed, written] = await Promise.allSettled([database.close(), write])
  expect(closed).toMatchObject({
    status: 'rejected',
    reason: { message: expect.stringContaining('within 30 seconds') },
  })
  expect(written).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
  // Nor does it connect again for what comes later, though it could.
  server.signalAll('SIGCONT')
  const later = await Promise.allSettled([database.db.select().from(tenants), database.transaction(async () => {})])
  for (const late of later) expect(late).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
})

describe('a node ends on SIGTERM', () => {
  test('though the server stands still amid writes, and says so', async () => {
    const { server, service, create } = await started()
    const writes = Array.from({ length: 20 }, create)
    server.signalAll('SIGSTOP')
    open.push(async () => server.signalAll('SIGCONT'))
    service.kill('SIGTERM')
    // Whether jobs are under way, and connections already given up, is chance; the audit log's last entries wait always.
    expect(await expectEnd(service)).toContain('entries of the audit log are left for the next start to link')
    await Promise.all(writes)
  })

  test.each(['fast', 'immediate'] as const)('though the server is gone, by a %s shutdown amid writes', async (how) => {
    const { server, service, create } = await started()
    const writes = Array.from({ length: 20 }, create)
    await server.halt(how)
    expect(new Set(await Promise.all(writes)).difference(new Set([201, 503]))).toEqual(new Set())
    expect(await create()).toBe(503)
    service.kill('SIGTERM')
    expect(new Set(await expectEnd(service)).intersection(new Set(GIVEN_UP))).toEqual(new Set())
    await server.start()
  })

  test.each(['fast', 'immediate'] as const)('after the server was away, by a %s shutdown', async (how) => {
    const { server, service, create } = await started()
    for (let time = 0; time < 3; time++) {
      const writes = Array.from({ length: 20 }, create)
      await server.halt(how)
      await Promise.all([...writes, create()])
      await server.start()
      await until(async () => (await create()) === 201)
    }
    service.kill('SIGTERM')
    expect(new Set(await expectEnd(service)).intersection(new Set(GIVEN_UP))).toEqual(new Set())
  })

  test('after the server stood still for so long that requests were refused', async () => {
    const { server, service, create } = await started()
    server.signalAll('SIGSTOP')
    try {
      expect(new Set(await Promise.all(Array.from({ length: 20 }, create)))).toEqual(new Set([503]))
    } finally {
      server.signalAll('SIGCONT')
    }
    await until(async () => (await create()) === 201)
    service.kill('SIGTERM')
    expect(new Set(await expectEnd(service)).intersection(new Set(GIVEN_UP))).toEqual(new Set())
  })
})
