import { UserError } from '../../errors.ts'
import type { Database, Reader } from '../dialect.ts'
import { type Client, connect } from './client.ts'
import { Commits } from './commits.ts'
import { explained, isConnectionLost } from './faults.ts'
import { drizzleOver, type Run } from './handle.ts'
import { migrate } from './migrations.ts'
import { Writers } from './writers.ts'

/** Connections for reading. */
const READERS = 8

/**
 * Opens a PostgreSQL database and brings it up to date. Throws UserError when it cannot be reached or was written by
 * another version. Nothing of the URL is in the message: it holds a password.
 */
export async function openPostgres(url: string): Promise<Database> {
  await migrate(url).catch((error) => {
    if (isConnectionLost(error)) throw new UserError(`FRONTDESK_DATABASE_URL: ${error.message || error.code}`)
    if (/^(28|3D)/.test(String(error?.code))) throw new UserError(`FRONTDESK_DATABASE_URL: ${error.message}`)
    throw error
  })
  const commits = new Commits(url)
  await commits.start()
  const writers = new Writers(url, commits)
  const readers = connect(url, { max: READERS, access: 'read only' })
  const db: Reader = Object.assign(drizzleOver(readFrom(readers)), {
    version: (tables?: readonly string[]) => commits.version(tables),
  })
  return {
    db,
    transaction: (work) => writers.run(work),
    onCommit(listener) {
      commits.listeners.add(listener)
      return () => commits.listeners.delete(listener)
    },
    async close() {
      await writers.close()
      await Promise.all([commits.close(), readers.end({ timeout: 5 })])
    },
  }
}

/** Reads once more where a connection was lost: it may have been an old one. */
function readFrom(client: Client): Run {
  const read: Run = async (text, params, rows) => {
    const query = client.unsafe(text, params as never[], { prepare: true, simple: false } as { prepare: true })
    return (rows === 'values' ? await query.values() : await query) as unknown[]
  }
  return async (...statement) => {
    try {
      return await read(...statement)
    } catch (error) {
      if (!isConnectionLost(error)) throw explained(error)
      return read(...statement).catch((again) => {
        throw explained(again)
      })
    }
  }
}
