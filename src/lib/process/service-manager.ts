import { addressOf, libc } from './libc.ts'

const AF_UNIX = 1
const SOCK_DGRAM = 2
const SOCK_CLOEXEC = 0o2000000
const MSG_NOSIGNAL = 0x4000

/**
 * Tells the service manager that started us about ourselves, if there is one that listens (sd_notify): `READY=1`, or
 * `MAINPID=` of the process that follows. Whether it heard is not known.
 */
export function tellServiceManager(text: string, environment: NodeJS.ProcessEnv = process.env): void {
  const path = environment.NOTIFY_SOCKET
  const calls = path ? libc() : null
  if (!path || !calls) return
  // struct sockaddr_un; a name that begins with @ is one of no file, which the system writes with a NUL.
  const address = Buffer.concat([new Uint8Array(new Uint16Array([AF_UNIX]).buffer), Buffer.from(path)])
  if (path.startsWith('@')) address[2] = 0
  const message = Buffer.from(text)
  const fd = calls.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)
  if (fd < 0) return
  calls.sendto(fd, addressOf(message), message.byteLength, MSG_NOSIGNAL, addressOf(address), address.byteLength)
  calls.close(fd)
}
