import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

/** What the receiver does with one request, on its socket. */
export type Script = (socket: Socket) => void | Promise<void>

export interface ReplyOptions {
  body?: string | Uint8Array
  headers?: Record<string, string>
  /** Wait before the status line. */
  delayMs?: number
  /** Send the headers, or the body, one byte at a time, this far apart. */
  dripHeadersMs?: number
  dripBodyMs?: number
}

/** A whole answer; the connection stays open for more unless a header says otherwise. */
export function reply(status: number, options: ReplyOptions = {}): Script {
  const body = Buffer.from(options.body ?? '')
  const head = headOf(status, { 'content-length': String(body.length), ...options.headers })
  return async (socket) => {
    if (options.delayMs) await Bun.sleep(options.delayMs)
    await write(socket, Buffer.from(head), options.dripHeadersMs)
    await write(socket, body, options.dripBodyMs)
  }
}

/** A redirect to `location`. */
export function redirect(location: string, status = 302): Script {
  return reply(status, { headers: { location } })
}

/** A 200 whose body of `bytes` zeros is a thousandth of that on the wire. */
export function gzipBomb(bytes = 100e6): Script {
  return reply(200, { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(bytes)) })
}

/** A 200 whose body never ends: 64 KiB after 64 KiB, for as long as somebody reads. */
export function endlessBody(): Script {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  return async (socket) => {
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(headOf(200, {}))
    while (!socket.destroyed) {
      if (!socket.write(chunk)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))])
    }
  }
}

/** Exactly these bytes; then the connection is closed if `end` says so. */
export function raw(bytes: string, { end = false } = {}): Script {
  return (socket) => {
    socket.write(bytes)
    if (end) socket.end()
  }
}

/** No answer, ever. */
export function hang(): Script {
  return () => {}
}

/** No answer, and the connection ends in good order. */
export function closeSilently(): Script {
  return (socket) => void socket.end()
}

/** A TCP reset in place of an answer. */
export function reset(): Script {
  return (socket) => void socket.resetAndDestroy()
}

/** A TCP reset `afterMs` into the body of a 200. */
export function resetMidBody(afterMs = 50): Script {
  return async (socket) => {
    socket.write(`${headOf(200, { 'content-length': '100' })}half`)
    await Bun.sleep(afterMs)
    socket.resetAndDestroy()
  }
}

function headOf(status: number, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n`
}

async function write(socket: Socket, bytes: Buffer, dripMs?: number): Promise<void> {
  if (dripMs === undefined) return void socket.write(bytes)
  for (const byte of bytes) {
    if (socket.destroyed) return
    socket.write(Buffer.of(byte))
    await Bun.sleep(dripMs)
  }
}
