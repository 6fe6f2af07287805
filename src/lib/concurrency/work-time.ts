/** How many times its time work may take while the machine is busy with other things. */
const BUSY_MACHINE = 10

/**
 * Begins to count what a thread beside the serving one takes for something that may take `time` milliseconds of work.
 * What is returned says how many are left. Only work of this process counts, so that a machine that has others to do
 * first makes nothing fail; after ten times as long by the clock it is over all the same.
 */
export function countWork(time: number): () => number {
  const begin = performance.now()
  const before = process.cpuUsage()
  return () => {
    const passed = performance.now() - begin
    const { user, system } = process.cpuUsage(before)
    return passed >= time * BUSY_MACHINE ? 0 : time - Math.min(passed, (user + system) / 1000)
  }
}
