import { AppError, invalid } from '../errors.ts'

/** decisions §1: the largest JSON body, in bytes, and its deepest nesting. */
const MAX_BYTES = 1024 * 1024
const MAX_DEPTH = 32

/** What `readBody` found, kept until the key's scope has been checked: a 403 goes before a 400 (decisions §1). */
export type ReadBody = { value: unknown } | { error: AppError }

/** Whether the route of that path reads the body itself, as it comes: files sent to a hosted form, and what is signed. */
export function isStreamed(path: string): boolean {
  return /^\/(f\/[^/]+\/uploads|stripe\/webhook)\/?$/.test(path)
}

/**
 * Reads a JSON body: strict UTF-8, at most 1 MiB, at most 32 levels, an object. Never throws; says what is wrong in
 * the result. An absent body is `undefined`, for the route's schema to allow or refuse.
 */
export async function readBody(request: Request): Promise<ReadBody> {
  try {
    return { value: await parseBody(request) }
  } catch (error) {
    return { error: error instanceof AppError ? error : invalid('body', 'could not be read') }
  }
}

async function parseBody(request: Request): Promise<unknown> {
  const bytes = await readBytes(request)
  if (bytes.length === 0) return undefined
  if (!isJson(request.headers.get('content-type')))
    throw invalid('body', 'must be sent as content-type application/json')
  const text = decode(bytes)
  checkDepth(text)
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('body', 'must be a JSON object')
  // Only an escape can hide any of them from a look at the text.
  if (text.includes('\\u') || TRAPS.some((name) => text.includes(name))) refuseTraps(value, '')
  return value
}

/**
 * A body as it was sent, at most 1 MiB; else throws `too_large`. Chunked bodies tell no length: they are counted as
 * they come and cut off at the limit.
 */
export async function readBytes(request: Request): Promise<Uint8Array> {
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
function refuseTraps(value: unknown, place: string): void {
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw invalid(place, 'must not hold half of a surrogate pair')
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    const inside = Array.isArray(value) ? `${place}[${name}]` : place ? `${place}.${name}` : name
    if (TRAPS.includes(name)) throw invalid(inside, 'unknown field')
    refuseTraps(member, inside)
  }
}

/** Counts brackets outside of strings: the parser survives 400,000 levels, what comes after it does not. */
function checkDepth(text: string): void {
  let depth = 0
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
  }
}
