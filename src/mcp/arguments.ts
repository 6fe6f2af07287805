import { invalid, notFound, rule } from '../errors.ts'
import { TEXT_FROM, type Tool } from './tools.ts'

type Arguments = Readonly<Record<string, unknown>>

/** What asks the API for what a tool was called with. */
export interface ApiRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * A call of a tool as a request of the API, which checks it as any other. Throws `invalid` for what could not be put into
 * one: it would ask for something else.
 */
export function requestOf(tool: Tool, given: Arguments): ApiRequest {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(tool.arguments, name))
  if (unknown !== undefined) throw invalid(unknown, rule('unknown_field'))
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  const fields: Record<string, unknown> = {}
  let body: unknown
  for (const [name, value] of Object.entries(given)) {
    const place = tool.arguments[name]
    if (place === 'body') body = value
    else if (place === 'body field') fields[name] = value
    else if (value === null) continue
    else if (place === 'query') query.set(name, textOf(name, value))
    else if (place === 'idempotency key') headers['idempotency-key'] = headerOf(name, value)
  }
  const path = tool.path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, given[name]))
  if (Object.values(tool.arguments).includes('body field')) body = fields
  if (body !== undefined) headers['content-type'] = 'application/json'
  return {
    method: tool.method,
    path: query.size > 0 ? `${path}?${query}` : path,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}

/** From which character on long texts are wanted. Throws `invalid` for what is no such number. */
export function textFromOf(given: Arguments): number {
  const from = given[TEXT_FROM] ?? 0
  if (typeof from !== 'number' || !Number.isSafeInteger(from) || from < 0) {
    throw invalid(TEXT_FROM, rule('count'))
  }
  return from
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalid(name, rule('string'))
}

/** What no header can hold would make no request at all. */
function headerOf(name: string, value: unknown): string {
  const text = textOf(name, value)
  if (!/^[\x20-\x7e]*$/.test(text)) throw invalid(name, rule('string'))
  return text
}

/** Part of a path: never none, and never one that leads to another path. */
function segmentOf(name: string, value: unknown): string {
  if (value === undefined || value === null || value === '') throw invalid(name, rule('required'))
  const segment = encodeURIComponent(textOf(name, value).toWellFormed())
  if (segment === '.' || segment === '..') throw notFound('record')
  return segment
}
