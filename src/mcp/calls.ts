import type { CallToolResult } from '@modelcontextprotocol/server'
import type { KeyPrincipal } from '../caller.ts'
import { AppError } from '../errors.ts'
import { bodyOf, statusOf } from '../http/answers/errors.ts'
import { admitWithin, type RequestContext } from '../http/context.ts'
import { answered, done, fileAnswer, refused } from './answers.ts'
import { type ApiRequest, requestOf, textFromOf } from './arguments.ts'
import type { Page } from './cutting.ts'
import type { Tool } from './tools.ts'

type Arguments = Readonly<Record<string, unknown>>

/** What answers requests of the API: the whole app, so that everything is checked and noted as for one that came in. */
export type Api = (request: Request) => Response | Promise<Response>

/** Where a request that goes nowhere is sent. */
const WITHIN = 'http://localhost'

/**
 * Calls tools on behalf of whoever sent `outer`, as requests of the API that the service makes itself. What the API refuses
 * is an answer, too. A file is named by its address below `baseUrl`.
 */
export function caller(api: Api, baseUrl: string, outer: RequestContext) {
  const principal: KeyPrincipal = { ...(outer.principal as KeyPrincipal), via: 'mcp' }

  const ask = async ({ method, path, headers, body }: ApiRequest): Promise<Response> => {
    const request = new Request(WITHIN + path, { method, headers, ...(body !== undefined && { body }) })
    admitWithin(outer.request, request, principal)
    return api(request)
  }

  return async function call(tool: Tool, given: Arguments): Promise<CallToolResult> {
    try {
      return await called(tool, given)
    } catch (error) {
      if (error instanceof AppError) return refused(statusOf(error), bodyOf(error, outer.requestId))
      throw error
    }
  }

  async function called(tool: Tool, given: Arguments): Promise<CallToolResult> {
    const textFrom = textFromOf(given)
    const request = requestOf(tool, given)
    const response = await ask(request)
    if (!response.ok) return refusedBy(response)
    if (response.status === 204) return done
    if (tool.answers === 'file') return fileAnswer(response, baseUrl + request.path, textFrom)
    const again = async (limit: number) => {
      const shorter = await ask(requestOf(tool, { ...given, limit }))
      return shorter.ok ? ((await shorter.json()) as Page) : null
    }
    return answered(await response.json(), { tool, given, textFrom, again })
  }
}

/** 401 and 429 have no body (api.md §7). */
async function refusedBy(response: Response): Promise<CallToolResult> {
  const text = await response.text()
  const retryAfter = response.headers.get('retry-after')
  const wait = retryAfter === null ? {} : { retryAfter: Number(retryAfter) }
  const without = { error: 'too_many_requests', message: 'try again later' }
  return refused(response.status, { ...(text === '' ? without : JSON.parse(text)), ...wait })
}
