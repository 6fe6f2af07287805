import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { addressOf, libc } from '../process/libc.ts'

/*
 * Two processes of one user listen on the same ports while one follows the other. Linux deals new connections out among
 * all who do, and drops those that nobody has accepted yet when their listener closes: so the one that follows has all
 * of them dealt to itself, before the other closes anything.
 */

const SOL_SOCKET = 1
const SO_REUSEPORT = 15
const SO_ATTACH_REUSEPORT_CBPF = 51
/** A state in `/proc/net/tcp`. */
const LISTEN = '0A'
/** The one instruction of a filter that returns what stands in it. */
const RETURN = 0x06

/** Lets another process of this user listen on the ports that this one listens on, or no more. False where that cannot be. */
export function sharePorts(isShared: boolean): boolean {
  const value = new Int32Array([isShared ? 1 : 0])
  return onEachListener((calls, fd) =>
    calls.setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, addressOf(value), value.byteLength),
  )
}

/**
 * Has every new connection come to this process, which listens on ports that another listened on before; what the other
 * has accepted or is about to stays with it. Where this process ends first, the other gets them again. From now on
 * nobody else may listen there. False where that cannot be.
 */
export function takeNewConnections(): boolean {
  // Listeners of a port are counted from 0 in the order in which they began.
  const filter = new Uint8Array(8)
  new DataView(filter.buffer).setUint16(0, RETURN, true)
  new DataView(filter.buffer).setUint32(4, 1, true)
  // struct sock_fprog: how many instructions, and behind a gap where they are.
  const program = new Uint8Array(16)
  new DataView(program.buffer).setUint16(0, 1, true)
  new DataView(program.buffer).setBigUint64(8, BigInt(addressOf(filter)), true)
  const isTaken = onEachListener((calls, fd) =>
    calls.setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, addressOf(program), program.byteLength),
  )
  return isTaken && sharePorts(false)
}

/** How many connections to the port this process has open. Where the system does not say: 0. */
export function countConnections(port: number): number {
  return ownSockets((state, local) => state !== LISTEN && local === port).length
}

/** False where one of the calls failed, or none can be made. */
function onEachListener(call: (calls: NonNullable<ReturnType<typeof libc>>, fd: number) => number): boolean {
  const calls = libc()
  return calls !== null && ownSockets((state) => state === LISTEN).every((fd) => call(calls, fd) === 0)
}

/** Descriptors of this process's TCP sockets that are such. */
function ownSockets(isSuch: (state: string, port: number) => boolean): number[] {
  const inodes = new Set(['tcp', 'tcp6'].flatMap((protocol) => inodesOf(protocol, isSuch)))
  if (inodes.size === 0) return []
  return readdirSync('/proc/self/fd')
    .filter((fd) => inodes.has(/^socket:\[(\d+)\]$/.exec(targetOf(fd))?.[1] ?? ''))
    .map(Number)
}

function inodesOf(protocol: string, isSuch: (state: string, port: number) => boolean): string[] {
  const [, ...lines] = read(`/proc/self/net/${protocol}`).trimEnd().split('\n')
  return lines.flatMap((line) => {
    const [, local = '', , state = '', , , , , , inode = ''] = line.trim().split(/\s+/)
    return isSuch(state, Number.parseInt(local.split(':')[1] ?? '', 16)) ? inode : []
  })
}

/** A machine without IPv6 has no file of it. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Of a descriptor that was closed meanwhile: nothing. */
function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}
