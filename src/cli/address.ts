import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { ADDRESS_FILE } from '../folder/names.ts'
import { replaceFile } from '../lib/disk/durable.ts'

/*
 * Where the service that runs on a data folder is reached. Commands beside it print links and send mails with them, and
 * may have been started with other settings, or none.
 */

/** Says where the service is reached, from its start to its end. */
export function keepAddress({ dataDir, baseUrl }: Pick<Config, 'dataDir' | 'baseUrl'>): void {
  replaceFile(join(dataDir, ADDRESS_FILE), `${baseUrl}\n`)
}

/** Says that the service has ended. Of several nodes that share a data folder the others go on at the same address. */
export function forgetAddress({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): void {
  if (databaseUrl === null) rmSync(join(dataDir, ADDRESS_FILE), { force: true })
}

/** The configuration of a command, with the address of the service that runs on its data folder, if one does. */
export function besideService(config: Config): Config {
  const file = join(config.dataDir, ADDRESS_FILE)
  const baseUrl = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return URL.canParse(baseUrl) ? { ...config, baseUrl } : config
}
