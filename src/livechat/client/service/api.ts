import type { Answer } from './answers.ts'
import { type SendFile, sendFile } from './uploading.ts'

/* What is asked of the service (decisions §13), and how answers that never came show. */

export interface ChatMessage {
  readonly id: string
  readonly conversationId: string
  readonly direction: 'inbound' | 'outbound'
  readonly author: { readonly type: string; readonly name: string | null }
  readonly text: string
  readonly html: string
  /** Missing from a service of an earlier version, which another node may still be. */
  readonly attachments?: readonly ChatFile[]
  readonly createdAt: string
}

export interface ChatFile {
  readonly id: string
  readonly fileName: string
  readonly contentType: string
  readonly size: number
}

/** What a visitor says: words, and files that the service has already. */
export interface Said {
  readonly text: string
  readonly files: readonly ChatFile[]
}

/** A service of an earlier version, which another node may still be, takes no files. */
const bodyOf = ({ text, files }: Said) => (files.length === 0 ? { text } : { text, uploads: files.map(({ id }) => id) })

export interface Conversation {
  readonly id: string
  readonly status: 'open' | 'closed'
  readonly lastMessage: ChatMessage | null
  readonly updatedAt: string
}

export interface Passage {
  readonly slug: string
  readonly title: string
  readonly excerpt: string
  readonly url: string
}

export interface Asked {
  readonly passages: readonly Passage[]
  readonly answer: { readonly text: string; readonly slugs: readonly string[] } | null
}

/** How long an answer is waited for, in milliseconds. */
const PATIENCE = 20_000
/** Of an answer that a language model writes. */
const LONG_PATIENCE = 30_000

/** The service's part for the chat at `path`; `token` says who asks. */
export function service(path: string, token: () => string | null) {
  async function call<T>(method: string, rest: string, body?: object, patience = PATIENCE): Promise<Answer<T>> {
    const known = token()
    try {
      const response = await fetch(path + rest, {
        method,
        headers: {
          ...(known === null ? {} : { authorization: `Bearer ${known}` }),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(patience),
        credentials: 'omit',
        cache: 'no-store',
      })
      if (response.ok) return { kind: 'ok', body: (await response.json()) as T }
      if (response.status === 401) return { kind: 'stranger' }
      if (response.status === 404) return { kind: 'gone' }
      if (response.status < 500 && response.status !== 429 && response.status !== 408) {
        const { message = '' } = (await response.json().catch(() => ({}))) as { message?: string }
        return { kind: 'refused', message }
      }
      const seconds = Number(response.headers.get('retry-after'))
      return { kind: 'unreachable', isBusy: response.status === 429, wait: seconds > 0 ? seconds * 1000 : 0 }
    } catch {
      return { kind: 'unreachable', isBusy: false, wait: 0 }
    }
  }

  /** The content of a file; null where it cannot be had. */
  async function file(id: string): Promise<Blob | null> {
    try {
      const response = await fetch(`${path}/attachments/${id}`, {
        headers: { authorization: `Bearer ${token()}` },
        credentials: 'omit',
      })
      return response.ok ? await response.blob() : null
    } catch {
      return null
    }
  }

  const send: SendFile = async (content, sending) => {
    const known = token()
    return known === null ? { kind: 'stranger' } : sendFile(path, known, content, sending)
  }

  type Items<T> = { items: T[] }
  const messagesOf = (id: string) => `/conversations/${encodeURIComponent(id)}/messages`

  return {
    file,
    send,
    createVisitor: (visitor: { name?: string; email?: string; identity?: string }) =>
      call<{ visitorId: string; token: string }>('POST', '/visitors', visitor),
    conversations: () => call<Items<Conversation>>('GET', '/conversations'),
    begin: (said: Said) =>
      call<{ conversationId: string; message: ChatMessage }>('POST', '/conversations', bodyOf(said)),
    messages: (id: string, after: string | undefined) =>
      call<Items<ChatMessage>>('GET', messagesOf(id) + (after ? `?after=${after}` : '')),
    write: (id: string, said: Said, clientId: string) =>
      call<ChatMessage>('POST', messagesOf(id), { ...bodyOf(said), clientId }),
    ask: (question: string) => call<Asked>('POST', '/ask', { question }, LONG_PATIENCE),
  }
}

export type Service = ReturnType<typeof service>
