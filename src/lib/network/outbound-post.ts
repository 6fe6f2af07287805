import http from 'node:http'
import https from 'node:https'
import { isIP, type Socket } from 'node:net'
import { AppError } from '../../errors.ts'
import { type Address, AddressError, checkUrl, hostOf, type Lookup, resolvePublic } from './outbound-address.ts'

/** Why a POST failed. `refused` covers every way in which no connection came about; `reset`, one that broke off. */
export type PostFailure =
  | 'timeout'
  | 'dns'
  | 'tls'
  | 'refused'
  | 'reset'
  | 'redirect'
  | 'status'
  | 'blocked_address'
  | 'protocol'

export interface PostRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array | string
  /** From the DNS lookup to the status line, in milliseconds. */
  timeoutMs: number
  /** Admits http: and addresses that are not public (decisions §9). */
  allowPrivate: boolean
  /** How long the body may take once the status line is there, in milliseconds; never past the timeout. */
  bodyMs?: number
  /** How much of the body is kept, in bytes: 16 KiB unless it says otherwise. */
  keep?: number
  /** Breaks the POST off; it then fails like a connection that was reset. */
  signal?: AbortSignal | undefined
  /** PEM certificates trusted instead of the usual roots. */
  ca?: string | undefined
  lookup?: Lookup | undefined
}

export interface PostResult {
  /** null when no status line came. */
  statusCode: number | null
  /** null when the status is 2xx. */
  error: PostFailure | null
  /** At most `keep` of UTF-8. Bytes that are not UTF-8, compressed ones for instance, become U+FFFD. */
  responseBody: string
  durationMs: number
}

const BODY_READ = 64 * 1024
const BODY_KEPT = 16 * 1024
const BODY_MS = 1000
const PROBATION_MS = 5

/**
 * Connections are pooled by address, port, server name and CA, so a name that resolves anew never meets a socket to
 * an older address; the address is checked for every POST all the same. An idle one lives a second: enough for a
 * burst, too short for most receivers to close it just when it is used again.
 *
 * Measured by test/bench/outbound-post.ts: node:http has neither fetch's limit of 256 requests in the process (with
 * 1,000 receivers that never answer, 50 live ones took 20 ms) nor its proxies and DNS cache. TLS without the pool ran
 * at 0.1 of the speed of fetch, with it at 0.4 to 1.0 (9,000 to 20,000 a second on two cores).
 */
const pool = { keepAlive: true, timeout: 1000 }
const agents = { http: withProbation(new http.Agent(pool)), https: withProbation(new https.Agent(pool)) }

/**
 * Lets a used socket into the pool only after a moment. Some receivers close after every answer without announcing
 * it; reused at once, every other such connection broke off (seen), and a POST must not be repeated to find out.
 */
function withProbation<A extends http.Agent>(agent: A): A {
  const admit = agent.listeners('free')[0] as (socket: Socket, options: object) => void
  agent.removeAllListeners('free')
  return agent.on('free', (socket: Socket, options: object) => {
    const ignore = () => {}
    socket.on('error', ignore)
    setTimeout(() => {
      admit(socket, options)
      socket.off('error', ignore)
    }, PROBATION_MS)
  })
}

/**
 * POSTs `body` once, to an address that was checked, and says how it went (decisions §9). Whatever a receiver does is
 * a result, never an exception. The status line decides: a 2xx is a success even if the body breaks off or never
 * ends, and any 3xx is a failure. The request is never repeated; bodies are not decompressed.
 */
export async function post(request: PostRequest): Promise<PostResult> {
  const started = performance.now()
  const deadline = started + request.timeoutMs
  try {
    const url = checkUrl(request.url, request)
    const address = await within(request, resolvePublic(hostOf(url), request))
    const { statusCode, responseBody } = await send(request, url, address, deadline)
    const error = failureOfStatus(statusCode)
    return { statusCode, error, responseBody, durationMs: performance.now() - started }
  } catch (error) {
    return { statusCode: null, error: failureOf(error), responseBody: '', durationMs: performance.now() - started }
  }
}

function within<T>({ timeoutMs, signal }: PostRequest, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const breakOff = () => reject(brokenOff())
  const timer = setTimeout(() => reject(timedOut()), timeoutMs)
  signal?.addEventListener('abort', breakOff)
  work.then(resolve, reject)
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', breakOff)
  })
}

type Answer = Pick<PostResult, 'responseBody'> & { statusCode: number }

