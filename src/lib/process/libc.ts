import { dlopen, type Pointer, ptr } from 'bun:ffi'

/** Where the C library lies, by what a system is made with: glibc, or musl. */
const NAMES = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]

const CALLS = {
  setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
  socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
  sendto: { args: ['i32', 'ptr', 'u64', 'i32', 'ptr', 'u32'], returns: 'i64' },
  close: { args: ['i32'], returns: 'i32' },
} as const

type Libc = ReturnType<typeof dlopen<typeof CALLS>>['symbols']

let opened: Libc | null | undefined

/** What Bun itself has no call for, asked of the system's C library; null where there is none that we know: not on Linux. */
export function libc(): Libc | null {
  opened ??= open()
  return opened
}

function open(): Libc | null {
  if (process.platform !== 'linux') return null
  for (const name of NAMES) {
    try {
      return dlopen(name, CALLS).symbols
    } catch {}
  }
  return null
}

/** Where the bytes lie: for as long as somebody holds them. */
export function addressOf(bytes: NodeJS.TypedArray): Pointer {
  return ptr(bytes)
}
