import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '@modelcontextprotocol/client'
import { scopes } from '../../src/kinds/scopes.ts'
import { documentOf, keyedOperationsOf } from '../support/api/conformance.ts'
import { mcpClient, revisions } from '../support/api/mcp.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

async function listed(client: Client) {
  const { tools } = await client.listTools()
  await client.close()
  return tools
}

describe('the tools that are listed', () => {
  test.each(revisions)('are all operations of the API for a key of all scopes, by revision %s', async (revision) => {
    const names = (await listed(await mcpClient(app, acme.key, revision))).map(({ name }) => name)
    const operations = keyedOperationsOf(await documentOf(app)).map(({ operationId }) => operationId)
    expect(names.toSorted()).toEqual(operations.toSorted())
  })

  test.each([...scopes])('are those of its scope for a key of %s', async (scope) => {
    const { key } = await acme.createKey([scope])
    const names = (await listed(await mcpClient(app, key))).map(({ name }) => name)
    const usable = keyedOperationsOf(await documentOf(app)).filter((operation) =>
      ['none', scope].includes(operation['x-scope']),
    )
    expect(names.toSorted()).toEqual(usable.map(({ operationId }) => operationId).toSorted())
  })

  test('say what they take and answer, and what they may do', async () => {
    const tools = new Map((await listed(await mcpClient(app, acme.key))).map((tool) => [tool.name, tool]))
    const reading = tools.get('listContacts')
    expect(reading?.annotations).toEqual({ readOnlyHint: true, destructiveHint: false, idempotentHint: true })
    expect(Object.keys(reading?.inputSchema.properties ?? {})).toContain('updated_since')
    expect(Object.keys(reading?.outputSchema?.properties ?? {})).toEqual(['items', 'nextCursor'])
    const creating = tools.get('createContact')
    expect(creating?.annotations).toEqual({ readOnlyHint: false, destructiveHint: false, idempotentHint: false })
    expect(creating?.inputSchema.required).toEqual(['email'])
    expect(Object.keys(creating?.inputSchema.properties ?? {})).toContain('idempotencyKey')
    expect(tools.get('deleteContact')?.annotations?.destructiveHint).toBe(true)
    expect(tools.get('deleteContact')?.outputSchema).toBeUndefined()
  })

  test('name one type in each place, since some models understand no other', async () => {
    for (const tool of await listed(await mcpClient(app, acme.key))) {
      expect(JSON.stringify([tool.inputSchema, tool.outputSchema])).not.toContain('"type":[')
    }
  })

  test('refer to nothing outside of themselves', async () => {
    for (const tool of await listed(await mcpClient(app, acme.key))) {
      for (const schema of [tool.inputSchema, tool.outputSchema ?? {}]) {
        const references = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference)
        const defined = Object.keys((schema as { $defs?: object }).$defs ?? {}).map((name) => `#/$defs/${name}`)
        expect(new Set(references)).toEqual(new Set(defined))
      }
    }
  })
})
