import { html, type Insert } from '../../../../lib/html/markup.ts'
import { icons } from '../../../icons.ts'
import type { View } from '../../../visit.ts'
import type { ConsoleWords } from '../../../words/index.ts'

/** What is said of something that nobody ever comes to see. */
export type Warning = keyof ConsoleWords & `logicNever${string}`

/** By the ids of questions and pages, and by the places of ends, from 0. */
export interface Warnings {
  readonly questions: ReadonlyMap<number, Warning>
  readonly pages: ReadonlyMap<number, Warning>
  readonly ends: ReadonlyMap<number, Warning>
}

/** A warning beside what it is about. */
export function warned({ wording: { say } }: View, warning: Warning | undefined): Insert {
  if (warning === undefined) return false
  return html` <span class="warned">${icons.alert}<span>${say(warning)}</span></span>`
}
