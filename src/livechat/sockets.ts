import { callerFor, type VisitorPrincipal } from '../caller.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Client } from '../lib/network/client-address.ts'
import type { TicketChange } from '../live/ticket-changes.ts'
import type { VisitorPresence } from '../live/visitor-presence.ts'
import { forgetSeenMail } from '../tickets/chat-mails.ts'
import { findVisitor } from '../visitors/operations.ts'
import { readFrame, refusalFrame, type VisitorFrame } from './frames.ts'
import type { ChatMessage } from './model.ts'
import { writeMessage } from './operations.ts'
import {
  findFirstMessage,
  findNewestConversation,
  findVisitorOfTicket,
  readMessages,
  requireConversation,
} from './read.ts'
import { notePage, noteSeen } from './seen.ts'
import { ChatSocket, type SocketWorld } from './socket.ts'
import type { ChatSource } from './source.ts'
import { visitedPage } from './visitor-page.ts'

/** A visitor's `typing` is told at most so often, in milliseconds. */
const TYPING_EVERY = 1_000
/** Owners of tickets that are remembered: they never change. */
const OWNERS = 10_000

type SocketDeps = Pick<Deps, 'database' | 'clock' | 'live' | 'log' | 'gate' | 'visitors'>

interface Watch {
  sockets: number
  unwatch: Promise<() => void>
}

/** Every open socket of this process, and what goes to whom. */
export class ChatSockets {
  readonly #open = new Set<ChatSocket>()
  readonly #byVisitor = new Map<string, Set<ChatSocket>>()
  readonly #watches = new Map<string, Watch>()
  readonly #owners = new Map<string, string>()
  readonly #typedAt = new WeakMap<ChatSocket, number>()
  readonly #places = new WeakMap<ChatSocket, ReturnType<VisitorPresence['enter']>>()
  #changes: TicketChange[] = []
  #pump: Promise<void> | null = null

  constructor(private readonly deps: SocketDeps) {}

  /** A socket of the source's chat, opened from there; `left` is called once it is closed. */
  open(source: ChatSource, client: Client, left: () => void): ChatSocket {
    const { tenantId } = source
    const watching = this.#watch(tenantId)
    watching.catch(() => {})
    const world: SocketWorld = {
      enter: async (socket, token) => {
        await watching
        return this.#enter(socket, source, token)
      },
      take: (socket, visitor, text) => this.#take(socket, visitor, client, text),
      seen: (visitor, answers) => void this.#seen(visitor, answers),
      leave: (socket) => {
        this.#open.delete(socket)
        this.#leave(socket)
        this.#unwatch(tenantId)
        left()
      },
    }
    const socket = new ChatSocket(world)
    this.#open.add(socket)
    return socket
  }

  async #enter(socket: ChatSocket, source: ChatSource, token: string): Promise<VisitorPrincipal | null> {
    const visitor = await findVisitor(this.deps.database.db, source.sourceId, token)
    if (visitor?.tenantId !== source.tenantId || !this.#open.has(socket)) return null
    const key = keyOf(visitor.tenantId, visitor.visitorId)
    this.#byVisitor.set(key, (this.#byVisitor.get(key) ?? new Set()).add(socket))
    this.#places.set(socket, this.deps.visitors.enter(visitor.tenantId, visitor.visitorId))
    return visitor
  }

