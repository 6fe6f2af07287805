import { NotFoundError, ValidationError } from 'elysia'
import { isStorageFault } from '../db/index.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { Log } from '../lib/log.ts'
import { explain } from './validation.ts'

/** The one translation of the error vocabulary to HTTP (api.md §7). */
const statuses: Record<ErrorCode, number> = {
  invalid_request: 400,
  too_large: 413,
  insufficient_scope: 403,
  not_found: 404,
  conflict: 409,
  unprocessable: 422,
  unprocessable_entity: 422,
  delivery_failed: 502,
  too_soon: 429,
  unavailable: 503,
}

/** The status an AppError is answered with. */
export function statusOf(error: AppError): number {
  return statuses[error.code]
}

/** The JSON body of an AppError. A body over the limit is `invalid_request` too (decisions §1). */
export function bodyOf(error: AppError): Record<string, unknown> {
  const code = error.code === 'too_large' ? 'invalid_request' : error.code
  return { error: code, message: error.message, ...error.details }
}

/**
 * Turns whatever was thrown into an answer. Branches on the class only: Elysia's `code` repeats the `.code` of any
 * error, a database's too. What is not ours to explain is a 500 that reveals nothing, and a line in the log.
 */
export function answerError(error: unknown, log: Log, requestId: string): Response {
  const known = asAppError(error)
  if (known?.code === 'too_soon') {
    return new Response(null, { status: 429, headers: { 'retry-after': String(known.details.retryAfter) } })
  }
  if (known?.code === 'unavailable') {
    const { retryAfter } = known.details
    const body = { error: known.code, message: known.message }
    return Response.json(body, { status: 503, headers: { 'retry-after': String(retryAfter) } })
  }
  if (known) return Response.json(bodyOf(known), { status: statusOf(known) })
  log.error('request failed', { error: unwrapped(error), requestId })
  const what = isStorageFault(error)
    ? 'Nothing can be stored at the moment, and nothing was changed.'
    : 'Something went wrong on our side.'
  return Response.json({ error: 'internal_error', message: `${what} Quote request ${requestId}.` }, { status: 500 })
}

function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error
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
