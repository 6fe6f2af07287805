import { writeSize } from '../../../lib/language/amounts.ts'
import type { PlainWord } from '../../words/for-script.ts'
import { toolsFor } from './kit.ts'

const { locale, say } = toolsFor('signature')

/** Of one file, in bytes; the server's limit. */
export const MAX_SIZE = 10 * 1024 * 1024

/** How long nothing of a file may get through before the connection is taken for lost, in milliseconds. */
const STALLED = 30_000

/** Why a file could not be sent. */
export interface UploadProblem {
  /** For people. */
  readonly message: string
  /** Whether the same file may get through later. */
  readonly mayRetry: boolean
}

/** A file to be sent. */
interface FileContent {
  readonly content: Blob
  readonly name: string
  /** Its Idempotency-Key: sent again under it, after a connection was lost, the file is stored once. */
  readonly key: string
}

/**
 * Sends one file. Resolves with its upload id, or with null when `signal` stopped it; rejects with an `UploadProblem`.
 */
export function sendFile(
  path: string,
  { content, name, key }: FileContent,
  { onProgress, signal }: { onProgress?: (part: number) => void; signal?: AbortSignal } = {},
): Promise<string | null> {
  // A preview has nowhere to send to.
  if (path === '') return Promise.resolve('preview')
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (word: Parameters<typeof say>[0] & PlainWord) =>
      reject({ message: say(word), mayRetry: true } satisfies UploadProblem)
    const lose = () => {
      request.abort()
      fail('fileNoConnection')
    }
    let watch = setTimeout(lose, STALLED)
    request.upload.onprogress = ({ loaded, total }) => {
      clearTimeout(watch)
      watch = setTimeout(lose, STALLED)
      onProgress?.(total ? loaded / total : 0)
    }
    request.onload = () => {
      const { status, responseText } = request
      if (status === 201) resolve(JSON.parse(responseText).uploadId)
      else if (status === 413) reject({ message: tooLarge(name), mayRetry: false } satisfies UploadProblem)
      else if (status === 404) reject({ message: say('closed'), mayRetry: false } satisfies UploadProblem)
      else fail(status === 429 ? 'tooManyFiles' : 'fileNotSent')
    }
    request.onerror = () => fail('fileNoConnection')
    request.onloadend = () => clearTimeout(watch)
    signal?.addEventListener('abort', () => {
      request.abort()
      resolve(null)
    })
    const body = new FormData()
    body.set('file', content, name)
    request.open('POST', `${path}/uploads`)
    request.setRequestHeader('idempotency-key', key)
    request.send(body)
  })
}

/** What is said of a file above the limit. */
export function tooLarge(file: string): string {
  return say('fileTooLarge', { file, size: writeSize(MAX_SIZE, locale) })
}
