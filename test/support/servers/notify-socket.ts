import { dlopen, ptr } from 'bun:ffi'
import { join } from 'node:path'
import { until } from '../patience.ts'
import { emptyFolder } from '../processes/program.ts'

const AF_UNIX = 1
const SOCK_DGRAM_NONBLOCK = 2 | 0o4000
const CALLS = {
  socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
  bind: { args: ['i32', 'ptr', 'u32'], returns: 'i32' },
  recv: { args: ['i32', 'ptr', 'u64', 'i32'], returns: 'i64' },
  close: { args: ['i32'], returns: 'i32' },
} as const

/** Where a service manager listens for what services tell about themselves (NOTIFY_SOCKET). */
export function notifySocket() {
  const { symbols: calls } = dlopen('libc.so.6', CALLS)
  const path = join(emptyFolder(), 'notify')
  const address = Buffer.concat([new Uint8Array(new Uint16Array([AF_UNIX]).buffer), Buffer.from(path)])
  const fd = calls.socket(AF_UNIX, SOCK_DGRAM_NONBLOCK, 0)
  if (calls.bind(fd, ptr(address), address.byteLength) !== 0) throw new Error('the socket could not be bound')
  Bun.spawnSync(['chmod', '666', path])
  const buffer = Buffer.alloc(4096)
  const receive = () => {
    const length = Number(calls.recv(fd, ptr(buffer), buffer.byteLength, 0))
    return length > 0 ? buffer.toString('utf8', 0, length) : null
  }
  return { path, next: () => until(receive), close: () => calls.close(fd) }
}
