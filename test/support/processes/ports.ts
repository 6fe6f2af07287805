/** Below those that connections go out from, and above those of services. */
const [FIRST, COUNT] = [20_000, 12_000]
/** Those that this process has tried. */
const given = new Set<number>()

/** Nothing that tests start can be given it, as a port that was let go of just now can: connections to it are refused. */
export const NOBODYS_PORT = 1

/**
 * A port of this machine that nobody listens at, for programs that cannot be told to take any. It is given to no other
 * process of tests while this one runs, though what listens there may be stopped, and started again.
 */
export function unusedPort(): number {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    if (reserve(port) && isUnused(port)) return port
  }
}

/** Whether nobody else has it by now, until this process ends: as a name of sockets that lies in no folder. */
function reserve(port: number): boolean {
  if (given.has(port)) return false
  given.add(port)
  if (process.platform !== 'linux') return true
  return isFree(() => Bun.listen({ unix: `\0frontdesk-test-port-${port}`, socket: { data() {} } }).unref())
}

function isUnused(port: number): boolean {
  return isFree(() => Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true))
}

function isFree(take: () => void): boolean {
  try {
    take()
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EADDRINUSE') return false
    throw error
  }
}
