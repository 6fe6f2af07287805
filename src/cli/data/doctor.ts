import type { Command } from 'commander'
import { type Config, defaultBaseUrl, loadConfig } from '../../config.ts'
import { UserError } from '../../errors.ts'
import { systemClock } from '../../lib/clock.ts'
import { isEmail } from '../../lib/input/email.ts'
import { besideService } from '../address.ts'
import { commaSeparated, printsRecord, type RecordOptions } from '../command.ts'
import { display, print, say } from '../print.ts'

interface DoctorOptions extends RecordOptions {
  dns?: string
  timeServer: string
  dkimSelector?: string[]
  mail?: string
}

/** `doctor`. */
export function doctorCommand(root: Command): void {
  printsRecord(root.command('doctor'))
    .description('check the data and what surrounds it: addresses, TLS, proxy, mail, DNS, clock, limits')
    .option('--mail <address>', 'send a test mail there')
    .option('--dkim-selector <names>', 'names of DKIM keys; left out, the usual ones are tried', commaSeparated)
    .option('--dns <server>', 'ask this name server, as 1.1.1.1, instead of the system’s')
    .option('--time-server <host>', 'compare the clock with it', 'pool.ntp.org')
    .action(async (options: DoctorOptions) => {
      const { dns = null, timeServer, dkimSelector: selectors = [], mail = null } = options
      if (mail !== null && !isEmail(mail)) throw new UserError('--mail: must be an email address')
      const { examine } = await import('../../doctor/index.ts')
      const found = await examine(configFor(options), { dns, timeServer, selectors, mail }, systemClock)
      if (options.json) print(found, options)
      else
        for (const { level, about, says, remedy } of found) {
          say(display(`${level.padEnd(4)}  ${about}: ${says}${remedy === null ? '' : ` → ${remedy}`}`))
        }
      const bad = found.filter(({ level }) => level === 'bad').length
      if (bad > 0) throw new UserError(bad === 1 ? '1 thing is bad' : `${bad} things are bad`)
    })
}

/** What is configured; unless that says where people reach the service, the running one does. */
function configFor({ data }: RecordOptions): Config {
  const config = loadConfig(process.env, { dataDir: data })
  return config.baseUrl === defaultBaseUrl(config.host, config.port) ? besideService(config) : config
}
