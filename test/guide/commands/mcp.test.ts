import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import manifest from '../../../package.json'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { emptyFolder } from '../../support/processes/program.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'
import { createEmailInbox } from '../../support/tickets/tickets.ts'

const [claude, cursor, code, inspector] = codeOf('src/guide/mcp.md', '', 'json', 'json', 'sh')

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  await createEmailInbox(acme)
})
afterAll(() => app.close())

/** A text of the chapter, for the service and the key of this test. */
const forUs = (text: string) => text.replaceAll('https://desk.example.com', app.url).replaceAll('sk_...', acme.key)

interface Server {
  url: string
  headers: Record<string, string>
}

test('what editors are given leads to the tools', async () => {
  const servers: Server[] = [
    JSON.parse(forUs(cursor.text)).mcpServers.frontdesk,
    JSON.parse(forUs(code.text)).servers.frontdesk,
  ]
  for (const { url, headers } of servers) {
    const client = new Client({ name: 'editor', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
    expect((await client.listTools()).tools.length).toBeGreaterThan(40)
    await client.close()
  }
})

test('what Claude Code is told names the address and the key as editors do', () => {
  const [, url, header] = /http frontdesk (\S+) --header "([^"]*)"/.exec(claude.text) ?? []
  const { frontdesk } = JSON.parse(cursor.text).mcpServers
  expect([url, header]).toEqual([frontdesk.url, `Authorization: ${frontdesk.headers.Authorization}`])
})

test('the inspector lists the tools, and opens and lists a ticket', async () => {
  const local = `${process.execPath} --bun node_modules/.bin/mcp-inspector`
  const version = manifest.devDependencies['@modelcontextprotocol/inspector']
  const named = `npx -y bun@1.4.5 x --bun @modelcontextprotocol/inspector@${version}`
  const said: string[] = []
  for (const line of inspector.text.split('\n')) {
    expect(line).toStartWith(named)
    const command = ['sh', '-c', line.replace(named, local)]
    const home = emptyFolder()
    const env = { PATH: process.env.PATH ?? '', HOME: home, DESK: app.url, KEY: acme.key }
    const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'pipe' })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    expect([line, await child.exited, err.includes('Error')]).toEqual([line, 0, false])
    said.push(out)
  }
  expect(JSON.parse(said[0] ?? '').tools.length).toBeGreaterThan(40)
  expect(said[2]).toContain('Towels')
  expect((await acme.get('/v1/tickets')).body.items).toMatchObject([{ subject: 'Towels' }])
})
