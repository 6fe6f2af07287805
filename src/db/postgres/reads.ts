import { type DatabaseWatch, SLOW } from '../watch.ts'
import type { Client, Link } from './client.ts'
import { explained } from './faults.ts'
import type { Run } from './lean.ts'

/** Reads from the server that `link` leads to. Throws `unavailable` when that is away. */
export function readsFrom(link: Link): Run {
  return (...statement) =>
    link
      .ask((client) => read(client, ...statement))
      .catch((error) => {
        throw explained(error)
      })
}

/** As `run`; tells of statements that take long. */
export function timed(run: Run, watch: DatabaseWatch): Run {
  return async (...statement) => {
    const began = performance.now()
    try {
      return await run(...statement)
    } finally {
      const took = performance.now() - began
      if (took >= SLOW) watch.slow(statement[0], took)
    }
  }
}

/** Runs a statement that reads. */
export async function read(client: Client, ...[text, params, rows]: Parameters<Run>): Promise<unknown[]> {
  const query = client.unsafe(text, params as never[], { prepare: true, simple: false } as { prepare: true })
  return (rows === 'values' ? await query.values() : await query) as unknown[]
}
