import { startAnswer } from './answer.ts'
import { startCanned } from './canned.ts'
import { noteRead } from './read.ts'
import { watchPending } from './thread.ts'

/** Begins what a ticket does that is shown now, until `signal` ends it. */
export function startTicket(signal: AbortSignal): void {
  startAnswer(signal)
  startCanned()
  noteRead(signal)
  watchPending(signal)
}
