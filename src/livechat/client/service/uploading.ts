import type { Answer } from './answers.ts'

/** How long nothing of a file may get through before the connection is taken for lost, in milliseconds. */
const STALLED = 30_000

interface Sending {
  readonly key: string
  readonly signal: AbortSignal
  /** How much of it has gone out, from 0 to 1. */
  readonly onProgress: (part: number) => void
}

/** Sends a file to the service. */
export type SendFile = (file: File, sending: Sending) => Promise<Answer<{ uploadId: string }>>

const lost = { kind: 'unreachable', isBusy: false, wait: 0 } as const

/** Sends a file to the chat at `path` as whoever has `token`; `fetch` would not say how far it is. */
export function sendFile(
  path: string,
  token: string,
  file: File,
  { key, signal, onProgress }: Sending,
): ReturnType<SendFile> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const lose = () => request.abort()
    let watch = setTimeout(lose, STALLED)
    request.upload.onprogress = ({ loaded, total }) => {
      clearTimeout(watch)
      watch = setTimeout(lose, STALLED)
      onProgress(total ? loaded / total : 0)
    }
    request.onload = () => resolve(answerOf(request))
    request.onloadend = () => {
      clearTimeout(watch)
      resolve(lost)
    }
    signal.addEventListener('abort', lose)
    const body = new FormData()
    body.set('file', file)
    request.open('POST', `${path}/uploads`)
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('idempotency-key', key)
    request.send(body)
  })
}

function answerOf({ status, responseText }: XMLHttpRequest): Answer<{ uploadId: string }> {
  if (status === 201) return { kind: 'ok', body: JSON.parse(responseText) as { uploadId: string } }
  if (status === 401) return { kind: 'stranger' }
  if (status >= 500 || status === 429) return { ...lost, isBusy: status === 429 }
  return { kind: 'refused', message: '' }
}
