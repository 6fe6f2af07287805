import type { Subject } from '../../kinds/subjects.ts'

/** The record that an event is about. */
export interface About {
  readonly subject: Subject
  readonly id: string
  /** The message that the event tells of, if it tells of one. */
  readonly messageId: string | null
}
