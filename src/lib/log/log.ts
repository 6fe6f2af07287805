import { formatTime } from '../time.ts'
import { withoutSecrets } from './secret-paths.ts'

/** One line a call: JSON in production, plain words on a terminal. Never given bodies, queries or keys. */
export interface Log {
  /** The line of an answered request. */
  request(line: RequestLine): void
  info(message: string, fields?: LogFields): void
  /** What an administrator should look at, and nobody was refused for. */
  warn(message: string, fields?: FaultFields): void
  error(message: string, fields?: FaultFields): void
}

/** What is said of a request: nothing that a stranger may not read. */
export interface RequestLine {
  readonly requestId: string
  readonly method: string
  /** Without the query, which may hold addresses and tokens. */
  readonly path: string
  /** The client's, behind proxies that are believed. */
  readonly address: string
  readonly status: number
  /** Milliseconds. */
  readonly duration: number
  /** Whose key it carried. */
  readonly caller: { readonly tenantId: string; readonly keyId: string } | null
}

export type LogFields = Readonly<Record<string, unknown>>
/** `error` is what was thrown: the line says its message, cause and stack. */
type FaultFields = LogFields & { error?: unknown }

/**
 * A log that hands its lines to `writeLine`, for people when `readable`, else a JSON object a line. No line holds the token
 * of a link, or an address that stands in a path. Lines of requests go to `writeLater`, which makes them when it likes, in
 * their place among the others: beside a request that is being answered, that takes several times as long as by the hundred.
 */
export function createLog(
  writeLine: (line: string) => void,
  readable: boolean,
  writeLater: (make: () => string) => void = (make) => writeLine(make()),
): Log {
  const line = readable ? readableLine : jsonLine
  const requestLine = readable ? readableRequest : jsonRequest
  const write = (text: string) => writeLine(withoutSecrets(text))
  return {
    request(request) {
      const at = Date.now()
      writeLater(() => withoutSecrets(requestLine(request, at)))
    },
    info: (message, fields = {}) => write(line('info', message, fields)),
    warn: (message, fields) => write(line('warn', message, described(fields))),
    error: (message, fields) => write(line('error', message, described(fields))),
  }
}

/** Put together by hand: a request costs so little that a general way would be felt. */
function jsonRequest({ requestId, method, path, address, status, duration, caller }: RequestLine, at: number): string {
  const who = caller ? `,"tenantId":"${caller.tenantId}","keyId":"${caller.keyId}"` : ''
  return (
    `{"time":"${formatTime(at)}","level":"${levelOf(status)}","message":"request",` +
    `"requestId":"${requestId}","method":"${method}","path":${JSON.stringify(path)},` +
    `"address":"${address}","status":${status},` +
    `"duration":${rounded(duration)}${who}}\n`
  )
}

function readableRequest(
  { requestId, method, path, address, status, duration, caller }: RequestLine,
  at: number,
): string {
  const fields = { requestId, address, ...(caller ? { keyId: caller.keyId } : {}) }
  return readableLine(levelOf(status), `${method} ${path} ${status} ${rounded(duration)} ms`, fields, at)
}

function levelOf(status: number): 'info' | 'error' {
  return status < 500 ? 'info' : 'error'
}

function rounded(duration: number): number {
  return Math.round(duration * 100) / 100
}

function jsonLine(level: string, message: string, fields: LogFields): string {
  return `${JSON.stringify({ time: formatTime(Date.now()), level, message, ...fields })}\n`
}

function readableLine(level: string, message: string, fields: LogFields, at = Date.now()): string {
  const details = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${formatTime(at).slice(11, 23)} ${level === 'info' ? '' : `${level.toUpperCase()} `}${[message, ...details].join('  ')}\n`
}

function described({ error, ...fields }: FaultFields = {}): LogFields {
  return { ...fields, ...describe(error) }
}

function describe(error: unknown): LogFields {
  if (error === undefined) return {}
  if (!(error instanceof Error)) return { error: String(error) }
  return { error: error.message, ...describeCause(error.cause), stack: error.stack }
}

/** What an error stands for that may not be shown to the caller. */
function describeCause(cause: unknown): LogFields {
  if (!(cause instanceof Error)) return {}
  const { code } = cause as { code?: unknown }
  return { cause: typeof code === 'string' ? `${code}: ${cause.message}` : cause.message }
}

/** Lines that are written together at most: with more, collecting the garbage of them costs more than the writing. */
const MAX_LINES = 100

/** A line, or how it is made. */
type Line = string | (() => string)

function textOf(line: Line): string {
  return typeof line === 'string' ? line : line()
}

/**
 * Collects lines and writes them together, at least ten times a second: a system call for every request would be felt.
 * `flush` writes what is left; call it before the process ends.
 */
export function bufferedWriter(write: (text: string) => void): { write(line: Line): void; flush(): void } {
  let lines: Line[] = []
  let timer: Timer | null = null
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    if (lines.length === 0) return
    const text = lines.map(textOf).join('')
    lines = []
    write(text)
  }
  return {
    write(line) {
      lines.push(line)
      if (lines.length >= MAX_LINES) flush()
      else timer ??= setTimeout(flush, 100)
    },
    flush,
  }
}
