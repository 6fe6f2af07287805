import { isDamage, isStorageFault } from '../../../db/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { isDiskFault } from '../../../lib/disk/disk.ts'

/** Whether it is nothing about the mail that keeps it from being stored. */
export function isTemporary(error: unknown): boolean {
  return (
    (error instanceof AppError && error.code === 'unavailable') ||
    isStorageFault(error) ||
    isDiskFault(error) ||
    isDamage(error)
  )
}

/** What whoever offered a mail is told when it could not be stored; the log gets to see why. */
export function asUnavailable(deps: Pick<Deps, 'log'>, error: unknown): AppError {
  if (error instanceof AppError && error.code === 'unavailable') return error
  deps.log.error('a mail could not be stored', { error })
  const message = 'nothing can be stored at the moment, and nothing was changed: try again later'
  return Object.assign(new AppError('unavailable', message, { retryAfter: 10 }), { cause: error })
}
