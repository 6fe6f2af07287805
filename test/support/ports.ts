/** Below those that connections go out from, and above those of services. */
const [FIRST, COUNT] = [20_000, 12_000]
/** Those that this process was given. */
const given = new Set<number>()

/** Nothing that tests start can be given it, as a port that was let go of just now can: connections to it are refused. */
export const NOBODYS_PORT = 1

/**
 * A port of this machine that nobody listens at, for programs that cannot be told to take any. By chance, so that those who
 * look at the same moment are not given the same, and none twice.
 */
export function unusedPort(): number {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    if (given.has(port) || !isUnused(port)) continue
    given.add(port)
    return port
  }
}

function isUnused(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EADDRINUSE') return false
    throw error
  }
}
