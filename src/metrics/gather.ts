import { readdir } from 'node:fs/promises'
import { backupState } from '../backup/state.ts'
import { countMailboxes } from '../channels/email/mailboxes/operations.ts'
import { countAllQuarantined } from '../channels/email/quarantine.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/index.ts'
import type { Clock } from '../lib/clock.ts'
import { within } from '../lib/concurrency/within.ts'
import { freeBytes } from '../lib/disk/disk.ts'
import { VERSION } from '../version.ts'
import { waitingEvents } from '../webhooks/batches/fan-out.ts'
import { catalogue, type MetricName } from './catalogue.ts'
import { labelled, type Sample } from './instruments.ts'

/** What is counted at a scrape is not counted beyond this: it would take the thread. */
export const MOST = 10_000
/** How long a part may take, in milliseconds; Prometheus gives up after ten seconds. */
const PATIENCE = 5_000

export interface GatherDeps {
  readonly config: Pick<Config, 'dataDir' | 'backup'>
  readonly database: Pick<Database, 'db' | 'load' | 'size' | 'replica'>
  readonly clock: Clock
  /** How many sockets are open. */
  readonly openSockets: () => number
}

type Gathered = Partial<Record<MetricName, readonly Sample[]>>

/**
 * What is looked up when it is asked for. Where the database is away, or a disk does not answer, its metrics are left out:
 * a number that is no longer true would be worse.
 */
export async function gather(deps: GatherDeps): Promise<Gathered> {
  const parts = await Promise.all([
    ofProcess(deps),
    attempted(() => ofEvents(deps)),
    attempted(() => ofMail(deps)),
    attempted(() => ofDatabase(deps)),
    attempted(() => ofBackups(deps)),
    attempted(async () => ({ frontdesk_disk_free_bytes: one(await freeBytes(deps.config.dataDir)) })),
    attempted(async () => ({ process_open_fds: one((await readdir('/proc/self/fd')).length) })),
  ])
  return Object.assign({}, ...parts)
}

async function attempted(part: () => Promise<Gathered>): Promise<Gathered> {
  try {
    const found = part()
    return (await within(PATIENCE, found)) ? await found : {}
  } catch {
    return {}
  }
}

function ofProcess({ database, openSockets }: GatherDeps): Gathered {
  const { user, system } = process.cpuUsage()
  return {
    frontdesk_write_queue: one(database.load()),
    frontdesk_sockets: one(openSockets()),
    ...ofReplica(database),
    frontdesk_build_info: [
      { suffix: '', labels: labelled(catalogue.frontdesk_build_info.labels, [VERSION]), value: 1 },
    ],
    process_cpu_seconds_total: one((user + system) / 1_000_000),
    process_resident_memory_bytes: one(process.memoryUsage.rss()),
    process_start_time_seconds: one(performance.timeOrigin / 1000),
  }
}

function ofReplica(database: GatherDeps['database']): Gathered {
  const state = database.replica()
  if (!state) return {}
  return {
    frontdesk_replica_lag_seconds: one(state.lag),
    frontdesk_list_reads_total: Object.entries(state.reads).map(([server, value]) => ({
      suffix: '',
      labels: labelled(catalogue.frontdesk_list_reads_total.labels, [server]),
      value,
    })),
  }
}

async function ofEvents({ database, clock }: GatherDeps): Promise<Gathered> {
  const { count, oldest } = await waitingEvents(database.db, MOST)
  const age = oldest === null ? 0 : Math.max(0, clock.now() - Date.parse(oldest)) / 1000
  return { frontdesk_events_waiting: one(count), frontdesk_oldest_event_seconds: one(age) }
}

async function ofMail({ database: { db } }: GatherDeps): Promise<Gathered> {
  const [mailboxes, quarantined] = await Promise.all([countMailboxes(db), countAllQuarantined(db, MOST)])
  const { labels } = catalogue.frontdesk_mailboxes
  return {
    frontdesk_mailboxes: Object.entries(mailboxes).map(([state, value]) => ({
      suffix: '',
      labels: labelled(labels, [state]),
      value,
    })),
    frontdesk_quarantined_mails: one(quarantined),
  }
}

async function ofDatabase({ database }: GatherDeps): Promise<Gathered> {
  const { bytes, logBytes } = await database.size()
  return { frontdesk_database_bytes: one(bytes), ...(logBytes === null ? {} : { frontdesk_wal_bytes: one(logBytes) }) }
}

async function ofBackups({ config: { backup }, database: { db } }: GatherDeps): Promise<Gathered> {
  if (!backup) return {}
  const { last, doubtful } = await backupState(db)
  return {
    frontdesk_backup_period_seconds: one(backup.everyMs / 1000),
    frontdesk_damaged_backups: one(doubtful.filter(({ verdict }) => verdict === 'damaged').length),
    ...(last === null
      ? {}
      : {
          frontdesk_last_backup_timestamp_seconds: one(last.at / 1000),
          frontdesk_last_backup_bytes: one(last.size),
        }),
  }
}

function one(value: number): [Sample] {
  return [{ suffix: '', labels: '', value }]
}
