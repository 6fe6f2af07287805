import { swagger } from '@elysiajs/swagger'
import { type AnyElysia, Elysia } from 'elysia'
import type { Config } from '../../config.ts'
import { VERSION } from '../../version.ts'
import { Problem } from '../schemas.ts'
import { correctOperation, type RawOperation } from './operations.ts'
import { documentedPath } from './paths.ts'
import { correctSchema, mapValues } from './schemas.ts'
import { errorAnswers, headers, introduction, securitySchemes, tags } from './shared.ts'
import {
  type Answer,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Reference,
  reference,
  type Schema,
} from './types.ts'

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
  const shared = { schemas, parameters, paths: Object.keys(raw.paths).map(documentedPath) }
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [rawPath, operations] of Object.entries(raw.paths)) {
    const path = documentedPath(rawPath)
    paths[path] = mapValues(operations, (operation: RawOperation, method) =>
      correctOperation(method, path, operation, shared),
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
      version: VERSION,
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

/** Query parameters that several operations take in the very same form are described once; a rarer namesake stays. */
function shareParameters(paths: OpenApiDocument['paths'], shared: Record<string, Parameter>): void {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const uses = Map.groupBy(
    operations.flatMap(({ parameters }) => parameters).filter((parameter) => isQuery(parameter)),
    (parameter) => JSON.stringify(parameter),
  )
  const mostUsedFirst = [...uses.values()].sort((a, b) => b.length - a.length)
  for (const [parameter, ...others] of mostUsedFirst) {
    if (parameter && others.length > 0) shared[parameter.name] ??= parameter
  }
  for (const operation of operations) {
    operation.parameters = operation.parameters.map((parameter) =>
      isQuery(parameter) && Bun.deepEquals(shared[parameter.name], parameter)
        ? reference('parameters', parameter.name)
        : parameter,
    )
  }
}

function isQuery(parameter: Parameter | Reference): parameter is Parameter {
  return 'in' in parameter && parameter.in === 'query'
}
