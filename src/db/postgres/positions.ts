import type { Client } from './client.ts'

/**
 * How far a server is with the write-ahead log, of which every promotion of a replica begins another timeline: positions of
 * two timelines say nothing of each other.
 */
export interface Position {
  /** As the names of the log's files begin. */
  readonly timeline: string
  /** In bytes since the beginning. */
  readonly bytes: number
}

/** What a server says of itself that is to be a replica. */
export interface Replayed extends Position {
  /** Of which cluster it is, and which of its databases this is. */
  readonly identity: string
  /** Whether it still follows a primary. */
  readonly isStandby: boolean
  /** How long ago what it replayed last was committed, in milliseconds; null where it has replayed nothing yet. */
  readonly age: number | null
}

const IDENTITY = `(SELECT system_identifier FROM pg_control_system()) || '/' || current_database() AS identity`

/**
 * What every commit that was answered lies before. Where commits are answered before the disk has them, the log is further
 * than what the disk has.
 */
const COMMITTED = `SELECT left(pg_walfile_name(lsn), 8) AS timeline, pg_wal_lsn_diff(lsn, '0/0') AS bytes FROM (
  SELECT CASE current_setting('synchronous_commit')
    WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END AS lsn) AS log`

/**
 * The timeline is that of the last restart point, which only a server that replayed up to there can have: after a change of
 * the primary it comes late, and never too early.
 */
const REPLAYED = `SELECT ${IDENTITY}, pg_is_in_recovery() AS "isStandby",
  (SELECT lpad(upper(to_hex(timeline_id)), 8, '0') FROM pg_control_checkpoint()) AS timeline,
  coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0) AS bytes,
  (extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::bigint AS age`

/** Where the primary's log stands: whatever was committed before this was asked lies before it. */
export async function committedPosition(client: Client): Promise<Position> {
  return ask<Position>(client, COMMITTED)
}

/** Of which cluster and database a server is. */
export async function identityOf(client: Client): Promise<string> {
  return (await ask<{ identity: string }>(client, `SELECT ${IDENTITY}`)).identity
}

/** How far a replica is: whatever lies before this is seen by what is read there from now on. */
export async function replayedPosition(client: Client): Promise<Replayed> {
  return ask<Replayed>(client, REPLAYED)
}

async function ask<Row>(client: Client, text: string): Promise<Row> {
  const [row] = await client.unsafe<Row[] & never[]>(text, [], { prepare: true })
  return row as Row
}

/** Why a server that answers cannot be read from in place of the primary, or null. */
export function faultOf(found: Replayed, primary: Position, identity: string): string | null {
  if (found.identity !== identity) return 'is of another database'
  if (!found.isStandby) return 'follows no primary: it was promoted, or is the primary itself'
  if (found.timeline !== primary.timeline) {
    return 'is not of the primary’s timeline: it follows another, or has written no restart point since the primary changed'
  }
  return null
}

/** What is said of a server that cannot be asked. Nothing of its URL is in it. */
export function unusable(error: unknown): string {
  const { message, code } = error as { message?: string; code?: unknown }
  return `cannot be used: ${message || code}`
}

/** What is said of one that does not get on. */
export function tooFarBehind(ms: number): string {
  return `is more than ${ms / 1000} seconds behind`
}
