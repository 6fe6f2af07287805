import type { Command } from 'commander'
import { VERSION } from '../../version.ts'
import { printsRecord, type RecordOptions } from '../command.ts'
import { print, say } from '../print.ts'

const RULE = '='.repeat(80)
const NO_TEXT = 'Its text does not come with it: https://spdx.org/licenses/ has it by this name.'

/** `licences`. */
export function licencesCommand(root: Command): void {
  printsRecord(root.command('licences'))
    .description('print the licences of everything that is in the executable')
    .action(async (options: RecordOptions) => {
      // Loaded on demand: run from source, the list is put together whenever it is loaded.
      const { licences } = await import('./list.ts')
      if (options.json) return print(licences, options)
      say(`frontdesk ${VERSION} is under the MIT licence. It is made of the following software of others.`)
      for (const { name, version, licence, text } of licences) {
        say(`\n${RULE}\n${name} ${version} (${licence})\n\n${text || NO_TEXT}`)
      }
    })
}
