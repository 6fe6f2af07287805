import type { TestApp, TestTenant } from '../app.ts'
import { PATIENCE } from '../patience.ts'
import { createTestSource } from './articles.ts'

export interface TestVisitor {
  visitorId: string
  token: string
}

/** What arrives at a chat's socket: a frame, or why it was closed. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into frames of any shape
export type Frame = any

/** The chat of a source, or of a new one of the tenant, as a visitor's browser uses it. */
export async function openChat(app: TestApp, of: TestTenant | string) {
  const source = typeof of === 'string' ? of : (await createTestSource(of)).id
  const path = `/chat/${source}`
  const call = (
    method: string,
    under: string,
    token?: string | null,
    body?: unknown,
    headers: Record<string, string> = {},
  ) =>
    app.request(method, path + under, {
      key: token ?? null,
      headers,
      ...(body === undefined ? {} : { body }),
    })

  return {
    sourceId: source,
    path,
    call,
    async visitor(input: object = {}): Promise<TestVisitor> {
      const { status, body, text } = await call('POST', '/visitors', null, input)
      if (status !== 201) throw new Error(text)
      return body
    },
    start: (token: string | null, text = 'Where is my order?') => call('POST', '/conversations', token, { text }),
    conversations: (token: string) => call('GET', '/conversations', token),
    write: (token: string, id: string, body: object) => call('POST', `/conversations/${id}/messages`, token, body),
    read: (token: string, id: string, after?: string) =>
      call('GET', `/conversations/${id}/messages${after === undefined ? '' : `?after=${after}`}`, token),
    connect: (token?: string, headers: Record<string, string> = {}) => connect(app.url + path, token, headers),
  }
}

/** An open socket that keeps what it was sent. With a token, that is the first frame. */
export async function connect(chatUrl: string, token?: string, headers: Record<string, string> = {}) {
  const url = `${chatUrl.replace(/^http/, 'ws')}/socket`
  // Bun's takes headers, which browsers set themselves.
  const socket = new WebSocket(url, { headers } as unknown as string[])
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const look of waiting) look()
  }
  let closed: { code: number; reason: string } | null = null
  socket.onmessage = ({ data }) => {
    frames.push(JSON.parse(String(data)))
    wake()
  }
  socket.onclose = ({ code, reason }) => {
    closed = { code, reason }
    wake()
  }

  /** Resolves with what `find` finds in what has come or comes. */
  function until<T>(find: () => T | null | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look)
        reject(new Error(`nothing came but ${JSON.stringify({ frames, closed })}`))
      }, PATIENCE)
      const look = () => {
        const found = find()
        if (found === null || found === undefined) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  }

  const opened = new Promise<boolean>((resolve) => {
    socket.onopen = () => resolve(true)
    socket.onerror = () => resolve(false)
  })
  const isOpen = await opened
  const send = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  const next = (matches: (frame: Frame) => boolean) => until(() => frames.find(matches))
  if (isOpen && token !== undefined) send({ token })
  return {
    isOpen,
    frames,
    send,
    next,
    /** Resolves once what was sent has been looked at, the token too: from here on this socket is told what happens. */
    async listening(): Promise<void> {
      send('{')
      const complaint = await next(({ message }) => message === 'frame: must be JSON as text')
      frames.splice(frames.indexOf(complaint), 1)
    },
    closed: () => until(() => closed),
    close: () => socket.close(),
    socket,
  }
}
