import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publishForm } from '../../src/forms/publishing.ts'
import chapter from '../../src/guide/client.md' with { type: 'text' }
import { clientLibrary, clientPackage } from '../support/api/client.ts'
import { documentOf, operationsOf } from '../support/api/conformance.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { emptyFolder } from '../support/processes/program.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('the client has a method for every operation of the document, and no other', async () => {
  const { createClient } = await clientLibrary()
  const ids = operationsOf(await documentOf(app)).map(({ operationId }) => operationId)
  expect(Object.keys(createClient({ baseUrl: app.url })).sort()).toEqual(ids.sort())
})

test('the client weighs less than 12 kB compressed, and depends on nothing', async () => {
  const folder = await clientPackage()
  const script = readFileSync(join(folder, 'index.js'))
  const size = Bun.gzipSync(script).byteLength
  expect(size).toBeLessThan(12_000)
  expect(chapter).toContain(`takes ${Math.ceil(size / 1000)} kB compressed`)
  expect(script.toString()).not.toMatch(/^import |\brequire\(/m)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect(manifest).not.toHaveProperty('dependencies')
  expect(readdirSync(folder).sort()).toEqual([
    'LICENSE',
    'README.md',
    'index.d.ts',
    'index.js',
    'package.json',
    'runtime',
    'schema.d.ts',
  ])
})

describe('the package, packed and installed in an empty folder', () => {
  const folder = emptyFolder()
  const npm = (...args: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync(['npm', ...args, '--offline', '--no-audit', '--no-fund'], {
      cwd: folder,
    })
    if (exitCode !== 0) throw new Error(stderr.toString())
  }
  const hasNpm = Bun.which('npm') !== null || process.env.CI === 'true'

  const programs: Record<string, string[]> = {
    node: ['node', 'program.mjs'],
    bun: [process.execPath, 'program.mjs'],
  }

  test.if(hasNpm)('is whole', async () => {
    npm('pack', await clientPackage())
    const [packed] = readdirSync(folder)
    npm('install', `./${packed}`)
    expect(readdirSync(join(folder, 'node_modules'))).toContain('frontdesk-client')
  })

  for (const [name, command] of Object.entries(programs)) {
    test.if(hasNpm)(`works in ${name}`, async () => {
      const { key } = await app.createTenant()
      copyFileSync(join(import.meta.dir, 'program.mjs'), join(folder, 'program.mjs'))
      const child = Bun.spawn([...command, app.url, key], { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
      const [said, complaint] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ])
      expect([complaint, await child.exited]).toEqual(['', 0])
      expect(JSON.parse(said)).toEqual({
        names: ['Cy', 'Bo', 'Ada'],
        page: [1, 'string'],
        refusal: [true, 'conflict', 409, 'string', 'a contact with this email already exists'],
        verified: { batchId: 'b1', events: [] },
        forged: 'invalid_signature',
      })
    })
  }
})

test.skipIf(!hasBrowser)(
  'the client works in a browser, on a page of another site, for what takes no key',
  async () => {
    const tenant = await app.createTenant()
    const questions = [{ type: 'nps', text: 'Again?' }]
    const form = (await tenant.post('/v1/forms', { title: 'Lunch', questions })).body
    await tenant.perform((tx, caller) => publishForm(tx, caller, form.id))
    const script = readFileSync(join(await clientPackage(), 'index.js'), 'utf8')
    const type = { headers: { 'content-type': 'text/javascript' } }
    const site = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => (url.endsWith('.js') ? new Response(script, type) : new Response('<!doctype html>')),
    })
    const browser = await openBrowser()
    try {
      const page = await browser.context.newPage()
      await page.goto(`${site.url}`)
      const sent = await page.evaluate(
        async ([baseUrl, launchCode]) => {
          const { createClient } = await import(`${location.origin}/client.js`)
          const client = createClient({ baseUrl })
          const { pages } = await client.getFormDefinition(launchCode)
          const answers = [{ questionId: pages[0].questions[0].id, value: 9 }]
          const { status } = await client.beginResponse(launchCode, { answers, complete: true })
          const missing = await client.getFormDefinition('nothing').catch((error: unknown) => error)
          return [status, missing.code, missing.status]
        },
        [app.url, form.launchCode],
      )
      expect(sent).toEqual(['complete', 'not_found', 404])
    } finally {
      await browser.close()
      await site.stop(true)
    }
  },
)
