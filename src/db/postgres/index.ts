import { UserError } from '../../errors.ts'
import type { Database, Reader } from '../dialect.ts'
import { type Client, Link } from './client.ts'
import { Commits } from './commits.ts'
import { Coordination } from './coordination.ts'
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
  const coordination = new Coordination(url)
  const readers = new Link(url, { max: READERS, access: 'read only' })
  const db: Reader = Object.assign(drizzleOver(readFrom(readers)), {
    version: (tables?: readonly string[]) => commits.version(tables),
  })
  return {
    db,
    isShared: true,
    requestWindows: coordination,
    exclusively: (name, work) => coordination.exclusively(name, work),
    transaction: (work) => writers.run(work),
    onCommit(listener) {
      commits.listeners.add(listener)
      return () => commits.listeners.delete(listener)
    },
    async close() {
      await writers.close()
      await Promise.all([commits.close(), coordination.close(), readers.close()])
    },
  }
}

/** Reads once more where a connection was lost: it may have been an old one. */
function readFrom(link: Link): Run {
  return async (...statement) => {
    const { client } = link
    try {
      return await read(client, ...statement)
    } catch (error) {
      if (!isConnectionLost(error)) throw explained(error)
      link.renew(client)
      return read(link.client, ...statement).catch((again) => {
        throw explained(again)
      })
    }
  }
}

async function read(client: Client, ...[text, params, rows]: Parameters<Run>): Promise<unknown[]> {
  const query = client.unsafe(text, params as never[], { prepare: true, simple: false } as { prepare: true })
  return (rows === 'values' ? await query.values() : await query) as unknown[]
}
