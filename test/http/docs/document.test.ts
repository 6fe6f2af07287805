import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openApiDocument } from '../../../src/app.ts'
import { documentedPath } from '../../../src/http/docs/paths.ts'
import type { OpenApiDocument, Parameter, Schema } from '../../../src/http/docs/types.ts'
import { scopes } from '../../../src/keys/scopes.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { documentOf, operationsOf, resolved } from '../../support/conformance.ts'
import { apiRoutes } from '../../support/routes.ts'

let app: TestApp
let document: OpenApiDocument

beforeAll(async () => {
  app = await startApp()
  document = await documentOf(app)
})
afterAll(() => app.close())

describe('the OpenAPI document', () => {
  test('has an operation for every route, and a route for every operation', () => {
    const routes = apiRoutes(app).map(({ method, path }) => `${method} ${documentedPath(path)}`)
    expect(
      operationsOf(document)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual(routes.sort())
  })

  test('says where the service is, and takes both key headers', () => {
    expect(document.servers).toEqual([{ url: app.url }])
    expect(document.security).toEqual([{ bearer: [] }, { apiKey: [] }])
    expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer', 'apiKey'])
  })

  test('is the same without a service', async () => {
    expect(JSON.parse(JSON.stringify(await openApiDocument(app.deps.config)))).toEqual(document)
  })

  test('describes every tag, operation and parameter', () => {
    for (const { name, description } of document.tags)
      expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)])
    for (const operation of operationsOf(document)) {
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
      expect(operation.tags).toBeArrayOfSize(1)
      for (const parameter of operation.parameters) {
        expect(resolved<Parameter>(document, parameter).description).toMatch(/\.$/)
      }
    }
  })

  test('says of every operation which scope it needs, and that a key without it gets a 403', () => {
    const undescribed = operationsOf(document).filter((operation) => {
      const scope = operation['x-scope']
      if (scope === 'none') return '403' in operation.responses || !operation.description.includes('Needs no scope.')
      return (
        !(scopes as readonly string[]).includes(scope) ||
        !operation.description.includes(`Needs scope \`${scope}\`.`) ||
        !JSON.stringify(operation.responses[403]).includes(scope)
      )
    })
    expect(undescribed).toEqual([])
  })

  test('names the errors that every operation, every id, every body and every POST can meet', () => {
    for (const { method, path, responses, requestBody, parameters } of operationsOf(document)) {
      const expected = ['400', '401', '429', '500']
      if (path.includes('{')) expected.push('404')
      if (requestBody) expected.push('413')
      if (method === 'POST') expected.push('409')
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(expected))
      const named = parameters.map((parameter) => resolved<Parameter>(document, parameter).name)
      expect(named.includes('Idempotency-Key')).toBe(method === 'POST')
    }
  })

  test('describes every field of every schema', () => {
    const undescribed = schemasOf(document).flatMap(([place, schema]) =>
      Object.entries((schema.properties ?? {}) as Record<string, Schema>)
        .filter(([, field]) => !isDescribed(field))
        .map(([name]) => `${place}.${name}`),
    )
    expect(undescribed).toEqual([])
  })

  test('gives an example of every body and of every answer that has one', () => {
    for (const { path, requestBody, responses } of operationsOf(document)) {
      const media = [requestBody, ...Object.values(responses).map((answer) => resolved(document, answer))].flatMap(
        (holder) => Object.values(holder && 'content' in holder ? (holder.content ?? {}) : {}),
      )
      for (const { example, examples } of media) expect([path, example ?? examples]).toEqual([path, expect.anything()])
    }
  })

  test('holds no keyword that OpenAPI 3.0 does not know', () => {
    const unknown = ['documented', 'rule', 'const', '$id', '$schema', 'patternProperties']
    const found = schemasOf(document).filter(
      ([, schema]) => unknown.some((keyword) => keyword in schema) || schema.type === 'null' || 'examples' in schema,
    )
    expect(found.map(([place]) => place)).toEqual([])
  })
})

function isDescribed(schema: Schema): boolean {
  return ['description', 'example', 'enum', '$ref', 'anyOf', 'oneOf'].some((keyword) => keyword in schema)
}

/** Every schema of the document, however deep, with where it stands. */
function schemasOf(document: OpenApiDocument): [place: string, schema: Schema][] {
  const named = Object.entries(document.components.schemas)
  const inline = operationsOf(document).flatMap(({ operationId, parameters, responses }) => [
    ...parameters.map((parameter) => [operationId, resolved<Parameter>(document, parameter).schema] as const),
    ...Object.entries(responses).flatMap(([status, answer]) =>
      Object.values(resolved(document, answer).content ?? {}).map(
        ({ schema }) => [`${operationId} ${status}`, schema] as const,
      ),
    ),
  ])
  return [...named, ...inline].flatMap(([place, schema]) => within(place, schema))
}

function within(place: string, schema: Schema): [string, Schema][] {
  const inner = [
    ...Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(
      ([name, field]) => [`${place}.${name}`, field] as const,
    ),
    ...(schema.items ? [[`${place}[]`, schema.items as Schema] as const] : []),
    ...((schema.anyOf ?? schema.oneOf ?? []) as Schema[]).map(
      (member, index) => [`${place}|${index}`, member] as const,
    ),
  ]
  return [[place, schema], ...inner.flatMap(([at, field]) => within(at, field))]
}
