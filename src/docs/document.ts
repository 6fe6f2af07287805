import type { AnyElysia } from 'elysia'
import type { Config } from '../config.ts'
import type { Examples } from '../ports/examples.ts'
import { VERSION } from '../version.ts'
import { errorSchemas } from './errors.ts'
import { describeOperation, type Route, type Shared } from './operations.ts'
import { documentedPath } from './paths.ts'
import { headers, introduction, securitySchemes, tags } from './shared.ts'
import { type OpenApiDocument, type Parameter, type Reference, reference } from './types.ts'
import { webhooks } from './webhooks.ts'

/**
 * The OpenAPI 3.1 document of every route of `app` that is not hidden (decisions §10), read from what the routes check
 * and answer. `examples` are what "Try it out" is filled in with.
 */
export function describe(
  app: AnyElysia,
  config: Pick<Config, 'baseUrl'>,
  examples: Examples = { ids: {}, bodies: {}, visitorToken: null },
): OpenApiDocument {
  const routes = documentedRoutes(app)
  const shared: Shared = {
    schemas: { ...errorSchemas },
    parameters: {},
    responses: {},
    paths: routes.map(({ path }) => path),
    examples,
  }
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: describeOperation(route, shared) }
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
    servers: [{ url: config.baseUrl, 'x-internal': false }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...used].map((name) => ({ name, description: tags[name] ?? '' })),
    paths,
    webhooks: webhooks(schemas),
    components: { schemas, parameters, headers, responses, securitySchemes: securitySchemes(examples.visitorToken) },
  }
}

/** As JSON has them: what is Elysia's own about a schema falls away, and no change of one reaches the route it checks. */
function documentedRoutes(app: AnyElysia): Route[] {
  const routes = app.routes
    .filter(({ hooks }) => !hooks.detail?.hide)
    .map(({ method, path, hooks: { query, body, response = {}, detail } }) => ({
      method: method.toLowerCase(),
      path: documentedPath(path),
      query,
      body,
      responses: response,
      detail: detail ?? {},
    }))
  return JSON.parse(JSON.stringify(routes))
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
