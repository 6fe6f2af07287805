import { AppError, UserError } from '../../errors.ts'
import { isDamage } from '../damage.ts'

/** When to come again after the database could not be used, in seconds. */
const RETRY_AFTER = 2

const CONFLICTS = new Set([
  // serialization_failure, deadlock_detected
  '40001',
  '40P01',
  // unique_violation: work asks before it writes, so somebody else was quicker.
  '23505',
])

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code)
}

/** That the database server's own tools are missing here, or older than it. */
export class NoTools extends UserError {}

/** Whether transactions got into each other's way: run again, this one may well succeed. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error))
}

/** Whether a statement was refused because one before it had failed. */
export function isAfterFailure(error: unknown): boolean {
  return codeOf(error) === '25P02'
}

/** Whether the server could not be reached, went away, or is starting or stopping. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  return (
    /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_)/.test(code) ||
    /^(08...|57P0[1-3]|53300|25006|25P03)$/.test(code)
  )
}

/** That the connection is gone on which something was under way. */
export function connectionLost(): Error {
  return Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' })
}

/** What to do where a pooler stands between us and the server. */
export const NO_POOLER =
  'leads to a pooler that does not pass settings of a session on (PgBouncer does not): connect to PostgreSQL itself'

/**
 * What an administrator is told of a server that cannot be reached or lets nobody in; else the error itself. Nothing of
 * the URL is in it: it holds a password.
 */
export function explainUnreachable(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: string }
  if (/unsupported startup parameter/.test(message ?? '')) return new UserError(`FRONTDESK_DATABASE_URL: ${NO_POOLER}`)
  if (!isConnectionLost(error) && !/^(28|3D)/.test(String(code))) return error
  return new UserError(`FRONTDESK_DATABASE_URL: ${message || code}`)
}

/** A lost connection for the log, where the answer to a COMMIT was lost with it: what it was about may be stored, or not. */
export function uncertain(error: unknown): Error {
  const { code, message } = error as { code?: unknown; message?: string }
  return Object.assign(new Error(`whether a change was stored is not known: ${message}`), { code })
}

/** Whether the server has no room or a failing disk. */
function isStorageFault(error: unknown): boolean {
  return /^(53[124]00|58030|53100)$/.test(codeOf(error))
}

/** Whether others kept a statement waiting for longer than it may: lock_not_available, query_canceled. */
function isKeptWaiting(error: unknown): boolean {
  return /^(55P03|57014)$/.test(codeOf(error))
}

/** Whether a statement took longer than it may: query_canceled. */
export function isTakingTooLong(error: unknown): boolean {
  return codeOf(error) === '57014'
}

/** What an operation is told of the error: that the database cannot be used now, or the error itself. */
export function explained(error: unknown): unknown {
  if (isConnectionLost(error)) return unavailable('The database cannot be reached at the moment.', error)
  if (isKeptWaiting(error)) return unavailable('The database is busy with something else at the moment.', error)
  if (isDamage(error)) return unavailable('The data that this needs is damaged.', error)
  if (isStorageFault(error)) return unavailable('Nothing can be stored at the moment, and nothing was changed.', error)
  return error
}

/** `unavailable`, with its cause for the log. */
export function unavailable(message: string, cause?: unknown): AppError {
  return Object.assign(new AppError('unavailable', message, { retryAfter: RETRY_AFTER }), { cause })
}
