import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../support/data/postgres.ts'
import { mailText } from '../support/mail/smtp.ts'
import { until } from '../support/patience.ts'
import { emptyFolder, executable, record, run, serve } from '../support/processes/program.ts'
import { hasNginx, startNginx } from '../support/servers/nginx.ts'
import { openShell } from '../support/sources/shell.ts'
import { blocksOf, codeOf } from '../support/sources/text-blocks.ts'

const program = await executable()
const [move, backUp, putBack, upstream] = codeOf('src/guide/postgresql.md', 'sh', 'sh', 'sh', 'nginx')
const one = blocksOf('src/guide/deploying.md').find(({ language }) => language === 'nginx')
const cwd = emptyFolder()
/** On SQLite, as before the move. */
const before = { FRONTDESK_DATABASE_URL: '', FRONTDESK_SECRET_KEY: '' }

let server: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

test('the chapter on PostgreSQL moves there, saves all of it and puts it back, and serves it from several nodes', async () => {
  const make = (...args: string[]) => record(program, args, { cwd, environment: before })
  await make('tenant', 'create', '--name', 'Acme')
  const inbox = await make('inbox', 'create', '--name', 'Help', '--channel', 'email', '--address', 'help@acme.test')
  const { key } = await make('key', 'create', '--name', 'k', '--scopes', 'tickets:read')
  await (await serve(program, { cwd, environment: before })).stop()
  const { hostname, port } = new URL(server.url)
  const url = `postgres://frontdesk@${hostname}:${port}/frontdesk`
  let environment: Record<string, string> = { FRONTDESK_DATABASE_URL: url }
  const deliver = async (Subject: string) => {
    const options = { cwd, environment, stdin: mailText({ Subject }) }
    expect((await run(program, ['mail', 'deliver', '--inbox', inbox.id], options)).code).toBe(0)
  }
  const subjects = async (at: string, tls?: { rejectUnauthorized: boolean }) => {
    const answer = await fetch(`${at}/v1/tickets`, { headers: { authorization: `Bearer ${key}` }, ...(tls && { tls }) })
    return ((await answer.json()) as { items: { subject: string }[] }).items.map(({ subject }) => subject)
  }
  mkdirSync(join(cwd, 'backups'))
  Bun.spawnSync(['chmod', 'a+rwx', join(cwd, 'backups')])
  const shell = await openShell(program, {
    cwd,
    environment: { ...before, PGHOST: hostname, PGPORT: port, PGUSER: 'frontdesk' },
    instead: { systemctl: `[ "$*" = 'stop frontdesk' ]` },
    places: { 'postgres://frontdesk:secret@db.example.com/frontdesk': url, '/backups': join(cwd, 'backups') },
  })
  await shell.run(move, {
    async instead({ command }) {
      if (command !== 'frontdesk serve') return null
      const secret = (await Bun.file(join(cwd, 'data/secret.key')).text()).trim()
      environment = { ...environment, FRONTDESK_SECRET_KEY: secret }
      return ''
    },
  })
  await deliver('Before the backup')
  await shell.run(backUp)
  await deliver('After the backup')
  await shell.run(putBack)
  await shell.close()

  const nodes = await Promise.all([1, 2].map(() => serve(program, { cwd: emptyFolder(), environment })))
  for (const node of nodes) expect(await subjects(node.url)).toEqual(['Before the backup'])
  if (hasNginx) {
    const places = Object.fromEntries(nodes.map(({ url }, index) => [`10.0.0.${index + 1}:3000`, new URL(url).host]))
    const proxy = await startNginx(
      `${upstream.text}\n${one?.text.replace('proxy_pass http://127.0.0.1:3000;', 'proxy_pass http://frontdesk;')}`,
      places,
    )
    for (let count = 0; count < 4; count += 1)
      expect(await subjects(proxy.url, proxy.tls)).toEqual(['Before the backup'])
    // In turns; the log may be a moment behind.
    const counts = () => nodes.map((node) => node.requests().filter(({ path }) => path === '/v1/tickets').length)
    await until(() => counts().reduce((sum, count) => sum + count) === 6)
    expect(counts()).toEqual([3, 3])
    await proxy.close()
  }
  for (const node of nodes) await node.stop()
})
