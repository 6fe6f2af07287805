import type { Command } from 'commander'
import { createPromise, deletePromise, updatePromise } from '../../promises/operations.ts'
import { parsePromise } from '../../promises/parse.ts'
import { listPromises } from '../../promises/read.ts'
import { change, look, noun, type TenantOptions, withTenant } from '../command.ts'
import { readJsonInput } from '../input.ts'
import { print } from '../print.ts'

interface PromiseOptions extends TenantOptions {
  promise: string
}

/** `promise create`, `update`, `list` and `delete`. */
export function promiseCommands(root: Command): void {
  const promise = noun(root, 'promise')

  withTenant(promise.command('create'))
    .description('promise answers and closing within spans of working time, from a JSON file or standard input')
    .argument('[file]')
    .action(async (file: string | undefined, options: TenantOptions) => {
      const given = parsePromise(await readJsonInput(file))
      print(await change(options, (tx, caller) => createPromise(tx, caller, given)), options)
    })

  withTenant(promise.command('update'))
    .description('replace a promise')
    .argument('[file]')
    .requiredOption('--promise <id>')
    .action(async (file: string | undefined, options: PromiseOptions) => {
      const given = parsePromise(await readJsonInput(file))
      print(await change(options, (tx, caller) => updatePromise(tx, caller, options.promise, given)), options)
    })

  withTenant(promise.command('list'))
    .description('list promises: the first that fits a ticket holds')
    .action(async (options: TenantOptions) =>
      print(await look(options, (db, tenantId) => listPromises(db, tenantId)), options),
    )

  withTenant(promise.command('delete'))
    .description('delete a promise: open tickets have the next that fits')
    .requiredOption('--promise <id>')
    .action(async (options: PromiseOptions) => {
      await change(options, (tx, caller) => deletePromise(tx, caller, options.promise))
      print({ promiseId: options.promise.toLowerCase() }, options)
    })
}
