import { AppError, invalid, type Rule, rule } from '../../errors.ts'
import { BodiesUnderWay } from './bodies-under-way.ts'

/** decisions §1: the largest JSON body, in bytes, and its deepest nesting. */
const MAX_BYTES = 1024 * 1024
const MAX_DEPTH = 32
/** decisions §6: the largest body of a request without a key, in bytes. */
export const MAX_PUBLIC_BYTES = 256 * 1024
/**
 * Keys in all objects of a body together: each costs the parser, and whoever looks at its name, many times its bytes.
 * Far more than a form of 1 MiB has, and than its answers.
 */
const MAX_KEYS = 40_000
const MAX_PUBLIC_KEYS = 10_000

/** What `readBody` found, kept until the key's scope has been checked: a 403 goes before a 400 (decisions §1). */
export type ReadBody = { value: unknown } | { error: AppError }

/**
 * Whether the route of that path reads the body itself, as it comes: files sent to a hosted form, what is signed, and
 * forms of the console, which are read once it is known whose they are, and what MCP and OAuth answer about in their own words.
 * Pages read none at all.
 */
export function isStreamed(path: string): boolean {
  return /^\/((f|chat)\/[^/]+(\/uploads)?|stripe\/webhook|mcp|oauth\/\w+|(console|docs)(\/.*)?|help\/.*|embed\.js)\/?$/.test(
    path,
  )
}

/**
 * Reads the JSON body of a request with a key: strict UTF-8, at most 1 MiB, at most 32 levels and 40,000 keys, an
 * object, in bounded memory. Never throws; says what is wrong in the result. An absent body is `undefined`, for the route's schema to
 * allow or refuse.
 */
export function readBody(request: Request): Promise<ReadBody> {
  return readJson(request, readBytes, MAX_KEYS)
}

/**
 * As `readBody`, of a request that anybody can send: at most 10,000 keys, and see `readPublicBytes`. `came` is told how
 * many bytes it was, once it is read.
 */
export function readPublicBody(request: Request, came: (bytes: number) => void = () => {}): Promise<ReadBody> {
  const read = async () => {
    const bytes = await readPublicBytes(request)
    came(bytes.length)
    return bytes
  }
  return readJson(request, read, MAX_PUBLIC_KEYS)
}

async function readJson(request: Request, read: typeof readBytes, maxKeys: number): Promise<ReadBody> {
  try {
    return { value: parseBody(request, await read(request), maxKeys) }
  } catch (error) {
    return { error: error instanceof AppError ? error : invalid('body', rule('body_unreadable')) }
  }
}

function parseBody(request: Request, bytes: Uint8Array, maxKeys: number): unknown {
  if (bytes.length === 0) return undefined
  if (!isJson(request.headers.get('content-type'))) throw invalid('body', rule('body_json_type'))
  const text = decode(bytes)
  if (isEncoded(request.headers.get('content-encoding'))) throw invalid('body', rule('body_encoding'))
  return parseJsonObject(text, { maxKeys })
}

/**
 * The object that a text is JSON of, with at most 32 levels and `maxKeys` keys. Throws `invalid`, naming `place` for what
 * is none, and the place inside for a name or a text that would do harm. `outline` is the text without what is long in it,
 * which has the same levels and keys.
 */
export function parseJsonObject(
  text: string,
  { maxKeys, place = 'body', outline = text }: { maxKeys: number; place?: string; outline?: string },
): object {
  checkShape(outline, maxKeys, place)
  const value = parseJson(text, place)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(place, rule('body_object'))
  // Only an escape can hide any of them from a look at the text.
  if (outline.includes('\\u') || TRAPS.some((name) => outline.includes(name))) refuseTraps(value)
  return value
}

/*
 * The memory is the process's, and so is its bound. Either kind has to come at 9 kB a second; those without a key take
 * nothing from those with one.
 */
const publicBodies = new BodiesUnderWay(16 * 1024 * 1024, 30_000)
const keyedBodies = new BodiesUnderWay(64 * 1024 * 1024, 120_000)
/** A body that says it is no longer, in bytes, is not counted while it comes in. */
const SMALL = 64 * 1024

/**
 * The body of a request without a key as it was sent, at most 256 KiB, in bounded memory and time. Throws as
 * `BodiesUnderWay.read`.
 */
export function readPublicBytes(request: Request): Promise<Uint8Array> {
  return publicBodies.read(request, MAX_PUBLIC_BYTES)
}

/** A body as it was sent, at most 1 MiB. Throws as `BodiesUnderWay.read`. */
async function readBytes(request: Request): Promise<Uint8Array> {
  const length = request.headers.get('content-length')
  // Chunked bodies tell no length.
  return length !== null && Number(length) <= SMALL ? request.bytes() : keyedBodies.read(request, MAX_BYTES)
}

/** RFC 9110: a media type's case does not matter, and parameters may follow. */
function isJson(contentType: string | null): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
}

/** Whether a body is said to come in another form than its own, which none may (decisions §1). */
function isEncoded(contentEncoding: string | null): boolean {
  return contentEncoding !== null && contentEncoding.trim().toLowerCase() !== 'identity'
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Bytes of UTF-8 as text. Throws `invalid`, naming `place`. */
export function decode(bytes: Uint8Array, place = 'body'): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid(place, rule('body_utf8'))
  }
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid(place, rule('body_json'))
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
function findTrap(value: unknown): { inside: string[]; rule: Rule } | null {
  if (typeof value === 'string') {
    return value.isWellFormed() ? null : { inside: [], rule: rule('surrogate') }
  }
  if (typeof value !== 'object' || value === null) return null
  return Array.isArray(value) ? findTrapInList(value) : findTrapInObject(value)
}

/** By the number: a list of its entries would take seconds for a million of them. */
function findTrapInList(list: readonly unknown[]): ReturnType<typeof findTrap> {
  for (let index = 0; index < list.length; index++) {
    const trap = findTrap(list[index])
    if (!trap) continue
    trap.inside.unshift(`[${index}]`)
    return trap
  }
  return null
}

function findTrapInObject(object: object): ReturnType<typeof findTrap> {
  for (const [name, member] of Object.entries(object)) {
    const trap = TRAPS.includes(name) ? { inside: [], rule: rule('unknown_field') } : findTrap(member)
    if (!trap) continue
    trap.inside.unshift(`.${name}`)
    return trap
  }
  return null
}

/**
 * Counts brackets and colons outside of strings: the parser survives 400,000 levels and as many keys, what comes after
 * it does not.
 */
function checkShape(text: string, maxKeys: number, place: string): void {
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
      if (++depth > MAX_DEPTH) throw invalid(place, rule('body_depth', { most: MAX_DEPTH }))
    } else if (char === 125 || char === 93) depth--
    else if (char === 58 && ++keys > maxKeys) throw invalid(place, rule('body_keys', { most: maxKeys }))
  }
}
