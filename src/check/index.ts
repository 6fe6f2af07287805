import { existsSync } from 'node:fs'
import { isKeyed, isKeyedIn } from '../audit/carry-over.ts'
import type { Trust } from '../audit/faults.ts'
import { chainKeyOf } from '../audit/key.ts'
import { explainUnusable, inspect, inspectReplica, type Place, whereabouts } from '../db/index.ts'
import type { Inspection } from '../db/inspection.ts'
import { UserError } from '../errors.ts'
import { isSwapPending } from '../folder/swap.ts'
import { confirmFolder } from '../installation/confirm.ts'
import { availableSecrets, keyProblem } from '../installation/secret-key.ts'
import { checkAudit } from './audit.ts'
import type { CheckConfig } from './config.ts'
import { checkStore } from './files.ts'
import type { Finding } from './finding.ts'
import { checkFolder } from './folder.ts'
import { checkInstallation } from './installation.ts'
import { checkMailboxes } from './mailboxes.ts'

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
  const { dataDir, databaseUrl } = config
  if (databaseUrl === 'unknown') return []
  const place = { dataDir, databaseUrl }
  const { where, remedy } = whereabouts(place)
  try {
    const database = await inspect(place)
    if (!database) return [{ where, ...(await missing(place)) }]
    try {
      const faults = (await database.faults()).map((problem) => ({ where, problem, remedy }))
      const key = keyProblem(config, await database.keyFingerprint())
      const secrets: Finding[] =
        key === null ? [] : [{ where: dataDir, problem: key, remedy: 'without it the service does not start' }]
      const ofInstallation = await checkInstallation({ ...config, databaseUrl }, database)
      const ofFiles = await checkStore(config, database, now)
      const ofAudit = (await database.keepsAudit())
        ? await checkAudit(database.db, where, await trustIn(config, database))
        : []
      const ofMailboxes = (await database.keepsMailboxes()) ? await checkMailboxes(database.db, where) : []
      const ofReplica = await checkReplica({ ...place, databaseReplicaUrl: config.databaseReplicaUrl })
      return [...faults, ...secrets, ...ofInstallation, ...ofFiles, ...ofAudit, ...ofMailboxes, ...ofReplica]
    } finally {
      await database.close()
    }
  } catch (error) {
    const explained = explainUnusable(place, error)
    if (!(explained instanceof UserError)) throw explained
    const problem = explained.message.replace(`${where}: `, '')
    return [{ where: databaseUrl ? where : dataDir, problem, remedy: 'without it the service does not start' }]
  }
}

async function checkReplica(place: Place): Promise<Finding[]> {
  const problem = await inspectReplica(place)
  const remedy = 'lists and reports are read from the primary meanwhile'
  return problem === null ? [] : [{ where: 'FRONTDESK_DATABASE_REPLICA_URL', problem, remedy }]
}

/** What the chains of the audit log are held against. */
async function trustIn(config: CheckConfig, database: Inspection): Promise<Trust> {
  const secrets = availableSecrets(config, await database.keyFingerprint())
  const key = secrets && chainKeyOf(secrets)
  if (!(await database.sealsAudit())) return { key, chains: 'earlier', drops: false }
  const isDone = isKeyedIn(config.dataDir) || (await isKeyed(database.db))
  return { key, chains: isDone ? 'sealed' : 'open', drops: await database.dropsAudit() }
}

/** What is to be said of a database that is not there. */
async function missing(place: Place): Promise<Omit<Finding, 'where'>> {
  try {
    await confirmFolder(place)
    return { problem: 'there is no database', remedy: 'start the service, or restore a backup' }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { problem: error.message, remedy: 'without it the service does not start' }
  }
}
