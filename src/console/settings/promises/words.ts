import type { PromiseKind } from '../../../kinds/promises.ts'

/** Which words stand for what is promised. */
export const kindWords = {
  firstAnswer: 'promise_firstAnswer',
  nextAnswer: 'promise_nextAnswer',
  close: 'promise_close',
} as const satisfies Record<PromiseKind, string>
