import { expect } from 'bun:test'

/** A message of a stream of events. */
export interface Told {
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of any shape
  data: any
  id?: string
}

/**
 * What a stream of events says, message by message, however its bytes come: one in parts, several at once, or after a beat
 * of a stream that has been quiet.
 */
export function messagesOf({ body, headers }: Response) {
  if (!body || headers.get('content-type') !== 'text/event-stream; charset=utf-8') throw new Error('it is no stream')
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const waiting: Told[] = []
  /** What has come of the next message. */
  let begun = ''
  /** After how many milliseconds a browser asks again. */
  let retry: string | undefined

  /** Null once the stream has ended. */
  async function next(): Promise<Told | null> {
    for (;;) {
      const told = waiting.shift()
      if (told) return told
      const { value, done } = await reader.read()
      if (done) return null
      const blocks = (begun + decoder.decode(value, { stream: true })).split('\n\n')
      begun = blocks.pop() as string
      for (const block of blocks) {
        const fields = Object.fromEntries(
          [...block.matchAll(/^(\w+): (.*)$/gm)].map(([, name, text]) => [name as string, text as string]),
        )
        retry = fields.retry ?? retry
        if (fields.event) waiting.push({ ...fields, event: fields.event, data: JSON.parse(fields.data ?? '{}') })
      }
    }
  }

  /** All that comes up to what `is` says, which is the last. Throws where the stream ends before. */
  async function upTo(is: (told: Told) => boolean): Promise<Told[]> {
    for (const heard: Told[] = []; ; ) {
      const told = await next()
      if (!told) throw new Error(`the stream has ended, after ${JSON.stringify(heard)}`)
      heard.push(told)
      if (is(told)) return heard
    }
  }

  return {
    next,
    upTo,
    /** All that comes until it ends. */
    async rest(): Promise<Told[]> {
      const heard: Told[] = []
      for (let told = await next(); told; told = await next()) heard.push(told)
      return heard
    },
    /** What comes as it begins, up to where nothing is missed any more. */
    async untilBegun(): Promise<Told[]> {
      const heard = await upTo(({ event }) => event === 'begun')
      expect(retry).toBe('2000')
      return heard
    },
    close: () => reader.cancel(),
  }
}
