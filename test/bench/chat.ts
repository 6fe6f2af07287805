import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSource } from '../../src/articles/sources.ts'
import { commandCaller } from '../../src/caller.ts'
import { type Database, openDatabase } from '../../src/db/index.ts'
import { createInbox } from '../../src/inboxes/operations.ts'
import { createTenant } from '../../src/tenants/operations.ts'
import { addSentReply } from '../../src/tickets/replies/sent-replies.ts'
import { residentMemory, start, startService } from './harness/processes.ts'
import { print, quantile, row } from './harness/report.ts'

const SOCKETS = 500
/** An address may have 100. */
const SOCKETS_PER_ADDRESS = 100
const PER_SECOND = 50
const SECONDS = 10
/** How long the last messages may take, in milliseconds. */
const PATIENCE = 5_000

/** A visitor with a conversation and an open socket. */
export interface Chatter {
  token: string
  conversationId: string
  /** What waits for a message with this text. */
  arrivals: Map<string, (at: number) => void>
  socket: WebSocket
}

/**
 * From sending a message until it is at an open socket, with 500 of them open and 50 messages a second: what a visitor
 * writes at their other tab, and what an agent answers, in a process of their own, at the visitor. The floor is a bare
 * server that passes messages on and stores nothing: what it takes longer than usual, the machine was busy.
 */
export async function benchChat(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const { tenantId, sourceId } = await furnish(dataDir)
    const service = await startService(dataDir, {
      FRONTDESK_PUBLIC_RATE_LIMIT: '1000000000',
      FRONTDESK_TRUSTED_PROXIES: '127.0.0.1',
    })
    const chat = `http://127.0.0.1:${service.port}/chat/${sourceId}`
    const before = await residentMemory(service.pid)
    const chatters = await Promise.all(Array.from({ length: SOCKETS }, (_, index) => joinIn(chat, index)))
    const memory = (await residentMemory(service.pid)) - before
    row(`${SOCKETS} sockets, ${PER_SECOND} messages/s`, 'p50 ms', 'p99 ms', 'worst ms')
    await measure('a visitor’s message, at their other tab', chatters, (chatter, text) => post(chat, chatter, text))
    await measureFloor()
    const database = await openDatabase({ dataDir })
    await measure('an agent’s answer from another process', chatters, (chatter, text) =>
      answer(database, tenantId, chatter, text),
    )
    await database.close()
    print(`memory for ${SOCKETS} visitors with a conversation and a socket: ${memory.toFixed(0)} MB`)
    for (const { socket } of chatters) socket.close()
    await service.stop()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function furnish(dataDir: string): Promise<{ tenantId: string; sourceId: string }> {
  const database = await openDatabase({ dataDir })
  const { tenantId } = await database.transaction((tx) => createTenant(tx, { name: 'Bench' }, Date.now()))
  const caller = commandCaller(tenantId, Date.now())
  const source = await database.transaction(async (tx) => {
    const inbox = await createInbox(tx, caller, { name: 'Chat', channel: 'livechat' })
    return createSource(tx, caller, { name: 'Bench', inboxId: inbox.id })
  })
  await database.close()
  return { tenantId, sourceId: source.id }
}

async function send(address: string, body: object, token?: string) {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  return (await response.json()) as any
}

/** Has the visitor of this number come, from an address that not too many have, and begin a conversation. */
export async function joinIn(chat: string, index: number): Promise<Chatter> {
  const { token } = await send(`${chat}/visitors`, {})
  const { conversationId } = await send(`${chat}/conversations`, { text: 'Hello' }, token)
  const headers = { 'x-forwarded-for': `203.0.113.${Math.floor(index / SOCKETS_PER_ADDRESS) + 1}` }
  const opened = await open(`${chat}/socket`, headers)
  opened.socket.send(JSON.stringify({ token }))
  return { token, conversationId, ...opened }
}

async function open(address: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(address.replace('http', 'ws'), { headers } as unknown as string[])
  const arrivals = new Map<string, (at: number) => void>()
  socket.onmessage = ({ data }) => {
    const at = performance.now()
    const { type, message } = JSON.parse(String(data))
    if (type === 'message') arrivals.get(message.text)?.(at)
  }
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  return { arrivals, socket }
}

async function measureFloor(): Promise<void> {
  const floor = await start(['test/bench/floors/chat.ts'], /^(\d+)$/m, {})
  const address = `http://127.0.0.1:${floor.port}`
  const chatters = await Promise.all(
    Array.from({ length: SOCKETS }, async (_, index) => ({
      token: '',
      conversationId: String(index),
      ...(await open(`${address}/${index}`)),
    })),
  )
  await measure('the floor', chatters, ({ conversationId }, text) => send(`${address}/${conversationId}`, { text }))
  for (const { socket } of chatters) socket.close()
  await floor.stop()
}

const post = (chat: string, { conversationId, token }: Chatter, text: string) =>
  send(`${chat}/conversations/${conversationId}/messages`, { text }, token)

function answer(database: Database, tenantId: string, { conversationId }: Chatter, text: string): Promise<unknown> {
  const caller = commandCaller(tenantId, Date.now())
  return database.transaction((tx) => addSentReply(tx, caller, conversationId, { text }))
}

/** Sends at an even pace, whether or not what was sent before has arrived. */
async function measure(
  name: string,
  chatters: readonly Chatter[],
  act: (chatter: Chatter, text: string) => Promise<unknown>,
): Promise<void> {
  const times: Promise<number>[] = []
  const began = performance.now()
  for (let n = 0; n < PER_SECOND * SECONDS; n++) {
    await Bun.sleep(Math.max(0, began + (n * 1000) / PER_SECOND - performance.now()))
    times.push(timed(chatters[(n * 37) % chatters.length] as Chatter, `${name} ${n}`, act))
  }
  const taken = await Promise.all(times)
  const [p50, p99, worst] = [quantile(taken, 0.5), quantile(taken, 0.99), Math.max(...taken)]
  row(name, p50.toFixed(2), p99.toFixed(2), worst.toFixed(2))
}

function timed(
  chatter: Chatter,
  text: string,
  act: (chatter: Chatter, text: string) => Promise<unknown>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = performance.now()
    const timer = setTimeout(() => reject(new Error(`${text} did not arrive`)), PATIENCE)
    chatter.arrivals.set(text, (at) => {
      clearTimeout(timer)
      resolve(at - sent)
    })
    act(chatter, text).catch(reject)
  })
}

if (import.meta.main) await benchChat()
