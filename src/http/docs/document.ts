import { swagger } from '@elysiajs/swagger'
import { type AnyElysia, Elysia } from 'elysia'
import { version } from '../../../package.json'
import type { Config } from '../../config.ts'
import { Problem } from '../schemas.ts'
import { correctOperation, type RawOperation } from './operations.ts'
import { documentedPath } from './paths.ts'
import { correctSchema, mapValues } from './schemas.ts'
import { errorAnswers, headers, introduction, securitySchemes, tags } from './shared.ts'
import { type Answer, type OpenApiDocument, type Operation, type Parameter, reference, type Schema } from './types.ts'

/**
 * The OpenAPI 3.0 document of every `/v1` route of `app` (decisions §10). The swagger plugin reads the routes; its
 * faults (JSON Schema that OpenAPI 3.0 does not know, three content types for every body, no shared components, no
 * word of what all routes have in common) are corrected here and in the modules beside, and nowhere else.
 */
export async function describe(app: AnyElysia, config: Pick<Config, 'baseUrl'>): Promise<OpenApiDocument> {
  const raw = await readRoutes(app)
  const schemas: Record<string, Schema> = {}
  const parameters: Record<string, Parameter> = {}
  correctSchema(Problem, schemas)
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [rawPath, operations] of Object.entries(raw.paths)) {
    const path = documentedPath(rawPath)
    paths[path] = mapValues(operations, (operation: RawOperation, method) =>
      correctOperation(method, path, operation, { schemas, parameters }),
    )
  }
  shareParameters(paths, parameters)
  const used = new Set(
    Object.values(paths).flatMap((path) => Object.values(path).flatMap((operation) => operation.tags)),
  )
  return {
    openapi: '3.0.3',
    info: {
      title: 'frontdesk',
      version,
      description: introduction,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: config.baseUrl }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...used].map((name) => ({ name, description: tags[name] ?? '' })),
    paths,
    components: {
      schemas,
      parameters,
      headers,
      responses: sharedAnswers(paths),
      securitySchemes,
    },
  }
}

/** The plugin reads a detached copy of the routes, so that it changes nothing about those that serve. */
async function readRoutes(app: AnyElysia): Promise<{ paths: Record<string, Record<string, RawOperation>> }> {
  const detached = new Elysia({ normalize: false }).use(swagger({ path: '/docs', excludeStaticFile: false }))
  for (const { method, path, hooks } of app.routes) {
    if (!path.startsWith('/v1/')) continue
    const { query, body, response, detail } = hooks
    detached.route(method, path, () => '', { query, body, response, detail })
  }
  const answer = await detached.handle(new Request('http://localhost/docs/json'))
  return answer.json()
}

/** The shared answers that any operation gives. */
function sharedAnswers(paths: OpenApiDocument['paths']): Record<string, Answer> {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const used = Object.entries(errorAnswers).filter(([status]) =>
    operations.some(({ responses }) => status in responses),
  )
  return Object.fromEntries(used.map(([, { name, answer }]) => [name, answer]))
}

/** A query parameter that several operations take in the very same form is described once. */
function shareParameters(paths: OpenApiDocument['paths'], shared: Record<string, Parameter>): void {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const counts = new Map<string, number>()
  const identity = (parameter: object) => JSON.stringify(parameter)
  for (const parameter of operations.flatMap((operation) => operation.parameters)) {
    counts.set(identity(parameter), (counts.get(identity(parameter)) ?? 0) + 1)
  }
  for (const operation of operations) {
    operation.parameters = operation.parameters.map((parameter) => {
      if ('$ref' in parameter || (counts.get(identity(parameter)) ?? 0) < 2) return parameter
      const name = nameFor(parameter, shared)
      shared[name] = parameter
      return reference('parameters', name)
    })
  }
}

/** Parameters of one name can differ: `limit` of a paginated list and of one that comes whole. */
function nameFor(parameter: Parameter, shared: Record<string, Parameter>): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? parameter.name : `${parameter.name}${count}`
    if (!shared[name] || Bun.deepEquals(shared[name], parameter)) return name
  }
}
