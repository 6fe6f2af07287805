import { type AnyElysia, Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { describe } from '../docs/document.ts'
import { statusOf } from '../http/answers/errors.ts'
import { api } from '../http/api.ts'
import { contextOf } from '../http/context.ts'
import { readBody } from '../http/requests/body.ts'
import { noQuery } from '../http/requests/schemas.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { toolsOf } from './tools.ts'

/** `/mcp`: the API for agents, by the Model Context Protocol (decisions §23). The gate wants a key, as below `/v1`, or a token of OAuth. */
export function mcpRoutes(deps: Deps, app: AnyElysia) {
  const endpoint = endpointOf(deps, app)

  async function serve({ request }: { request: Request }): Promise<Response> {
    const read = request.method === 'POST' ? await readBody(request) : { value: undefined }
    if ('error' in read) return unreadable(statusOf(read.error), read.error.message)
    return (await endpoint())(contextOf(request), read.value)
  }
  const route = { scope: 'none', query: noQuery } as const
  return new Elysia({ detail: { hide: true } })
    .use(api(deps))
    .post('/mcp', serve, route)
    .get('/mcp', serve, route)
    .delete('/mcp', serve, route)
    .use(oauthRoutes(deps))
}

/** The SDK and the tools, from when they are first asked for. */
function endpointOf({ config, log }: Deps, app: AnyElysia) {
  const load = async () => {
    const { mcpEndpoint } = await import('./endpoint.ts')
    return mcpEndpoint(toolsOf(describe(app, config)), app.fetch, config.baseUrl, log)
  }
  let loaded: ReturnType<typeof load> | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

/** A body that is no message, in the words of JSON-RPC. */
function unreadable(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32700, message }, id: null }, { status })
}
