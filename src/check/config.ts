import type { Config } from '../config.ts'

/** What is looked at; the database and files are not where nobody can tell where they lie. */
export type CheckConfig = Pick<Config, 'dataDir' | 'databaseReplicaUrl' | 'secretKey' | 'minFree'> & {
  databaseUrl: Config['databaseUrl'] | 'unknown'
  files: Config['files'] | 'unknown'
}
