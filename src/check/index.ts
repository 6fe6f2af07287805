import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isSwapPending } from '../backup/swap.ts'
import type { Config } from '../config.ts'
import { DATABASE_FILE } from '../db/index.ts'
import { inspectDatabase } from '../db/sqlite/inspect.ts'
import { assertUsable, explainUnusable, remedyFor } from '../db/sqlite/usable.ts'
import { UserError } from '../errors.ts'
import { keyProblem } from '../secrets/key.ts'
import { checkAudit } from './audit.ts'
import { checkStore } from './files.ts'
import type { Finding } from './finding.ts'
import { checkFolder } from './folder.ts'

/** What is looked at; files are not where nobody can tell where they lie. */
export type CheckConfig = Pick<Config, 'dataDir' | 'secretKey' | 'minFree'> & { files: Config['files'] | 'unknown' }

/**
 * Looks at everything that can go wrong with a data folder without anybody noticing (decisions §11), and changes
 * nothing; a service may be running on it. Reads the whole database and all files.
 */
export async function check(config: CheckConfig, now: number): Promise<Finding[]> {
  const { dataDir } = config
  if (!existsSync(dataDir)) {
    return [{ where: dataDir, problem: 'there is no such folder', remedy: 'set FRONTDESK_DATA, or use --data' }]
  }
  const ofFolder = checkFolder(dataDir, config.minFree)
  if (isSwapPending(dataDir)) {
    return [
      ...ofFolder,
      { where: dataDir, problem: 'a restore was interrupted', remedy: 'start the service: it completes it' },
    ]
  }
  return [...ofFolder, ...(await checkDatabase(config, now))]
}

async function checkDatabase(config: CheckConfig, now: number): Promise<Finding[]> {
  const { dataDir } = config
  const file = join(dataDir, DATABASE_FILE)
  if (!existsSync(file)) {
    return [{ where: file, problem: 'there is no database', remedy: 'start the service, or restore a backup' }]
  }
  try {
    assertUsable(file)
    const database = inspectDatabase(dataDir)
    try {
      const faults = database.faults().map((problem) => ({ where: file, problem, remedy: remedyFor(file) }))
      const key = keyProblem(config, database.keyFingerprint())
      const secrets: Finding[] =
        key === null ? [] : [{ where: dataDir, problem: key, remedy: 'without it the service does not start' }]
      const ofFiles = await checkStore(config, database, now)
      const ofAudit = database.keepsAudit() ? await checkAudit(database.db, file) : []
      return [...faults, ...secrets, ...ofFiles, ...ofAudit]
    } finally {
      database.close()
    }
  } catch (error) {
    const explained = explainUnusable(file, error)
    if (!(explained instanceof UserError)) throw explained
    return [{ where: dataDir, problem: explained.message, remedy: 'without it the service does not start' }]
  }
}
