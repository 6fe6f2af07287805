import type { ParseResult } from './parsed-mail.ts'
import { type MailHead, readMail } from './parsing/read-mail.ts'

/** What the worker tells, in this order: `ready` once, and for each mail, one after the other, its head and its result. */
export type WorkerReport = { ready: true } | { head: MailHead } | { result: ParseResult } | { failure: string }

declare const self: Worker

/** Reading waits for streams: without this the next mail would overtake the one before. */
let last: Promise<void> = Promise.resolve()

self.onmessage = ({ data }: MessageEvent<Uint8Array>) => {
  last = last.then(() => parse(data))
}

async function parse(data: Uint8Array): Promise<void> {
  try {
    const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    const result = await readMail(raw, (head) => report({ head }))
    report({ result }, 'mail' in result ? ownBytes(result) : [])
  } catch (error) {
    report({ failure: String(error) })
  }
}

/** Files change hands without being copied; each once, and only where nothing else shares their memory. */
function ownBytes({ mail }: Extract<ParseResult, { mail: unknown }>): ArrayBuffer[] {
  const owned = mail.attachments.flatMap(({ content }) => {
    const { buffer } = content
    return buffer instanceof ArrayBuffer && buffer.byteLength === content.byteLength ? [buffer] : []
  })
  return [...new Set(owned)]
}

function report(message: WorkerReport, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, transfer)
}

report({ ready: true })
