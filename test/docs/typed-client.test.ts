import { afterAll, beforeAll, expect, mock, test } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { questionTypeNames } from '../../src/forms/question-types/index.ts'
import { startApp, type TestApp } from '../support/app.ts'

const root = resolve(import.meta.dir, '../..')
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'ES2022',
  module: 'Preserve',
  moduleResolution: 'bundler',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: [],
  allowImportingTsExtensions: true,
}

let app: TestApp
let folder: string

beforeAll(async () => {
  app = await startApp()
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-client-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  copyFileSync(join(import.meta.dir, 'client/client.ts'), join(folder, 'client.ts'))
  writeFileSync(join(folder, 'schema.d.ts'), await typesOf((await app.request('GET', '/docs/json')).body))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What openapi-typescript makes of a document, without any option. It needs a TypeScript that has an API. */
async function typesOf(document: object): Promise<string> {
  mock.module('typescript', () => import('typescript-5'))
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  return astToString(await openapiTS(JSON.stringify(document)))
}

test('a generated client compiles under strict', async () => {
  const tsc = Bun.spawn([process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(await new Response(tsc.stdout).text()).toBe('')
  expect(await tsc.exited).toBe(0)
})

test('a generated client creates a form of all 19 types, reads refusals and routes events', async () => {
  const { createForm, createTwice, subjectsOf } = await import(join(folder, 'client.ts'))
  const { key } = await app.createTenant()
  const described: string[] = await createForm(app.url, key)
  expect(described.map((text) => text.split(' ')[0] as string)).toEqual([...questionTypeNames])
  expect(described).toEqual(expect.arrayContaining(['choose_one 2', 'payment eur']))

  const [created, named] = await createTwice(app.url, key)
  expect(created).toBeString()
  expect(named).toBe(created)

  const { examples } = (await app.request('GET', '/docs/json')).body.webhooks.events.post.requestBody.content[
    'application/json'
  ]
  const subjects = Object.values(examples as Record<string, { value: object }>).map(({ value }) => subjectsOf(value))
  expect(subjects).toEqual([
    ['A sample form'],
    ['ada@example.com'],
    ['ada@example.com'],
    ['A sample ticket'],
    ['A sample message.'],
    ['open'],
    ['partial'],
    ['pi_sample'],
    ['A sample form'],
    ['Ada'],
    [''],
    ['billing'],
    ['90'],
  ])
})
