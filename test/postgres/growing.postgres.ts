import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { serveFolder, startPostgres } from '../support/data/postgres.ts'
import { until } from '../support/patience.ts'
import { emptyFolder, executable, logLines, type Running, record, run, serve } from '../support/processes/program.ts'
import { openShell } from '../support/sources/shell.ts'
import { codeOf } from '../support/sources/text-blocks.ts'

const program = await executable()
const [copy, use] = codeOf('src/guide/growing.md', 'sh', 'sh')
const settings = { synchronous_commit: 'on' }
const cwd = emptyFolder()

let primary: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  primary = await startPostgres({ settings })
})
afterAll(() => primary.stop())

test('the chapter on growing makes a replica, which nodes read lists from and administrators are told of', async () => {
  const own = { FRONTDESK_DATABASE_URL: primary.url, FRONTDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd, environment: own })
  const key = await record(program, ['key', 'create', '--name', 'k', '--scopes', 'contacts:read,contacts:write'], {
    cwd,
    environment: own,
  })
  const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' }
  const folder = emptyFolder()
  const places = {
    '/var/lib/postgresql/replica': join(folder, 'data'),
    'postgres://frontdesk:secret@db.example.com': primary.url.replace('/postgres', ''),
  }
  const shell = await openShell(program, { cwd, environment: own, places })
  await shell.run(copy)
  await shell.close()
  chmodSync(folder, 0o755)
  Bun.spawnSync(['chown', '-R', '65534:65534', folder])
  const replica = await serveFolder(folder, { max_connections: 300, max_pred_locks_per_transaction: 256, ...settings })
  const environment = { ...own, FRONTDESK_DATABASE_REPLICA_URL: replica.url }
  // What `check` expects, the first start makes.
  await (await serve(program, { cwd, environment })).stop()
  const node = Promise.withResolvers<Running>()
  const beside = await openShell(program, {
    cwd,
    environment: own,
    places: { 'postgres://frontdesk:secret@replica.example.com/frontdesk': replica.url },
  })
  await beside.run(use, {
    async instead({ command }) {
      if (command !== 'frontdesk serve') return null
      node.resolve(await serve(program, { cwd, environment }))
      return ''
    },
  })
  await beside.close()
  const { url, output, stop } = await node.promise
  const list = async () => {
    const answer = await fetch(`${url}/v1/contacts`, { headers })
    return ((await answer.json()) as { items: { email: string }[] }).items.map(({ email }) => email)
  }
  const create = (email: string) =>
    fetch(`${url}/v1/contacts`, { method: 'POST', headers, body: JSON.stringify({ email }) })
  await create('a@acme.test')
  expect(await list()).toEqual(['a@acme.test'])
  // It follows at its own pace.
  await until(async () => (await run(program, ['check'], { cwd, environment })).stdout === './data is in order\n')

  await replica.halt('immediate')
  await create('b@acme.test')
  expect(await list()).toEqual(['b@acme.test', 'a@acme.test'])
  const said = /FRONTDESK_DATABASE_REPLICA_URL:? cannot be used: .*ECONNREFUSED/
  await until(async () => said.test(await (await fetch(`${url}/healthz`)).text()))
  const answer = await run(program, ['check'], { cwd, environment })
  expect([answer.code, answer.stdout]).toEqual([1, expect.stringMatching(said)])
  await stop()
  const told = logLines(output.stdout).filter(({ message }) => message.startsWith('lists and reports are read from'))
  const lines = told.map(({ message, level, replica }) => [level, message, replica])
  // One that a busy machine left behind was told of in between.
  expect([lines[0], lines.at(-1)]).toEqual([
    ['info', 'lists and reports are read from the replica', undefined],
    ['warn', 'lists and reports are read from the primary', expect.stringContaining('ECONNREFUSED')],
  ])
  await replica.stop()
})
