import { AsyncLocalStorage } from 'node:async_hooks'

/** What the one thread of the process works at: a request, a job, a connection. */
export interface Activity {
  /** For the log: nothing that a stranger wrote. Asked when there is something to say. */
  readonly name: string
}

/** Who is told when the thread goes from one activity to another. Times are those of `performance.now()`. */
export interface ThreadWatch {
  /** From `now` on the thread is at `activity`. */
  began(activity: Activity, now: number): void
  /** Up to `now` it was at `activity`, and may still be. */
  worked(activity: Activity | null, now: number): void
  /** Up to `now` it was at `activity`, which is over. */
  ended(activity: Activity, now: number): void
}

/** Marks closer together than this are one, in milliseconds: statements are many and short. */
const MARGIN = 2

const context = new AsyncLocalStorage<Activity>()
let watch: ThreadWatch | null = null
let marked = 0

/** Has `next` watch the thread, of which a process has one; null: nobody. Returns who did before. */
export function watchThread(next: ThreadWatch | null): ThreadWatch | null {
  const before = watch
  watch = next
  return before
}

/** Runs `work` as part of an activity, to which what follows from it belongs too. Costs next to nothing while nobody watches. */
export function during<T>(activity: Activity, work: () => T, now = performance.now()): T {
  if (watch === null) return work()
  watch.began(activity, now)
  return context.run(activity, work)
}

/** As `during`, of work that says when it is over. */
export async function duringAll<T>(activity: Activity, work: () => Promise<T>): Promise<T> {
  try {
    return await during(activity, work)
  } finally {
    ended(activity, performance.now())
  }
}

/** The thread has been at the activity that this belongs to until now: for whoever has just done something that can take long. */
export function worked(now: number): void {
  if (watch === null || now - marked < MARGIN) return
  marked = now
  watch.worked(context.getStore() ?? null, now)
}

/** An activity is over. */
export function ended(activity: Activity, now: number): void {
  watch?.ended(activity, now)
}

/** What this belongs to, for the log; undefined while nobody watches. */
export function currentActivity(): string | undefined {
  return context.getStore()?.name
}
