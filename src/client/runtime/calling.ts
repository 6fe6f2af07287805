import { errorOf, FrontdeskError } from './error.ts'
import { connectionLost, Repeatable, retried, retryAfterOf } from './retrying.ts'

/** How often a request is made again. */
const RETRIES = 4
/** After how many milliseconds without a whole answer a connection counts as lost. */
const TIMEOUT = 60_000

export interface ClientOptions {
  /** Where the service is, such as `https://desk.example.com`. */
  readonly baseUrl: string
  /** A key, `sk_…`, or a visitor's token; left out for operations that take none. */
  readonly key?: string
  /** How often a request is made again after a 429, a 503 or a lost connection: 4 times when left out. */
  readonly retries?: number
  /** After how many milliseconds without a whole answer the connection counts as lost: 60,000 when left out. */
  readonly timeout?: number
  /** In place of the global one. */
  readonly fetch?: (request: string, init: RequestInit) => Promise<Response>
}

/** What any call takes last. */
export interface CallOptions {
  /** Of a POST: the same request under the same key is done once. Made anew for each call when left out. */
  readonly idempotencyKey?: string
  /** Ends the call early. */
  readonly signal?: AbortSignal
}

/** One page when it is awaited, and with `for await` every item of it and of the pages that follow. */
export type Listed<Page extends { readonly items: readonly unknown[] }> = Promise<Page> &
  AsyncIterable<Page['items'][number]>

/**
 * An operation: its method, its path, and which arguments follow those of the path (`body`, `form`, `query`) and what its
 * answer is (`list`, `file`) where it is not plain.
 */
export type Operation = readonly [method: string, path: string, ...of: ('body' | 'form' | 'query' | 'list' | 'file')[]]

type Query = Readonly<Record<string, unknown>>

interface Page {
  readonly items: readonly unknown[]
  readonly nextCursor: string | null
}

/** A method for each operation. What they take and give is known to the types that are made beside `operations`. */
export function methodsOf(
  operations: Readonly<Record<string, Operation>>,
  options: ClientOptions,
): Record<string, (...given: never[]) => unknown> {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      (...given: readonly unknown[]) => call(operation, given, options),
    ]),
  )
}

function call(operation: Operation, given: readonly unknown[], client: ClientOptions): unknown {
  const [method, template, ...of] = operation
  let next = 0
  const path = template.replace(/\{(\w+)\}/g, (_, name) => segment(given[next++], name))
  const body = of.includes('body') || of.includes('form') ? given[next++] : undefined
  const query = of.includes('query') ? (given[next++] as Query | undefined) : undefined
  const options = (given[next] ?? {}) as CallOptions
  const read = (asked: Query | undefined) => send({ method, path, of, body, query: asked, options }, client)
  return of.includes('list') ? listed(read as (query: Query | undefined) => Promise<Page>, query) : read(query)
}

/** Empty ones, and those that would lead to another path, name nothing. */
function segment(value: unknown, name: string): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError(`${name}: must be a string`)
  if (/^\.{0,2}$/.test(String(value))) throw new TypeError(`${name}: names nothing`)
  return encodeURIComponent(value)
}

/** A log that is waited for (`wait`) never ends; else an empty page does, and one without a next. */
function listed(read: (query: Query | undefined) => Promise<Page>, query: Query | undefined): Listed<Page> {
  const first = read(query)
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      for (let page = await first; ; page = await read({ ...query, cursor: page.nextCursor })) {
        yield* page.items
        if (page.nextCursor === null || (page.items.length === 0 && !query?.wait)) return
      }
    },
  })
}

interface Call {
  readonly method: string
  readonly path: string
  readonly of: readonly string[]
  readonly body: unknown
  readonly query: Query | undefined
  readonly options: CallOptions
}

async function send({ method, path, of, body, query, options }: Call, client: ClientOptions): Promise<unknown> {
  const { signal } = options
  const request = { method, body: of.includes('form') ? formOf(body) : bodyOf(body), headers: headersOf() }
  const url = client.baseUrl.replace(/\/+$/, '') + path + searchOf(query)
  const asked = `${method} ${path}`
  return retried(attempt, { retries: client.retries ?? RETRIES, signal })

  function headersOf(): Record<string, string> {
    return {
      ...(client.key !== undefined && { authorization: `Bearer ${client.key}` }),
      ...(of.includes('body') && { 'content-type': 'application/json' }),
      ...(method === 'POST' && { 'idempotency-key': options.idempotencyKey ?? randomKey() }),
    }
  }

  async function attempt(): Promise<unknown> {
    const end = new AbortController()
    const stop = () => end.abort(signal?.reason)
    signal?.throwIfAborted()
    signal?.addEventListener('abort', stop, { once: true })
    const patience = client.timeout ?? TIMEOUT
    const timer = setTimeout(() => end.abort(new Error(`no answer within ${patience} ms`)), patience)
    try {
      const { fetch = globalThis.fetch } = client
      const answer = await fetch(url, { ...request, redirect: 'manual', signal: end.signal })
      if (!answer.ok) throw await refusal(answer)
      if (of.includes('file')) return answer
      const text = await answer.text()
      return text === '' ? undefined : parsed(text, answer)
    } catch (error) {
      if (error instanceof FrontdeskError || error instanceof Repeatable) throw error
      throw connectionLost(asked, end.signal.aborted ? end.signal.reason : error)
    } finally {
      clearTimeout(timer)
      if (!of.includes('file')) signal?.removeEventListener('abort', stop)
    }
  }

  async function refusal(answer: Response): Promise<FrontdeskError | Repeatable> {
    const error = await errorOf(answer, asked)
    const isTemporary = answer.status === 429 || answer.status === 503
    return isTemporary ? new Repeatable(error, retryAfterOf(answer.headers.get('retry-after'))) : error
  }

  function parsed(text: string, { status, headers }: Response): unknown {
    try {
      return JSON.parse(text)
    } catch (cause) {
      const requestId = headers.get('x-request-id')
      const told = { code: 'unexpected_answer', status, requestId, cause }
      throw new FrontdeskError(`${asked} was answered with something else than JSON: is baseUrl right?`, told)
    }
  }
}

function bodyOf(body: unknown): string | null {
  return body === undefined ? null : JSON.stringify(body)
}

function formOf(body: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body as Record<string, string | Blob>)) form.set(name, value)
  return form
}

function searchOf(query: Query | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** Of 128 bits. `crypto.randomUUID` is not there on pages without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
