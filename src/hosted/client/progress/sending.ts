import type { Told } from '../../refused.ts'
import { newKey } from '../tools/new-key.ts'
import type { End } from './asked.ts'
import type { Memory } from './memory.ts'

/** What became of a save. */
export type Outcome =
  /** With the end that the server has chosen, where it said so. */
  | { kind: 'saved'; end: End | null }
  | { kind: 'refused'; told: Told | null }
  /** The response was completed before, elsewhere. */
  | { kind: 'sent' }
  | { kind: 'closed' }
  | { kind: 'unreachable' }

export interface Submission {
  answers: { questionId: number; value: unknown }[]
  complete: boolean
  /** What the respondent reads, where they can choose. */
  language: string | undefined
  page: { token: string; website: string }
}

/** The longest time that a refusal for going too fast is waited out, in seconds. */
const PATIENCE = 90

/**
 * Saves answers through the collection API (decisions §6). A response is started once, whatever happens to the
 * connection: a request without an answer is repeated under its Idempotency-Key until there is one.
 */
export function sender(
  { path, hiddenFields }: { path: string; hiddenFields: object | undefined },
  memory: Memory,
  store: () => void,
  onWait: (seconds: number) => void,
) {
  /** Begun on another page of the form. */
  const earlier = memory.response
  /** A completion was sent, and whether it arrived is not known. */
  let isInDoubt = false

  async function call(method: string, address: string, body: string, key?: string): Promise<Response | null> {
    for (;;) {
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      if (key) headers['idempotency-key'] = key
      const answer = await fetch(address, { method, body, headers, credentials: 'omit' }).catch(() => null)
      const wait = Number(answer?.headers.get('retry-after') ?? 0)
      if (answer?.status !== 429 || wait > PATIENCE) return answer
      onWait(wait)
      await new Promise((resolve) => setTimeout(resolve, wait * 1000))
    }
  }

  async function start(answers: string): Promise<Response | null> {
    // What was started with, and is repeated, keeps its hidden fields, whatever the address is by then.
    const body = JSON.stringify({ hiddenFields, ...JSON.parse(answers) })
    if (memory.pending && memory.pending.body !== body) {
      const earlier = memory.pending.body
      const answer = await start(earlier)
      if (!answer || answer.status >= 500) return answer
      // The response is there now, if the earlier answers were good.
      return memory.response ? resume(answers) : start(answers)
    }
    memory.pending ??= { key: newKey(), body }
    store()
    const answer = await call('POST', `${path}/responses`, body, memory.pending.key)
    if (!answer || answer.status >= 500) return answer
    memory.pending = null
    if (answer.ok) {
      const { id, resumeToken } = (await answer.clone().json()) as { id: string; resumeToken: string }
      memory.response = { id, resumeToken }
      memory.hiddenFields = JSON.parse(body).hiddenFields
    }
    store()
    return answer
  }

  async function resume(body: string): Promise<Response | null> {
    const { response } = memory
    if (!response) return start(body)
    const { id, resumeToken } = response
    const answer = await call('PUT', `${path}/responses/${id}`, JSON.stringify({ ...JSON.parse(body), resumeToken }))
    // It is asked what the form asked as it was begun, which may be other than what this page asks.
    const isOfEarlier = response === earlier && answer?.status === 400
    if (!isOfEarlier && answer?.status !== 404) return answer
    // Either that, or the form has closed, which beginning again will tell, or the response is gone.
    memory.response = null
    const started = await start(body)
    // Where it cannot be begun again, it is gone on with.
    memory.response ??= response
    store()
    return started
  }

  return async function save(submission: Submission): Promise<Outcome> {
    // A preview has nowhere to send to.
    if (path === '') return { kind: 'saved', end: null }
    const answer = await resume(JSON.stringify(submission))
    if (!answer || answer.status >= 500 || answer.status === 429) {
      isInDoubt ||= submission.complete
      return { kind: 'unreachable' }
    }
    // Complete already: an answer that got lost on its way had said so, or another tab was first.
    if (answer.status === 409) return isInDoubt ? { kind: 'saved', end: null } : { kind: 'sent' }
    if (answer.status === 404) return { kind: 'closed' }
    const said = (await answer.json().catch(() => ({}))) as End & Told
    // What comes at the end, where the server says so.
    if (answer.ok) return { kind: 'saved', end: submission.complete && 'redirect' in said ? said : null }
    return { kind: 'refused', told: said.word ? said : null }
  }
}
