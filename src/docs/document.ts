import { swagger } from '@elysiajs/swagger'
import { type AnyElysia, Elysia } from 'elysia'
import type { Config } from '../config.ts'
import type { Examples } from '../ports/examples.ts'
import { VERSION } from '../version.ts'
import { errorSchemas } from './errors.ts'
import { correctOperation, type RawOperation, type Shared } from './operations.ts'
import { documentedPath, operationIdOf } from './paths.ts'
import { mapValues } from './schemas.ts'
import { headers, introduction, securitySchemes, tags } from './shared.ts'
import { type OpenApiDocument, type Operation, type Parameter, type Reference, reference } from './types.ts'
import { webhooks } from './webhooks.ts'

/**
 * The OpenAPI 3.1 document of every route of `app` that is not hidden (decisions §10). The swagger plugin reads the
 * routes; its faults (three content types for every body, no shared components, no word of what all routes have in
 * common, an older version of OpenAPI) are corrected here and in the modules beside, and nowhere else. `examples` are
 * what "Try it out" is filled in with.
 */
export async function describe(
  app: AnyElysia,
  config: Pick<Config, 'baseUrl'>,
  examples: Examples = { ids: {}, bodies: {}, visitorToken: null },
): Promise<OpenApiDocument> {
  const raw = await readRoutes(app)
  const shared: Shared = {
    schemas: { ...errorSchemas },
    parameters: {},
    responses: {},
    paths: Object.keys(raw.paths).map(documentedPath),
    examples,
  }
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [rawPath, operations] of Object.entries(raw.paths)) {
    const path = documentedPath(rawPath)
    paths[path] = mapValues(operations, (operation: RawOperation, method) =>
      correctOperation(method, path, operation, shared),
    )
  }
  const { schemas, parameters, responses } = shared
  shareParameters(paths, parameters)
  const used = new Set(
    Object.values(paths).flatMap((path) => Object.values(path).flatMap((operation) => operation.tags)),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'frontdesk',
      version: VERSION,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: config.baseUrl }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...used].map((name) => ({ name, description: tags[name] ?? '' })),
    paths,
    webhooks: webhooks(schemas),
    components: { schemas, parameters, headers, responses, securitySchemes: securitySchemes(examples.visitorToken) },
  }
}

/** The plugin reads a detached copy of the routes, so that it changes nothing about those that serve. */
async function readRoutes(app: AnyElysia): Promise<{ paths: Record<string, Record<string, RawOperation>> }> {
  const detached = new Elysia({ normalize: false }).use(swagger({ path: '/docs', excludeStaticFile: false }))
  for (const { method, path, hooks } of app.routes) {
    const { query, body, response, detail = {} } = hooks
    if (detail.hide) continue
    const operationId = detail.operationId ?? operationIdOf(method.toLowerCase(), documentedPath(path))
    detached.route(method, path, () => '', { query, body, response, detail: { ...detail, operationId } })
  }
  const answer = await detached.handle(new Request('http://localhost/docs/json'))
  return answer.json()
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
