import { resolve } from 'node:path'
import { bucketAt, type S3Config } from './storage.ts'
import { ConfigError, type Environment } from './variables.ts'

/** A folder that backups go to. */
export interface BackupFolder {
  readonly kind: 'folder'
  /** FRONTDESK_BACKUP_TO. */
  readonly url: string
  readonly folder: string
}

/** Of how many hours, days, weeks and months the newest backup is kept. */
export interface Keep {
  readonly hours: number
  readonly days: number
  readonly weeks: number
  readonly months: number
}

/** Backups that are made by themselves. */
export interface BackupConfig {
  readonly to: BackupFolder | S3Config
  /** From the beginning of one to that of the next, in milliseconds. */
  readonly everyMs: number
  readonly keep: Keep
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const LONGEST = 366 * UNITS.d

/** What is set is looked at even where it says nothing, for want of a place. */
export function backup(env: Environment): BackupConfig | null {
  const [to, everyMs, keep] = [
    target(env),
    every(env.FRONTDESK_BACKUP_EVERY || '24h'),
    kept(env.FRONTDESK_BACKUP_KEEP || '7d 4w 6m'),
  ]
  return to && { to, everyMs, keep }
}

/** A value that is refused is left out of the message: somebody may have put a password into it. */
function target(env: Environment): BackupConfig['to'] | null {
  const text = env.FRONTDESK_BACKUP_TO
  if (!text) return null
  if (!text.includes('://')) return { kind: 'folder', url: text, folder: resolve(text) }
  const bucket = bucketAt(env, text, 'FRONTDESK_BACKUP_TO')
  if (!bucket) throw new ConfigError('FRONTDESK_BACKUP_TO: must be a folder, such as /backups, or s3://bucket/prefix')
  return bucket
}

function every(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? []
  const ms = Number(count) * UNITS[unit as keyof typeof UNITS]
  if (!(ms >= UNITS.s && ms <= LONGEST)) {
    throw new ConfigError(
      `FRONTDESK_BACKUP_EVERY: must be a number with s, m, h or d, such as 24h, from 1s to 366d, not ${JSON.stringify(text)}`,
    )
  }
  return ms
}

/** Each of the units once, in any order. */
function kept(text: string): Keep {
  const parts = text.split(/[\s,]+/).filter(Boolean)
  const counts = new Map(parts.map((part) => [part.at(-1), Number(/^(\d{1,4})[hdwm]$/.exec(part)?.[1] ?? Number.NaN)]))
  const sum = [...counts.values()].reduce((a, b) => a + b, 0)
  if (counts.size < parts.length || !(sum > 0)) {
    throw new ConfigError(
      `FRONTDESK_BACKUP_KEEP: must be numbers with h (hours), d (days), w (weeks) or m (months), such as "7d 4w 6m", not ${JSON.stringify(text)}`,
    )
  }
  const of = (unit: string) => counts.get(unit) ?? 0
  return { hours: of('h'), days: of('d'), weeks: of('w'), months: of('m') }
}