  #leave(socket: ChatSocket): void {
    if (!socket.visitor) return
    this.#places.get(socket)?.leave()
    const key = keyOf(socket.visitor.tenantId, socket.visitor.visitorId)
    const own = this.#byVisitor.get(key)
    own?.delete(socket)
    if (own?.size === 0) this.#byVisitor.delete(key)
  }

  #watch(tenantId: string): Promise<unknown> {
    const watch = this.#watches.get(tenantId) ?? {
      sockets: 0,
      unwatch: this.deps.live.watch(tenantId, (changes) => this.#note(changes)),
    }
    watch.sockets++
    this.#watches.set(tenantId, watch)
    return watch.unwatch
  }

  #unwatch(tenantId: string): void {
    const watch = this.#watches.get(tenantId)
    if (!watch || --watch.sockets > 0) return
    this.#watches.delete(tenantId)
    watch.unwatch.then(
      (unwatch) => unwatch(),
      () => {},
    )
  }

  async #take(socket: ChatSocket, visitor: VisitorPrincipal, client: Client, text: string | null): Promise<void> {
    try {
      const frame = readFrame(text)
      if (frame.type === 'typing') await this.#type(socket, visitor, frame.conversationId)
      else if (frame.type === 'page') await this.#visit(socket, visitor, frame.page)
      else if (frame.type === 'seen') await this.#see(visitor, frame)
      else await this.#write(socket, visitor, client, frame)
    } catch (error) {
      if (!(error instanceof AppError)) this.deps.log.error('a frame of a chat could not be taken', { error })
      socket.send(refusalFrame(error))
    }
  }

  async #type(socket: ChatSocket, visitor: VisitorPrincipal, conversationId: string | null): Promise<void> {
    const now = this.deps.clock.monotonic()
    const last = this.#typedAt.get(socket)
    if (last !== undefined && now - last < TYPING_EVERY) return
    this.#typedAt.set(socket, now)
    const { db } = this.deps.database
    if (conversationId !== null) await requireConversation(db, visitor, conversationId)
    const ticketId = conversationId ?? (await findNewestConversation(db, visitor))
    if (ticketId !== null) this.deps.live.type({ tenantId: visitor.tenantId, ticketId, by: 'visitor' })
  }

  /** They are on a page of the site around the chat. */
  async #visit(socket: ChatSocket, visitor: VisitorPrincipal, reported: string): Promise<void> {
    const page = visitedPage(reported)
    if (page === null) return
    this.#places.get(socket)?.at(page)
    await notePage(this.deps.database, visitor, page)
  }

  async #see(visitor: VisitorPrincipal, answer: { conversationId: string; messageId: string }): Promise<void> {
    const { database, clock, live } = this.deps
    const isNews = await noteSeen(database, visitor, answer, clock.now())
    if (isNews) live.read({ tenantId: visitor.tenantId, ticketId: answer.conversationId })
  }

  async #write(
    socket: ChatSocket,
    visitor: VisitorPrincipal,
    client: Client,
    { conversationId, text, uploads, clientId }: Extract<VisitorFrame, { type: 'message' }>,
  ): Promise<void> {
    const { database, clock, gate } = this.deps
    const retryAfter = gate.takeWrite(client)
    if (retryAfter > 0) throw new AppError('too_soon', 'that was too much in a minute', { retryAfter })
    await gate.requireRoom()
    const caller = callerFor(visitor, clock.now(), client.address || null)
    const { message } = await database.transaction((tx) =>
      writeMessage(tx, caller, visitor, conversationId, { text, uploads, clientId }),
    )
    socket.answer(message, JSON.stringify({ type: 'message', conversationId, message, clientId }))
  }

  /** What happened is passed on in its order, and all that has gathered with one query. */
  #note(changes: readonly TicketChange[]): void {
    this.#changes.push(...changes)
    this.#pump ??= this.#passOn().finally(() => {
      this.#pump = null
    })
  }

  async #passOn(): Promise<void> {
    while (this.#changes.length > 0) {
      const changes = this.#changes
      this.#changes = []
      try {
        for (const [tenantId, own] of Map.groupBy(changes, (change) => change.tenantId))
          await this.#passOnOf(tenantId, own)
      } catch (error) {
        this.deps.log.error('messages could not be passed on to open chats', { error })
      }
    }
  }

  async #passOnOf(tenantId: string, changes: readonly TicketChange[]): Promise<void> {
    const { db } = this.deps.database
    const wanted: { change: TicketChange; sockets: ReadonlySet<ChatSocket> }[] = []
    for (const change of changes) {
      const sockets = await this.#socketsOf(tenantId, change)
      if (sockets) wanted.push({ change, sockets })
    }
    const ids = wanted.flatMap(({ change }) => (change.type === 'replied' ? [change.messageId] : []))
    const known = new Map((await readMessages(db, tenantId, ids)).map((message) => [message.id, message]))
    for (const { change, sockets } of wanted) {
      if (change.type === 'read' || change.type === 'changed') continue
      if (change.type === 'typing' || change.type === 'removed') {
        const { type, ticketId: conversationId } = change
        const frame = JSON.stringify({
          type,
          conversationId,
          ...(type === 'removed' && { messageId: change.messageId }),
        })
        for (const socket of sockets) socket.send(frame)
        continue
      }
      const message =
        change.type === 'replied' ? known.get(change.messageId) : await findFirstMessage(db, tenantId, change.ticketId)
      if (message) sendTo(sockets, message)
    }
  }

  /** To whom a change is shown: the visitor whose conversation the ticket is, where they are connected. */
  async #socketsOf(tenantId: string, change: TicketChange): Promise<ReadonlySet<ChatSocket> | undefined> {
    const { type, ticketId } = change
    const isOurs = type === 'status' || type === 'unsent' || type === 'read' || type === 'changed'
    if (isOurs || (type === 'typing' && change.by === 'visitor')) return undefined
    const key = keyOf(tenantId, ticketId)
    const owner = this.#owners.get(key) ?? (await findVisitorOfTicket(this.deps.database.db, tenantId, ticketId))
    if (owner === null) return undefined
    if (this.#owners.size >= OWNERS) this.#owners.clear()
    this.#owners.set(key, owner)
    return this.#byVisitor.get(keyOf(tenantId, owner))
  }

  async #seen({ tenantId }: VisitorPrincipal, answers: readonly ChatMessage[]): Promise<void> {
    try {
      for (const { conversationId, id } of answers)
        await forgetSeenMail(this.deps.database, tenantId, conversationId, id)
    } catch (error) {
      this.deps.log.error('what a visitor has seen could not be noted', { error })
    }
  }
}

const keyOf = (tenantId: string, id: string) => `${tenantId} ${id}`

function sendTo(sockets: ReadonlySet<ChatSocket>, message: ChatMessage): void {
  const frame = JSON.stringify({ type: 'message', conversationId: message.conversationId, message })
  for (const socket of sockets) socket.sendMessage(message, frame)
}
