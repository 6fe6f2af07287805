import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { notFound } from '../errors.ts'
import type { FormDraft } from './drafts.ts'
import { type Edited, edit, put } from './editing.ts'
import type { End, Variable } from './logic/model.ts'

/* Changes to what a draft works out and to how it ends, as `editing.ts` does with its questions. Ends count from 0. */

/** Replaces the variables. */
export async function changeVariables(
  tx: Tx,
  caller: Caller,
  edited: Edited,
  variables: readonly Variable[],
): Promise<FormDraft> {
  return edit(tx, caller, edited, 'variables changed', (sketch) => {
    sketch.variables = [...variables]
  })
}

/** A new end, behind the others. */
export async function addEnd(tx: Tx, caller: Caller, edited: Edited, end: End): Promise<FormDraft> {
  return edit(tx, caller, edited, 'end added', ({ ends }) => put(ends, end))
}

export async function changeEnd(tx: Tx, caller: Caller, edited: Edited, index: number, end: End): Promise<FormDraft> {
  return edit(tx, caller, edited, `end ${index + 1} changed`, ({ ends }) => {
    endAt(ends, index)
    ends[index] = end
  })
}

/** `at` is its place among the others. */
export async function moveEnd(tx: Tx, caller: Caller, edited: Edited, index: number, at: number): Promise<FormDraft> {
  return edit(tx, caller, edited, `end ${index + 1} moved`, ({ ends }) => {
    const end = endAt(ends, index)
    ends.splice(index, 1)
    put(ends, end, at)
  })
}

export async function removeEnd(tx: Tx, caller: Caller, edited: Edited, index: number): Promise<FormDraft> {
  return edit(tx, caller, edited, `end ${index + 1} removed`, ({ ends }) => {
    endAt(ends, index)
    ends.splice(index, 1)
  })
}

function endAt(ends: readonly End[], index: number): End {
  const end = ends[index]
  if (!end) throw notFound('end')
  return end
}
