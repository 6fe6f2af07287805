import { check } from '../check/index.ts'
import type { Config } from '../config.ts'
import { explainUnusable, inspect } from '../db/index.ts'
import type { Inspection } from '../db/inspection.ts'
import { UserError } from '../errors.ts'
import { availableSecrets } from '../installation/secret-key.ts'
import type { Clock } from '../lib/clock.ts'
import { type Diagnosis, diagnosing } from './diagnosis.ts'
import { checkDomain } from './domains.ts'
import { checkClock, checkOpenFiles, openFilesLimit } from './machine.ts'
import { checkListener, checkSending, mailDomains, sendTestMail } from './mail.ts'
import { namesBy } from './names.ts'
import { checkReach } from './reach.ts'

/** How an administrator has it look. */
export interface Wishes {
  /** Address of the name server to ask, or null: the system's. */
  readonly dns: string | null
  readonly timeServer: string
  /** Of DKIM keys; none: the usual ones are tried. */
  readonly selectors: readonly string[]
  /** Who gets a test mail, or null: none is sent. */
  readonly mail: string | null
}

/** So many domains of mail are looked up; an installation of many tenants has as many. */
const MOST_DOMAINS = 50

/**
 * What `check` looks at and what surrounds it (decisions §22): whether people reach the service, and as whom they
 * arrive; whether mail leaves and comes in, and what the DNS says of it; the clock, and limits of the system. Changes
 * nothing. The service should be running.
 */
export async function examine(config: Config, wishes: Wishes, clock: Clock): Promise<Diagnosis[]> {
  const data = await checkData(config, clock.now())
  const database = await openToRead(config)
  try {
    return [...data, ...(await checkSurroundings(config, wishes, clock, database))]
  } finally {
    await database?.close()
  }
}

async function checkSurroundings(
  config: Config,
  { dns, timeServer, selectors, mail }: Wishes,
  clock: Clock,
  database: Inspection | null,
): Promise<Diagnosis[]> {
  const names = namesBy(dns)
  const key = database && availableSecrets(config, await database.keyFingerprint())
  const domains = await mailDomains(database, config)
  const [reach, time, sending, listener, ...ofDomains] = await Promise.all([
    checkReach({ config, names, key, now: clock.now() }),
    checkClock(timeServer, () => clock.now()),
    checkSending(config),
    checkListener(config),
    ...domains.slice(0, MOST_DOMAINS).map((domain) => checkDomain(domain, names, selectors)),
  ])
  const { diagnoses, arrival } = reach
  const installationId = (await database?.installationId()) ?? 'none'
  const sent = mail === null ? [] : [await sendTestMail(config, mail, installationId, clock.now())]
  return [
    ...diagnoses,
    ...checkOpenFiles(arrival ? arrival.openFiles : openFilesLimit()),
    time,
    sending,
    ...listener,
    ...ofDomains.flat(),
    ...sent,
  ]
}

async function checkData(config: Config, now: number): Promise<Diagnosis[]> {
  const found = await check(config, now)
  const isFollowed = config.databaseReplicaUrl !== null
  if (found.length === 0) {
    const good = [diagnosing('data').good(`${config.dataDir} is in order`)]
    return isFollowed ? [...good, diagnosing('replica').good('follows the database, and has all of it')] : good
  }
  return found.map(({ where, problem, remedy }) => diagnosing(where).bad(problem, remedy))
}

/** The database as it is; null where `check` has said why it cannot be read, or there is none yet. */
async function openToRead(config: Config): Promise<Inspection | null> {
  try {
    return await inspect(config)
  } catch (error) {
    if (explainUnusable(config, error) instanceof UserError) return null
    throw error
  }
}
