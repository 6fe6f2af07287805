/** A metric as Prometheus knows it. Times are seconds, sizes bytes, and what only grows ends with `_total`. */
export interface Description {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels?: readonly string[]
  /** Of a histogram: the upper bounds, in seconds. */
  readonly buckets?: readonly number[]
}

const REQUEST_TIMES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const COMMIT_TIMES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const LATENESS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600]
const STALLS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5, 10]

/**
 * Every metric there is (decisions §22), in the order in which they are served. None has a label whose values a stranger
 * chooses, and none tells of a tenant.
 */
export const catalogue = {
  frontdesk_http_requests_total: {
    type: 'counter',
    help: 'Requests that were answered, by the pattern of their route.',
    labels: ['route', 'method', 'status'],
  },
  frontdesk_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from a request to the beginning of its answer.',
    labels: ['route', 'method', 'status'],
    buckets: REQUEST_TIMES,
  },
  frontdesk_refused_total: {
    type: 'counter',
    help: 'Requests that were refused, by the reason.',
    labels: ['reason'],
  },
  frontdesk_write_queue: { type: 'gauge', help: 'Transactions of this process that wait or are at work.' },
  frontdesk_commit_duration_seconds: {
    type: 'histogram',
    help: 'Time of a commit until the disk, or the PostgreSQL server, held it.',
    buckets: COMMIT_TIMES,
  },
  frontdesk_events_waiting: {
    type: 'gauge',
    help: 'Events that were not yet given to all subscriptions of webhooks, 10000 at most.',
  },
  frontdesk_oldest_event_seconds: { type: 'gauge', help: 'Age of the oldest of these events, 0 where there is none.' },
  frontdesk_deliveries_total: {
    type: 'counter',
    help: 'Attempts to deliver events to webhooks, by what came of them.',
    labels: ['outcome'],
  },
  frontdesk_mails_total: {
    type: 'counter',
    help: 'Mails that came in or went out, by what became of them.',
    labels: ['outcome'],
  },
  frontdesk_mailboxes: { type: 'gauge', help: 'Connected mailboxes, by their state.', labels: ['state'] },
  frontdesk_quarantined_mails: {
    type: 'gauge',
    help: 'Mails in quarantine that somebody should look at, 10000 at most.',
  },
  frontdesk_rule_runs_total: {
    type: 'counter',
    help: 'Rules that were asked about an event, by what came of it.',
    labels: ['outcome'],
  },
  frontdesk_job_lateness_seconds: {
    type: 'histogram',
    help: 'How long after its time a job began.',
    labels: ['job'],
    buckets: LATENESS,
  },
  frontdesk_sockets: { type: 'gauge', help: 'Open WebSockets of chats.' },
  frontdesk_disk_free_bytes: { type: 'gauge', help: 'Room on the disk of the data folder.' },
  frontdesk_database_bytes: { type: 'gauge', help: 'Size of the database.' },
  frontdesk_wal_bytes: { type: 'gauge', help: 'Size of the write-ahead log of SQLite; absent with PostgreSQL.' },
  frontdesk_replica_lag_seconds: {
    type: 'gauge',
    help: 'By how much the replica of PostgreSQL is behind; absent where there is none.',
  },
  frontdesk_list_reads_total: {
    type: 'counter',
    help: 'Statements of lists and reports, by the server that answered them; absent where there is no replica.',
    labels: ['server'],
  },
  frontdesk_backups_total: {
    type: 'counter',
    help: 'Backups that this process had made by themselves, by what came of it.',
    labels: ['outcome'],
  },
  frontdesk_backup_period_seconds: {
    type: 'gauge',
    help: 'How often a backup is made; absent where none are made by themselves.',
  },
  frontdesk_last_backup_timestamp_seconds: {
    type: 'gauge',
    help: 'When the last good backup was begun, in seconds since 1970; absent where there is none.',
  },
  frontdesk_last_backup_bytes: { type: 'gauge', help: 'Size of the last good backup.' },
  frontdesk_damaged_backups: { type: 'gauge', help: 'Backups that lie in their place and were found to be damaged.' },
  frontdesk_loop_stall_seconds: {
    type: 'histogram',
    help: 'How much later than it should the event loop came round, 20 times a second; nobody is served meanwhile.',
    buckets: STALLS,
  },
  frontdesk_build_info: { type: 'gauge', help: 'Always 1; the label says what is running.', labels: ['version'] },
  process_cpu_seconds_total: { type: 'counter', help: 'Processor time of the process.' },
  process_resident_memory_bytes: { type: 'gauge', help: 'Memory of the process.' },
  process_open_fds: { type: 'gauge', help: 'Open file descriptors; absent where the system does not tell.' },
  process_start_time_seconds: { type: 'gauge', help: 'When the process started, in seconds since 1970.' },
} as const satisfies Readonly<Record<string, Description>>

export type MetricName = keyof typeof catalogue
