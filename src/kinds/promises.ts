import type { priorities } from './tickets.ts'

/** What is promised to a customer: a first answer, an answer to each later message, and that the ticket is closed. */
export const promiseKinds = ['firstAnswer', 'nextAnswer', 'close'] as const
export type PromiseKind = (typeof promiseKinds)[number]

/** How much working time each of it may take: `30m`, `4h`, `2d`. What is left out is not promised. */
export type Target = { readonly [K in PromiseKind]?: string }
export type Targets = { readonly [P in (typeof priorities)[number]]?: Target }

/** When a clock stood still: since an instant until another, or still. */
export type Pause = readonly [from: string, until: string | null]
