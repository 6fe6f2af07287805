import { type Client, reach } from '../client.ts'
import { connectionLost, isConnectionLost } from '../faults.ts'

/** What runs statements, of a transaction or one by one. */
export type Statements = Pick<Client, 'unsafe'>

/** Runs `work` in one transaction. Throws what it or the engine does, or at once that the connection was lost. */
export type Transact = <T>(work: (statements: Statements) => Promise<T>) => Promise<T>

/**
 * Calls `use` with a connection of its own, which may write in transactions only, and closes it after that. The driver's
 * own transactions are of no use to us: where their connection is lost under a statement they send a ROLLBACK after it,
 * which throws where nobody can catch it and ends the process. Throws as `reach`, and whatever `use` does.
 */
export async function withConnection<T>(
  url: string,
  use: (client: Client, transact: Transact) => Promise<T>,
): Promise<T> {
  let isLost = false
  let onClose = () => {}
  const client = await reach(url, {
    max: 1,
    access: 'read only',
    onClose() {
      isLost = true
      onClose()
    },
  })
  const transact: Transact = async (work) => {
    const lost = Promise.withResolvers<never>()
    // Nobody waits for it after the end.
    lost.promise.catch(() => {})
    onClose = () => lost.reject(connectionLost())
    try {
      await client.unsafe('BEGIN READ WRITE')
      // The driver connects again by itself: what is still done after a loss is refused there, and a COMMIT of nothing is not.
      const value = await Promise.race([work(client), lost.promise])
      const { command } = await Promise.race([client.unsafe('COMMIT'), lost.promise])
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back, and no statement says why')
      return value
    } catch (error) {
      if (!isConnectionLost(error)) await client.unsafe('ROLLBACK').catch(() => {})
      throw error
    }
  }
  try {
    return await use(client, transact)
  } finally {
    // What is left of a connection that was lost would be waited for.
    await client.end({ timeout: isLost ? 0 : 5 })
  }
}
