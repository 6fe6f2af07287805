import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../support/app.ts'

/** Why scenarios of the suite do not apply: a server that has the part in question has to pass them. */
const absent: Readonly<Record<string, readonly string[]>> = {
  'we keep no log for agents': ['logging-set-level', 'tools-call-with-logging'],
  'we complete nothing that is being typed': ['completion-complete'],
  'they call tools of the suite’s own server, which answer with fixed texts and pictures': [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'json-schema-2020-12',
  ],
  'we ask neither the agent’s model nor its user anything': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
  ],
  'records are read by tools, not as resources': [
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
  ],
  'each request stands by itself: there is no session that could be taken up again': [
    'server-sse-polling',
    'server-sse-multiple-streams',
  ],
  'what to ask is for whoever uses the agent': [
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
}

test('the official suite for servers is passed, but for the scenarios of parts that we have not', async () => {
  const app = await startApp()
  const { key } = await app.createTenant()
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-mcp-'))
  // The suite brings no key.
  const front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${key}`)
      return fetch(app.url + pathname, { method: request.method, headers, body: (await request.text()) || null })
    },
  })
  const baseline = join(folder, 'absent.yml')
  const expected = Object.values(absent).flat()
  await Bun.write(baseline, `server:\n${expected.map((name) => `  - ${name}\n`).join('')}`)
  const url = `http://localhost:${front.port}/mcp`
  const options = ['--url', url, '--suite', 'all', '--expected-failures', baseline, '--output-dir', folder]
  const command = [process.execPath, '--bun', 'node_modules/.bin/conformance', 'server', ...options]
  const suite = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
  const said = await new Response(suite.stdout).text()
  // Beyond the exit code: an empty suite would be passed, too.
  expect(said).toMatch(/✓ server-initialize: [1-9]/)
  expect(said).toMatch(/✓ tools-list: [1-9]/)
  expect(said).toMatch(/✓ ping: [1-9]/)
  expect(said).toMatch(/✓ dns-rebinding-protection: [1-9]/)
  expect([await suite.exited, said.match(/^ {2}✗ .*$/gm)]).toEqual([0, null])
  front.stop(true)
  await app.close()
  rmSync(folder, { recursive: true })
})
