import { startAnswer } from './answer.ts'
import { startCanned } from './canned.ts'
import { startNaming } from './naming.ts'
import { noteRead } from './read.ts'
import { watchPending } from './thread.ts'

/** Begins what a ticket does that is shown now, until `signal` ends it. */
export function startTicket(signal: AbortSignal): void {
  startAnswer(signal)
  startCanned()
  startNaming()
  noteRead(signal)
  watchPending(signal)
}
