import { FOLLOWS, type FromSuccessor } from './messages.ts'

/** The service that this process follows, and that started it. */
export interface Predecessor {
  /** Resolves once it is gone, however it ended. */
  readonly gone: Promise<void>
  tell(message: FromSuccessor): void
}

/** Whom this process follows; null where it was started by hand. To be asked once, at the start. */
export function findPredecessor(environment: NodeJS.ProcessEnv = process.env): Predecessor | null {
  const pid = environment[FOLLOWS]
  delete environment[FOLLOWS]
  // Whoever else started us may have said so by mistake, or for a service of its own.
  if (pid !== String(process.ppid) || !process.send) return null
  const gone = Promise.withResolvers<void>()
  process.on('disconnect', () => gone.resolve())
  return {
    gone: gone.promise,
    tell(message) {
      if (process.connected) process.send?.(message)
    },
  }
}
