import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientPackage } from '../../support/api/client.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { until } from '../../support/patience.ts'
import { unusedPort } from '../../support/processes/ports.ts'
import { emptyFolder, executable } from '../../support/processes/program.ts'
import { cloneTools, openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'
import { createEmailInbox } from '../../support/tickets/tickets.ts'
import { passWindow, startDelivering } from '../../support/webhooks/webhooks.ts'

const [install, tour, wrong, receiver] = codeOf('src/guide/client.md', 'sh', 'js', 'js', 'js')
const SECRET = 'topsecret'
const clone = join(emptyFolder(), 'frontdesk')
const mine = join(clone, '../mine')

let app: TestApp
let acme: TestTenant
beforeAll(async () => {
  app = await startDelivering()
  acme = await app.createTenant()
  await createEmailInbox(acme)
  for (const folder of [clone, mine]) mkdirSync(folder)
  for (const { text } of [tour, wrong, receiver]) writeFileSync(join(mine, /^\/\/ (\S+)\n/.exec(text)?.[1] ?? ''), text)
  cpSync(await clientPackage(), join(clone, 'dist/client'), { recursive: true })
})
afterAll(() => app.close())

const environment = (more: object = {}) => ({ PATH: process.env.PATH ?? '', DESK: app.url, KEY: acme.key, ...more })

async function ran(file: string): Promise<string> {
  const child = Bun.spawn(['node', file], { cwd: mine, env: environment(), stdout: 'pipe', stderr: 'inherit' })
  const said = await new Response(child.stdout).text()
  expect(await child.exited).toBe(0)
  return said
}

test('the client is installed, calls and says what went wrong, as its chapter shows it', async () => {
  const { command } = await executable()
  const shell = await openShell({ command }, { cwd: clone, instead: cloneTools })
  await shell.run(install)
  await shell.close()
  expect(await ran('tour.mjs')).toBe('T-1 My room\n')
  expect((await acme.get('/v1/contacts')).body.items).toMatchObject([{ name: 'Grace', phone: '+44 20 7946 0000' }])
  const [{ id }] = (await acme.get('/v1/contacts')).body.items
  expect(await ran('wrong.mjs')).toBe(`is there already: ${id}\n`)
})

test('its receiver takes what the service delivers, and nothing that is forged', async () => {
  const port = unusedPort()
  const url = `http://127.0.0.1:${port}`
  const child = Bun.spawn(['node', 'receiver.mjs'], {
    cwd: mine,
    env: environment({ SECRET, PORT: String(port) }),
    stdout: Bun.file(join(mine, 'log')),
    stderr: 'inherit',
  })
  try {
    const forged = await until(() => fetch(url, { method: 'POST', body: '{}' }).catch(() => null))
    expect(forged.status).toBe(401)
    await acme.post('/v1/webhooks', { name: 'Mine', url, secret: SECRET, events: ['ticket.created'] })
    await acme.post('/v1/tickets', { email: 'ada@acme.test', subject: 'Towels', text: 'More, please.' })
    await passWindow(app)
    await until(async () => (await Bun.file(join(mine, 'log')).text()) === 'Towels\n')
  } finally {
    child.kill()
  }
})
