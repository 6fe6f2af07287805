import { existsSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** In bytes: several times of what a whole run writes, and of less the other half is the machine's to work with. */
const ROOMY = 8 * 2 ** 30

/**
 * Where files lie that are not made to last: in memory where there is plenty. A disk has to hold each commit, and each of
 * the thousand files of a PostgreSQL database, before a test goes on. Nothing can be executed there on some machines.
 */
export function shortLived(): string {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, freemem()) > ROOMY ? MEMORY : tmpdir()
}
