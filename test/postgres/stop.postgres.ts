import { afterEach, describe, expect, test } from 'bun:test'
import { startPostgres } from '../support/postgres.ts'
import { emptyFolder, logLines, record, serve, source } from '../support/program.ts'

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
  await record(source, ['tenant', 'create', '--name', 'Acme'], { cwd, environment })
  const scopes = 'contacts:read,contacts:write'
  const { key } = await record(source, ['key', 'create', '--name', 'k', '--scopes', scopes], { cwd, environment })
  const service = await serve(source, { cwd, environment })
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

const messagesOf = (stdout: string) => logLines(stdout).map(({ message }) => message)

describe('a node ends on SIGTERM', () => {
  test('though the server stands still in the middle of writes, and says so', async () => {
    const { server, service, create } = await started()
    server.signalAll('SIGSTOP')
    open.push(async () => server.signalAll('SIGCONT'))
    const writes = Array.from({ length: 20 }, create)
    await Bun.sleep(1_000)
    service.kill('SIGTERM')
    const { code, stdout } = await service.exited
    await Promise.all(writes)
    expect(code).toBe(0)
    expect(messagesOf(stdout)).toContain('the database could not be closed')
  })

  test('though the server has ended, and after it was away', async () => {
    const { server, service, create } = await started()
    const writes = Array.from({ length: 20 }, create)
    await server.halt()
    await Promise.all(writes)
    await server.start()
    while ((await create()) !== 201) await Bun.sleep(50)
    await server.halt()
    expect(await create()).toBe(503)
    service.kill('SIGTERM')
    const { code } = await service.exited
    expect(code).toBe(0)
    await server.start()
  })
})
