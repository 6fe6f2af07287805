import type { Command } from 'commander'
import { invalid, rule } from '../errors.ts'
import { createKey, revokeKey } from '../keys/operations.ts'
import { scopes } from '../kinds/scopes.ts'
import { parseTime } from '../lib/time.ts'
import { change, noun, type TenantOptions, withTenant } from './command.ts'
import { print } from './print.ts'

interface CreateOptions extends TenantOptions {
  name: string
  scopes: string
  expires?: string
}

/** `key create` and `key revoke`. */
export function keyCommands(root: Command): void {
  const key = noun(root, 'key')

  withTenant(key.command('create'))
    .description('create an API key; its value is shown this once')
    .requiredOption('--name <name>')
    .requiredOption('--scopes <a,b>', `comma-separated, of ${scopes.join(', ')}`)
    .option('--expires <date-time>', 'RFC 3339, such as 2027-01-31T00:00:00Z')
    .action(async (options: CreateOptions) => {
      const input = {
        name: options.name,
        scopes: options.scopes.split(',').map((scope) => scope.trim()),
        expiresAt: readExpiry(options.expires),
      }
      print(await change(options, (tx, caller) => createKey(tx, caller, input)), options)
    })

  withTenant(key.command('revoke'))
    .description('disable a key, at once and for good')
    .requiredOption('--key <id>', 'keyId of the key')
    .action(async (options: TenantOptions & { key: string }) => {
      print(await change(options, (tx, caller) => revokeKey(tx, caller, options.key.toLowerCase())), options)
    })
}

function readExpiry(text: string | undefined): string | null {
  if (text === undefined) return null
  const time = parseTime(text)
  if (!time) throw invalid('expires', rule('date_time_such_as', { example: '2027-01-31T00:00:00Z' }))
  return time
}
