import { beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openApiDocument } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { clientPackage } from '../support/api/client.ts'
import { startApp } from '../support/app.ts'
import { emptyFolder } from '../support/processes/program.ts'
import argued from './standards/argued.json'

const ROOT = resolve(import.meta.dir, '../..')
const HERE = join(import.meta.dir, 'standards')
/** Tools that weigh a third of all others, and only look at the document: they are installed when this file is run. */
const TOOLS = join(ROOT, 'node_modules/.standards')

const folder = emptyFolder()

async function run(command: string[], cwd = TOOLS): Promise<{ said: string; code: number }> {
  const child = Bun.spawn(command, { cwd, stdout: 'pipe', stderr: 'inherit' })
  return { said: await new Response(child.stdout).text(), code: await child.exited }
}

beforeAll(async () => {
  mkdirSync(TOOLS, { recursive: true })
  for (const name of ['package.json', 'bun.lock', 'spectral.mjs']) copyFileSync(join(HERE, name), join(TOOLS, name))
  const { code } = await run([process.execPath, 'install', '--frozen-lockfile', '--silent'])
  expect(code).toBe(0)
  const config = loadConfig({ FRONTDESK_BASE_URL: 'https://desk.example.com' })
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApiDocument(config)))
})

test('Spectral and its OWASP ruleset find nothing but what is argued, and nothing is argued that they do not find', async () => {
  const { said } = await run([process.execPath, 'spectral.mjs', join(folder, 'openapi.json')])
  const broken: Record<string, string> = JSON.parse(said)
  expect(Object.entries(broken).filter(([rule]) => !Object.hasOwn(argued, rule))).toEqual([])
  expect(Object.keys(argued).filter((rule) => !Object.hasOwn(broken, rule))).toEqual([])
})

describe('hey-api', () => {
  const strictest = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    skipLibCheck: true,
    noEmit: true,
    target: 'ES2022',
    module: 'Preserve',
    moduleResolution: 'bundler',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: [],
  }

  test('makes types, calls and zod schemas of the document that compile under the strictest options', async () => {
    const output = join(TOOLS, 'hey-api')
    const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch', 'zod']
    const options = ['--input', join(folder, 'openapi.json'), '--output', output, '--no-log-file']
    await run([process.execPath, '--bun', 'x', 'openapi-ts', ...options, '--plugins', ...plugins])
    const settings = { compilerOptions: strictest, include: ['hey-api/*.ts'] }
    writeFileSync(join(TOOLS, 'tsconfig.json'), JSON.stringify(settings))
    const { said } = await run([process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', TOOLS])
    const faults = said.split('\n').filter((line) => /^\S/.test(line))
    // What it copies for every document does not compile under exactOptionalPropertyTypes, whatever we say.
    expect(faults.filter((line) => !/^hey-api\/(?:client|core)\//.test(line))).toEqual([])
    const schemas = await import(join(output, 'zod.gen.ts'))
    const { items } = await contacts()
    expect(schemas.zContact.safeParse(items[0]).error).toBeUndefined()
    expect(schemas.zContact.safeParse({ ...items[0], name: 5 }).success).toBe(false)
  })

  async function contacts() {
    const app = await startApp()
    const tenant = await app.createTenant()
    await tenant.post('/v1/contacts', { email: 'ada@acme.test', name: 'Ada' })
    const { body } = await tenant.get('/v1/contacts')
    await app.close()
    return body
  }
})

test('the client works in Deno', async () => {
  const app = await startApp()
  const { key } = await app.createTenant()
  mkdirSync(join(folder, 'node_modules'))
  cpSync(await clientPackage(), join(folder, 'node_modules/frontdesk-client'), { recursive: true })
  copyFileSync(join(import.meta.dir, '../client/program.mjs'), join(folder, 'program.mjs'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const deno = join(TOOLS, 'node_modules/.bin/deno')
  const { said, code } = await run([deno, 'run', '--allow-net', '--no-prompt', 'program.mjs', app.url, key], folder)
  await app.close()
  expect(code).toBe(0)
  expect(JSON.parse(said)).toMatchObject({ names: ['Cy', 'Bo', 'Ada'], forged: 'invalid_signature' })
})
