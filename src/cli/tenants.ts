import { type Command, Option } from 'commander'
import { systemClock } from '../lib/clock.ts'
import { createTenant, createWorkspace, nameOfTenant } from '../tenants/operations.ts'
import { createUser } from '../users/accounts.ts'
import { hashPassword, randomPassword } from '../users/passwords/passwords.ts'
import { updateUser } from '../users/profile.ts'
import {
  change,
  look,
  noun,
  printsRecord,
  type RecordOptions,
  readSecret,
  type TenantOptions,
  withDatabase,
  withTenant,
} from './command.ts'
import { print } from './print.ts'

interface UserOptions extends TenantOptions {
  email: string
  role: 'admin' | 'agent'
  billable?: boolean
  passwordStdin?: boolean
}

/** `tenant create`, `user create`, `user update` and `workspace create`. */
export function tenantCommands(root: Command): void {
  printsRecord(noun(root, 'tenant').command('create'))
    .description('create a tenant with a first workspace')
    .requiredOption('--name <name>')
    .option('--language <tag>', 'of its forms, unless they say another: de, pt-BR (en)')
    .action(async (options: RecordOptions & { name: string; language?: string }) => {
      const made = await withDatabase(options, ({ transaction }) =>
        transaction((tx) => createTenant(tx, options, systemClock.now())),
      )
      print(made, options)
    })

  const user = withTenant(noun(root, 'user').command('create'))
    .description('create a person who can sign in')
    .requiredOption('--email <address>')
    .addOption(new Option('--role <role>').choices(['admin', 'agent']).makeOptionMandatory())
    .option('--billable', 'can own forms')
    .option('--password-stdin', 'read the password from standard input; without it one is made and printed')
    .action(async (options: UserOptions) => print(await newUser(options), options))
  // For those who remember it from earlier versions.
  user.addOption(new Option('--password [password]').hideHelp()).on('option:password', () => {
    user.error(
      'error: --password is gone, since every user of the machine could read it in `ps`: ' +
        'pipe the password into --password-stdin, or leave it out and one is made',
    )
  })

  withTenant(noun(root, 'user').command('update'))
    .description('say how customers read a person; an option left out keeps its value, an empty one clears it')
    .requiredOption('--user <user>', 'the id or email address')
    .option('--name <name>', 'as the author of replies')
    .option('--signature <html>', 'stands below the mails they write')
    .action(async (options: TenantOptions & { user: string; name?: string; signature?: string }) => {
      print(await change(options, (tx, caller) => updateUser(tx, caller, options.user, options)), options)
    })

  withTenant(noun(root, 'workspace').command('create'))
    .description('create a workspace')
    .requiredOption('--name <name>')
    .action(async (options: TenantOptions & { name: string }) => {
      print(await change(options, (tx, caller) => createWorkspace(tx, caller, options)), options)
    })
}

/** The answer holds a password that was made for them, this once; one that was given is not repeated. */
async function newUser(options: UserOptions): Promise<{ userId: string; password: string | null }> {
  const { email, role, billable = false, passwordStdin = false } = options
  // Slow on purpose, so before the transaction: a running server waits for nobody's hash.
  const made = passwordStdin ? null : await randomPassword()
  const passwordHash = made?.hash ?? (await hashChosen(options))
  const { userId } = await change(options, (tx, caller) =>
    createUser(tx, caller, { email, role, billable, passwordHash }),
  )
  return { userId, password: made?.password ?? null }
}

async function hashChosen(options: UserOptions): Promise<string> {
  const company = await look(options, nameOfTenant)
  return hashPassword(await readSecret('--password-stdin'), [options.email, company])
}
