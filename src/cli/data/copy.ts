import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { loadConfig } from '../../config.ts'
import { KEY_FILE } from '../../folder/names.ts'
import { type DataOptions, withData } from '../command.ts'
import { say } from '../print.ts'

/** `copy`. */
export function copyCommand(root: Command): void {
  withData(root.command('copy'))
    .description('copy the data folder’s database into an empty PostgreSQL database; the service must be stopped')
    .requiredOption('--to <url>', 'postgres://user:pass@host/db')
    .action(async (options: DataOptions & { to: string }) => {
      const { dataDir } = loadConfig({ ...process.env, FRONTDESK_DATABASE_URL: '' }, { dataDir: options.data })
      const { copyToPostgres } = await import('../../db/copy.ts')
      for (const { table, rows, sha256 } of await copyToPostgres(dataDir, options.to)) {
        say(`${table.padEnd(20)} ${String(rows).padStart(9)} rows  ${sha256}`)
      }
      say('Every row was compared. Files stay where they are.')
      if (existsSync(join(dataDir, KEY_FILE))) {
        say(`Secrets are sealed with the key in ${join(dataDir, KEY_FILE)}: set FRONTDESK_SECRET_KEY to it.`)
      }
    })
}
