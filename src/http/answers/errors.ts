import { NotFoundError, ValidationError } from 'elysia'
import { isDamage, isStorageFault } from '../../db/index.ts'
import { AppError, type ErrorCode, RuleError } from '../../errors.ts'
import { NoRoom } from '../../files/room.ts'
import { isDiskFault } from '../../lib/disk/disk.ts'
import type { Parts } from '../../parts.ts'
import type { RequestContext } from '../context.ts'
import { explain } from '../requests/validation.ts'

/** The one translation of the error vocabulary to HTTP (api.md §7). */
const statuses: Record<ErrorCode, number> = {
  invalid_request: 400,
  too_large: 413,
  unauthorized: 401,
  insufficient_scope: 403,
  not_found: 404,
  conflict: 409,
  unprocessable: 422,
  unprocessable_entity: 422,
  delivery_failed: 502,
  too_soon: 429,
  unavailable: 503,
}

/** What a fault of ours is called. */
const INTERNAL_ERROR = 'internal_error'

/** The status an AppError is answered with. */
export function statusOf(error: AppError): number {
  return statuses[error.code]
}

/** What programs are told of an AppError: with the place that its message names, where it names one. */
export function problemOf(error: AppError) {
  const param = error instanceof RuleError && error.place !== '' ? { param: error.place } : {}
  return { error: wordOf(error.code), message: error.message, ...error.details, ...param }
}

/** The JSON body of an AppError, of a request of this id. */
export function bodyOf(error: AppError, requestId: string): Record<string, unknown> {
  return { ...problemOf(error), requestId }
}

/** What programs read of a code. A body over the limit is `invalid_request` too (decisions §1). */
function wordOf(code: ErrorCode): string {
  return code === 'too_large' ? 'invalid_request' : code
}

/** Every word that `error` can be, with the statuses it comes with; 401 and 429 have no body. For the OpenAPI document. */
export function errorWords(): { word: string; status: number }[] {
  const codes = (Object.keys(statuses) as ErrorCode[]).filter((code) => ![401, 429].includes(statuses[code]))
  return [
    ...codes.map((code) => ({ word: wordOf(code), status: statuses[code] })),
    { word: INTERNAL_ERROR, status: 500 },
  ]
}

/** Milliseconds for which one line in the log stands for all that cannot be stored. */
const QUIET = 1000
/** Seconds after which it is worth trying again to store something. */
const RETRY_AFTER = 10

/**
 * How a service turns whatever was thrown into an answer. Branches on the class only: Elysia's `code` repeats the
 * `.code` of any error, a database's too. What is not ours to explain is a 500 that reveals nothing, and a line in the
 * log. While nothing can be stored (decisions §1) the answer is a 503, and one line a second stands for all of them,
 * their own lines included: the log may well lie on the same disk.
 */
export function errorAnswers({ log, clock }: Pick<Parts, 'log' | 'clock'>) {
  let quietUntil = Number.NEGATIVE_INFINITY
  let unreported = 0

  function report(error: unknown, context: RequestContext | undefined): void {
    if (context) context.isLogged = true
    const now = clock.monotonic()
    if (now < quietUntil) {
      unreported++
      return
    }
    log.error('a request was refused for now', { error, path: context?.path, notLogged: unreported })
    quietUntil = now + QUIET
    unreported = 0
  }

  return function answerError(error: unknown, context: RequestContext | undefined): Response {
    const known = asAppError(error)
    const requestId = context?.requestId ?? ''
    if (context && known instanceof NoRoom) context.refused = 'no_room'
    if (known?.code === 'unauthorized') return new Response(null, { status: 401 })
    if (known?.code === 'too_soon') return new Response(null, { status: 429, headers: retryAfter(known) })
    if (known?.code === 'unavailable') {
      report(error, context)
      const { code, message } = known
      return Response.json({ error: code, message, requestId }, { status: 503, headers: retryAfter(known) })
    }
    if (known) return Response.json(bodyOf(known, requestId), { status: statusOf(known) })
    log.error('request failed', { error: unwrapped(error), requestId })
    const message = `Something went wrong on our side. Quote request ${requestId}.`
    return Response.json({ error: INTERNAL_ERROR, message, requestId }, { status: 500 })
  }
}

function nothingStored(): AppError {
  const message = 'nothing can be stored at the moment, and nothing was changed: try again later'
  return new AppError('unavailable', message, { retryAfter: RETRY_AFTER })
}

function damaged(): AppError {
  const message = 'the data that this needs is damaged, and nothing was changed: its administrator has to restore it'
  return new AppError('unavailable', message, { retryAfter: RETRY_AFTER })
}

function retryAfter({ details }: AppError): Record<string, string> {
  return { 'retry-after': String(details.retryAfter) }
}

function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  if (isStorageFault(error) || isDiskFault(error)) return nothingStored()
  if (isDamage(error)) return damaged()
  if (error instanceof NotFoundError) return new AppError('not_found', 'no such path')
  if (error instanceof ValidationError && error.type !== 'response') return explain(error)
  return null
}

/** A response that breaks its own schema is our fault; its message holds the data, so only the place is logged. */
function unwrapped(error: unknown): unknown {
  if (!(error instanceof ValidationError)) return error
  const first = error.all[0] as { path?: string; message?: string } | undefined
  return new Error(`the answer breaks its schema at ${first?.path ?? '/'}: ${first?.message ?? 'unknown'}`)
}
