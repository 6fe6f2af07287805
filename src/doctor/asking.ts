import { request as plainly } from 'node:http'
import { request as securely } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { hostOf } from '../lib/network/outbound-address.ts'

/** How long anything outside may take to answer, in milliseconds. */
export const PATIENCE = 10_000
/** What is read of an answer, in bytes. */
const MAX_ANSWER = 64 * 1024

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

interface Question {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Where the host of the URL is looked for, instead of asking the system. */
  readonly address: string | null
}

/** Asks over HTTP/1.1 and follows no redirect. Rejects with the system's error, whose `code` says what went wrong. */
export function ask(url: URL, { method = 'GET', headers = {}, body, address }: Question): Promise<Answer> {
  const request = url.protocol === 'https:' ? securely : plainly
  const pinned = address !== null && !isIP(hostOf(url))
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const asking = request(url, {
    method,
    headers: { ...headers, ...(body ? { 'content-length': String(body.length) } : {}) },
    agent: false,
    signal: AbortSignal.timeout(PATIENCE),
    ...(pinned ? { lookup: always(address) } : {}),
  })
  asking.on('error', reject)
  asking.on('response', (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('error', reject)
    response.on('data', (piece: string) => {
      if (text.length < MAX_ANSWER) text += piece
    })
    response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
  })
  asking.end(body)
  return promise
}

/** A `lookup` that finds one address, whoever is asked for. */
function always(address: string): LookupFunction {
  const family = isIP(address)
  return (_, { all }, found) => {
    if (all) found(null, [{ address, family }])
    else found(null, address, family)
  }
}

/** The code of an error, or its words where it has none. */
export function codeOf(error: unknown): string {
  const { code, message, name } = (error ?? {}) as { code?: unknown; message?: unknown; name?: unknown }
  if (name === 'TimeoutError' || name === 'AbortError') return 'no answer in time'
  return typeof code === 'string' ? code : String(message ?? error)
}
