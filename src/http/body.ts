import { AppError, invalid } from '../errors.ts'
import { BodiesUnderWay } from './bodies-under-way.ts'

/** decisions §1: the largest JSON body, in bytes, and its deepest nesting. */
const MAX_BYTES = 1024 * 1024
const MAX_DEPTH = 32
/** decisions §6: the largest body of a request without a key, in bytes. */
const MAX_PUBLIC_BYTES = 256 * 1024
/**
 * Keys in all objects of a body together: each costs the parser, and whoever looks at its name, many times its bytes.
 * Far more than a form of 1 MiB has, and than its answers.
 */
const MAX_KEYS = 40_000
const MAX_PUBLIC_KEYS = 10_000

/** What `readBody` found, kept until the key's scope has been checked: a 403 goes before a 400 (decisions §1). */
export type ReadBody = { value: unknown } | { error: AppError }

/** Whether the route of that path reads the body itself, as it comes: files sent to a hosted form, and what is signed. */
export function isStreamed(path: string): boolean {
  return /^\/(f\/[^/]+\/uploads|stripe\/webhook)\/?$/.test(path)
}

/**
 * Reads the JSON body of a request with a key: strict UTF-8, at most 1 MiB, at most 32 levels and 40,000 keys, an
 * object. Never throws; says what is wrong in the result. An absent body is `undefined`, for the route's schema to
 * allow or refuse.
 */
export function readBody(request: Request): Promise<ReadBody> {
  return readJson(request, readBytes, MAX_KEYS)
}

/** As `readBody`, of a request that anybody can send: at most 10,000 keys, and see `readPublicBytes`. */
export function readPublicBody(request: Request): Promise<ReadBody> {
  return readJson(request, readPublicBytes, MAX_PUBLIC_KEYS)
}

async function readJson(request: Request, read: typeof readBytes, maxKeys: number): Promise<ReadBody> {
  try {
    return { value: parseBody(request, await read(request), maxKeys) }
  } catch (error) {
    return { error: error instanceof AppError ? error : invalid('body', 'could not be read') }
  }
}

function parseBody(request: Request, bytes: Uint8Array, maxKeys: number): unknown {
  if (bytes.length === 0) return undefined
  if (!isJson(request.headers.get('content-type')))
    throw invalid('body', 'must be sent as content-type application/json')
  const text = decode(bytes)
  checkShape(text, maxKeys)
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('body', 'must be a JSON object')
  // Only an escape can hide any of them from a look at the text.
  if (text.includes('\\u') || TRAPS.some((name) => text.includes(name))) refuseTraps(value)
  return value
}

/** The memory is the process's, and so is its bound. */
const publicBodies = new BodiesUnderWay()

/**
 * The body of a request without a key as it was sent, at most 256 KiB, in bounded memory and time. Throws as
 * `BodiesUnderWay.read`.
 */
export function readPublicBytes(request: Request): Promise<Uint8Array> {
  return publicBodies.read(request, MAX_PUBLIC_BYTES)
}

/**
 * A body as it was sent, at most 1 MiB; else throws `too_large`. Chunked bodies tell no length: they are counted as
 * they come and cut off at the limit.
 */
async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length')) > MAX_BYTES) throw tooLarge()
  if (request.headers.has('content-length')) return request.bytes()
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > MAX_BYTES) {
      await reader.cancel()
      throw tooLarge()
    }
    chunks.push(value)
  }
  return Buffer.concat(chunks)
}

function tooLarge(): AppError {
  return new AppError('too_large', 'body: must be at most 1 MiB')
}

/** RFC 9110: a media type's case does not matter, and parameters may follow. */
function isJson(contentType: string | null): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('body', 'must be UTF-8')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('body', 'must be well-formed JSON')
  }
}

/** No field has such a name, and objects that do break code that takes them for ordinary ones: a text, say. */
const TRAPS = ['__proto__', 'toString']

/**
 * JSON can name what every object has by birth: as a member that is an unknown field like any other, refused by name.
 * And it can write half of a surrogate pair, which is no text: a database would store something else than was sent.
 */
function refuseTraps(value: unknown): void {
  const trap = findTrap(value)
  if (trap) throw invalid(trap.inside.join('').replace(/^\./, ''), trap.rule)
}

/** The first trap in `value` and where in there it is: told on the way back, so that finding none costs little. */
function findTrap(value: unknown): { inside: string[]; rule: string } | null {
  if (typeof value === 'string') {
    return value.isWellFormed() ? null : { inside: [], rule: 'must not hold half of a surrogate pair' }
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const trap = TRAPS.includes(name) ? { inside: [], rule: 'unknown field' } : findTrap(member)
    if (!trap) continue
    trap.inside.unshift(Array.isArray(value) ? `[${name}]` : `.${name}`)
    return trap
  }
  return null
}

/**
 * Counts brackets and colons outside of strings: the parser survives 400,000 levels and as many keys, what comes after
 * it does not.
 */
function checkShape(text: string, maxKeys: number): void {
  let depth = 0
  let keys = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (inString) {
      if (char === 92) i++
      else if (char === 34) inString = false
    } else if (char === 34) inString = true
    else if (char === 123 || char === 91) {
      if (++depth > MAX_DEPTH) throw invalid('body', `must not be nested deeper than ${MAX_DEPTH} levels`)
    } else if (char === 125 || char === 93) depth--
    else if (char === 58 && ++keys > maxKeys) throw invalid('body', `must not hold more than ${maxKeys} keys`)
  }
}
