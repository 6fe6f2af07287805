import type { Command } from 'commander'
import { UserError } from '../errors.ts'
import { systemClock } from '../lib/clock.ts'
import { createRule, deleteRule, orderRules, switchRule, updateRule } from '../rules/operations.ts'
import { listRules } from '../rules/read.ts'
import { listRuns } from '../rules/running/runs.ts'
import { tryRule } from '../rules/trying.ts'
import { change, look, noun, type TenantOptions, withTenant } from './command.ts'
import { print } from './print.ts'

interface RuleOptions extends TenantOptions {
  rule: string
}

const FILE = ['[file]', 'JSON; standard input where it is left out or -'] as const

/** `rule create`, `update`, `list`, `delete`, `enable`, `disable`, `order`, `try` and `runs`. */
export function ruleCommands(root: Command): void {
  const rule = noun(root, 'rule')
  const about = (name: string, description: string) =>
    withTenant(rule.command(name)).description(description).requiredOption('--rule <id>')

  withTenant(rule.command('create'))
    .description('make a rule: what happens by itself when something has happened')
    .argument(...FILE)
    .action(async (file: string | undefined, options: TenantOptions) => {
      const given = await readJson(file)
      print(await change(options, (tx, caller) => createRule(tx, caller, given)), options)
    })

  about('update', 'change a rule: what is left out stays')
    .argument(...FILE)
    .action(async (file: string | undefined, options: RuleOptions) => {
      const given = await readJson(file)
      print(await change(options, (tx, caller) => updateRule(tx, caller, options.rule, given)), options)
    })

  withTenant(rule.command('list'))
    .description('list all rules, in the order in which they are asked')
    .action(async (options: TenantOptions) => print(await look(options, listRules), options))

  about('delete', 'delete a rule').action(async (options: RuleOptions) => {
    await change(options, (tx, caller) => deleteRule(tx, caller, options.rule))
    print({ ruleId: options.rule }, options)
  })

  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    about(name, `switch a rule ${enabled ? 'on' : 'off'}`).action(async (options: RuleOptions) =>
      print(await change(options, (tx, caller) => switchRule(tx, caller, options.rule, enabled)), options),
    )
  }

  withTenant(rule.command('order'))
    .description('say in which order rules are asked')
    .argument('<ids...>', 'every rule, the first one first')
    .action(async (ids: string[], options: TenantOptions) => {
      const ordered = await change(options, async (tx, caller) => {
        await orderRules(tx, caller, ids)
        return listRules(tx, caller.tenantId)
      })
      print(ordered, options)
    })

  withTenant(rule.command('try'))
    .description('say what a rule would have done with the newest 200 tickets, responses or contacts, without doing it')
    .argument(...FILE)
    .action(async (file: string | undefined, options: TenantOptions) => {
      const given = await readJson(file)
      print(await look(options, (db, tenantId) => tryRule(db, tenantId, given, systemClock.now())), options)
    })

  about('runs', 'list the newest 500 runs of a rule, the newest first').action(async (options: RuleOptions) =>
    print(await look(options, (db, tenantId) => listRuns(db, tenantId, options.rule)), options),
  )
}

/** Reads JSON from a file, or from standard input. Throws UserError where there is none. */
async function readJson(file: string | undefined): Promise<unknown> {
  const isPiped = file === undefined || file === '-'
  const source = isPiped ? 'standard input' : file
  const text = await (isPiped
    ? Bun.stdin.text()
    : Bun.file(file)
        .text()
        .catch(() => null))
  if (text === null) throw new UserError(`${source}: cannot be read`)
  try {
    return JSON.parse(text)
  } catch {
    throw new UserError(`${source}: must be well-formed JSON`)
  }
}
