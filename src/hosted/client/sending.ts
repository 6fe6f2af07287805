import { writeSize } from '../../lib/amounts.ts'
import type { Memory } from './memory.ts'
import { locale, type PlainWord, say } from './words.ts'

/** What became of a save. */
export type Outcome =
  | { kind: 'saved' }
  | { kind: 'sent' }
  | { kind: 'refused'; message: string }
  | { kind: 'closed' }
  | { kind: 'unreachable' }

export interface Submission {
  answers: { questionId: number; value: unknown }[]
  complete: boolean
  page: { token: string; website: string }
}

/** Of one file, in bytes; the server's limit. */
export const MAX_SIZE = 10 * 1024 * 1024

/** The longest time that a refusal for going too fast is waited out, in seconds. */
const PATIENCE = 90

/**
 * Saves answers through the collection API (decisions §6). A response is begun once, whatever happens to the
 * connection: a request without an answer is repeated under its Idempotency-Key until there is one.
 */
export function sender(
  { path, hiddenFields }: { path: string; hiddenFields: object | undefined },
  memory: Memory,
  store: () => void,
  onWait: (seconds: number) => void,
) {
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

  async function begin(answers: string): Promise<Response | null> {
    // What was begun with, and is repeated, keeps its hidden fields, whatever the address is by then.
    const body = JSON.stringify({ hiddenFields, ...JSON.parse(answers) })
    if (memory.pending && memory.pending.body !== body) {
      const earlier = memory.pending.body
      const answer = await begin(earlier)
      if (!answer || answer.status >= 500) return answer
      // The response is there now, if the earlier answers were good.
      return memory.response ? goOn(answers) : begin(answers)
    }
    memory.pending ??= { key: newKey(), body }
    store()
    const answer = await call('POST', `${path}/responses`, body, memory.pending.key)
    if (!answer || answer.status >= 500) return answer
    memory.pending = null
    if (answer.ok) {
      const { id, resumeToken } = (await answer.clone().json()) as { id: string; resumeToken: string }
      memory.response = { id, resumeToken }
    }
    store()
    return answer
  }

  async function goOn(body: string): Promise<Response | null> {
    if (!memory.response) return begin(body)
    const { id, resumeToken } = memory.response
    const answer = await call('PUT', `${path}/responses/${id}`, JSON.stringify({ ...JSON.parse(body), resumeToken }))
    if (answer?.status !== 404) return answer
    // Either the form has closed, which beginning again will tell, or the response is gone.
    const own = memory.response
    memory.response = null
    const again = await begin(body)
    // It may be opened again.
    if (again?.status === 404) memory.response = own
    store()
    return again
  }

  return async function save(submission: Submission): Promise<Outcome> {
    const answer = await goOn(JSON.stringify(submission))
    if (!answer || answer.status >= 500 || answer.status === 429) return { kind: 'unreachable' }
    if (answer.ok) return { kind: 'saved' }
    // Complete already: in another tab, or an answer that got lost on its way had said so.
    if (answer.status === 409) return { kind: 'sent' }
    if (answer.status === 404) return { kind: 'closed' }
    const { message } = (await answer.json().catch(() => ({ message: '' }))) as { message: string }
    return { kind: 'refused', message }
  }
}

/** 128 random bits. `crypto.randomUUID` is missing where a form is served without TLS. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Sends one file. Resolves with its upload id; rejects with a sentence for people. */
export function sendFile(path: string, file: Blob, name: string, onProgress: (part: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
    request.onload = () => {
      if (request.status === 201) resolve(JSON.parse(request.responseText).uploadId)
      else if (request.status === 413) reject(tooLarge(name))
      else reject(say(refusals[request.status] ?? 'fileNotSent'))
    }
    request.onerror = () => reject(say('fileNoConnection'))
    const body = new FormData()
    body.set('file', file, name)
    request.open('POST', `${path}/uploads`)
    request.send(body)
  })
}

/** What is said of a file above the limit. */
export function tooLarge(file: string): string {
  return say('fileTooLarge', { file, size: writeSize(MAX_SIZE, locale) })
}

const refusals: Record<number, PlainWord> = {
  404: 'closed',
  429: 'tooManyFiles',
}
