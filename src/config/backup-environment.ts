import type { BackupConfig, Keep } from './backup.ts'
import type { S3Config, SharedFolder } from './storage.ts'
import type { ProcessEnvironment } from './variables.ts'

/** What of a configuration a backup depends on. */
interface Backed {
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly files: SharedFolder | S3Config | null
  readonly backup: BackupConfig | null
  readonly secretKey: Uint8Array | null
  readonly minFree: number
}

/**
 * What a process that makes backups of this configuration is started with. Everything else of ours is left out: a
 * variable may have changed in a file since, and no backup is to fail for it.
 */
export function backupEnvironment(config: Backed, environment: ProcessEnvironment = process.env) {
  const others = Object.entries(environment).filter(([name]) => !/^(FRONTDESK_|BUN_BE_BUN$)/.test(name))
  return { ...Object.fromEntries(others), ...own(config) }
}

function own({ dataDir, databaseUrl, files, backup, secretKey, minFree }: Backed): Record<string, string> {
  const s3 = [backup?.to, files].find((place) => place?.kind === 's3')
  return {
    FRONTDESK_DATA: dataDir,
    FRONTDESK_MIN_FREE_MB: String(Math.round(minFree / 1_000_000)),
    ...(databaseUrl ? { FRONTDESK_DATABASE_URL: databaseUrl } : {}),
    ...(secretKey ? { FRONTDESK_SECRET_KEY: Buffer.from(secretKey).toString('base64') } : {}),
    ...(files ? { FRONTDESK_FILES_URL: files.url } : {}),
    ...(backup
      ? {
          FRONTDESK_BACKUP_TO: backup.to.url,
          FRONTDESK_BACKUP_EVERY: `${Math.round(backup.everyMs / 1000)}s`,
          FRONTDESK_BACKUP_KEEP: keepAsText(backup.keep),
        }
      : {}),
    ...(s3?.kind === 's3'
      ? {
          AWS_ACCESS_KEY_ID: s3.accessKeyId,
          AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
          ...(s3.sessionToken ? { AWS_SESSION_TOKEN: s3.sessionToken } : {}),
          ...(s3.region ? { AWS_REGION: s3.region } : {}),
          ...(s3.endpoint ? { AWS_ENDPOINT_URL: s3.endpoint } : {}),
        }
      : {}),
  }
}

/** As FRONTDESK_BACKUP_KEEP says it. */
function keepAsText({ hours, days, weeks, months }: Keep): string {
  return `${hours}h ${days}d ${weeks}w ${months}m`
}
