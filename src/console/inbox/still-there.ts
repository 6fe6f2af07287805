import { AppError } from '../../errors.ts'

/** Some may have been merged or deleted since the page was shown: the others are changed all the same. */
export async function isDone(work: () => Promise<unknown>): Promise<boolean> {
  return (await unlessGone(work)) !== null
}

/** What `work` returns; null where the ticket was merged or deleted since. */
export async function unlessGone<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'unprocessable')) return null
    throw error
  }
}