function send(request: PostRequest, url: URL, address: Address, deadline: number): Promise<Answer> {
  const client = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const sent = client.request(requestOptions(request, url, address))
    const timer = setTimeout(() => sent.destroy(timedOut()), deadline - performance.now())
    sent.on('response', (response) => {
      clearTimeout(timer)
      const bodyMs = Math.min(request.bodyMs ?? BODY_MS, deadline - performance.now())
      // Called here and now: the body may end before a promise gets its turn.
      resolve(answerOf(sent, response, bodyMs, request.keep ?? BODY_KEPT))
    })
    sent.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new Error('an upgrade that nobody asked for'))
    })
    sent.on('error', reject)
    const breakOff = () => sent.destroy(brokenOff())
    request.signal?.addEventListener('abort', breakOff)
    sent.on('close', () => {
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', breakOff)
    })
    sent.end(request.body)
  })
}

function requestOptions({ headers, body, ca }: PostRequest, url: URL, { address, family }: Address) {
  const host = hostOf(url)
  const own = { host: url.host, 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(body) }
  return {
    agent: url.protocol === 'https:' ? agents.https : agents.http,
    method: 'POST',
    host: address,
    family,
    port: url.port,
    path: url.pathname + url.search,
    headers: { ...headers, ...own },
    // The name the certificate must be for. '' stands for the address itself, which cannot be sent as SNI.
    servername: isIP(host) ? '' : host,
    ca,
    rejectUnauthorized: true,
  }
}

async function answerOf(
  sent: http.ClientRequest,
  response: http.IncomingMessage,
  bodyMs: number,
  keep: number,
): Promise<Answer> {
  const responseBody = await readBody(response, bodyMs, keep)
  // A receiver may answer before it has read our body; nothing else would end the rest of it.
  if (!sent.writableFinished) sent.destroy()
  return { statusCode: response.statusCode as number, responseBody }
}

/** Reads a body for at most `ms` and returns its beginning. A body that breaks off is as good as one that ends. */
function readBody(response: http.IncomingMessage, ms: number, keep: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => response.destroy(), ms)
    response.on('data', (chunk: Buffer) => {
      if (size < keep) chunks.push(chunk)
      size += chunk.length
      if (size > Math.max(BODY_READ, keep)) response.destroy()
    })
    response.on('error', () => {})
    response.on('close', () => {
      clearTimeout(timer)
      resolve(beginningOf(Buffer.concat(chunks), keep))
    })
  })
}

/** The first `keep` bytes as text that is itself no longer in UTF-8, cut between two characters. */
function beginningOf(bytes: Uint8Array, keep: number): string {
  const isCut = bytes.length > keep
  const text = new TextDecoder().decode(bytes.subarray(0, keep), { stream: isCut })
  // Each U+FFFD takes three bytes where one may have been.
  if (Buffer.byteLength(text) <= keep) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(keep))
  return text.slice(0, read)
}

function failureOfStatus(statusCode: number): PostFailure | null {
  if (statusCode >= 200 && statusCode < 300) return null
  return statusCode >= 300 && statusCode < 400 ? 'redirect' : 'status'
}

/** The first pattern that fits an error's code names the failure: OpenSSL alone has some sixty certificate codes. */
const FAILURES: readonly [RegExp, PostFailure][] = [
  [/^ETIMEDOUT$/, 'timeout'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|ERR_SOCKET_CLOSED|ERR_STREAM_PREMATURE_CLOSE)$/, 'reset'],
  [/^EPROTO$|^ERR_(SSL|TLS)_|^UNABLE_TO_|CERT|CRL|INVALID_(CA|PURPOSE)|PATH_LENGTH|HOSTNAME/, 'tls'],
  [/^E[A-Z0-9]+$/, 'refused'],
]

function failureOf(error: unknown): PostFailure {
  if (error instanceof AddressError) return error.failure
  // Acceptable when it was written, and refused now: private addresses have been switched off since.
  if (error instanceof AppError) return 'blocked_address'
  // What node:http throws for arguments it cannot use is a fault of ours, not of the receiver.
  if (error instanceof TypeError) throw error
  const code = String((error as NodeJS.ErrnoException).code)
  return FAILURES.find(([pattern]) => pattern.test(code))?.[1] ?? 'protocol'
}

function brokenOff(): Error {
  return Object.assign(new Error('broken off'), { code: 'ECONNABORTED' })
}

function timedOut(): Error {
  return Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })
}
