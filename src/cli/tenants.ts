import { type Command, Option } from 'commander'
import { invalid } from '../errors.ts'
import { systemClock } from '../lib/clock.ts'
import { createTenant, createUser, createWorkspace } from '../tenants/operations.ts'
import {
  change,
  noun,
  ofTenant,
  printsRecord,
  type RecordOptions,
  type TenantOptions,
  withDatabase,
} from './command.ts'
import { print } from './print.ts'

interface UserOptions extends TenantOptions {
  email: string
  role: 'admin' | 'agent'
  billable?: boolean
  password?: string
}

/** `tenant create`, `user create` and `workspace create`. */
export function tenantCommands(root: Command): void {
  printsRecord(noun(root, 'tenant').command('create'))
    .description('create a tenant with a first workspace')
    .requiredOption('--name <name>')
    .action(async (options: RecordOptions & { name: string }) => {
      const made = await withDatabase(options, ({ transaction }) =>
        transaction((tx) => createTenant(tx, options, systemClock.now())),
      )
      print(made, options)
    })

  ofTenant(noun(root, 'user').command('create'))
    .description('create a person who can sign in')
    .requiredOption('--email <address>')
    .addOption(new Option('--role <role>').choices(['admin', 'agent']).makeOptionMandatory())
    .option('--billable', 'can own forms')
    .option('--password <password>', 'made up when left out')
    .action(async (options: UserOptions) => print(await newUser(options), options))

  ofTenant(noun(root, 'workspace').command('create'))
    .description('create a workspace')
    .requiredOption('--name <name>')
    .action(async (options: TenantOptions & { name: string }) => {
      print(await change(options, (tx, caller) => createWorkspace(tx, caller, options)), options)
    })
}

async function newUser(options: UserOptions): Promise<{ userId: string; password: string }> {
  const { email, role, billable = false, password = randomPassword() } = options
  if (password === '') throw invalid('password', 'must not be empty')
  // Slow on purpose, so before the transaction: a running server waits for nobody's hash.
  const passwordHash = await Bun.password.hash(password, 'argon2id')
  const { userId } = await change(options, (tx, caller) =>
    createUser(tx, caller, { email, role, billable, passwordHash }),
  )
  return { userId, password }
}

function randomPassword(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(15))).toString('base64url')
}
