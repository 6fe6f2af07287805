import { Command, CommanderError } from 'commander'
import { VERSION } from '../version.ts'
import { type DataOptions, withData } from './command.ts'
import { explain } from './explain.ts'
import { serveCommands } from './serve.ts'

/** Exit codes: what was asked for failed, and the command line itself makes no sense. */
const FAILED = 1
const USAGE = 2

/**
 * Runs `frontdesk` with these arguments (decisions §11) and returns the exit code. Whatever an administrator can put
 * right is one line on stderr; a stack trace means a fault of ours.
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  // Whoever reads the output (`| head`) may have read enough.
  process.stdout.on('error', (error) => {
    if (!('code' in error && error.code === 'EPIPE')) throw error
  })
  try {
    const root = await commandTree(args)
    await root.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE
    process.stderr.write(`frontdesk: ${explain(error)}\n`)
    return FAILED
  }
}

/** Every command there is, with what it takes; where `args` begin with `serve`, that alone. */
export async function commandTree(args: readonly string[] = []): Promise<Command> {
  const root = new Command('frontdesk')
    .description('Forms, contacts and a support inbox behind one REST API.')
    .version(VERSION)
    // Commands added below inherit these.
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`frontdesk: ${text.replace(/^error: /, '')}`) })
  // The root takes its options wherever they stand, so `--data` may come before the command or behind it.
  withData(root).hook('preAction', (_, command) => {
    const { data } = root.opts<DataOptions>()
    if (data !== undefined) command.setOptionValue('data', data)
  })
  // A service stands for months, and would keep the code of all the others in memory.
  const added = args[0] === 'serve' ? [serveCommands] : (await import('./commands.ts')).commands
  for (const add of added) add(root)
  requireLast(root)
  return root
}

/**
 * Commander looks for required options first, and would answer `--nmae Acme` with a missing `--name`. So they are asked
 * for once all that is unknown has been named with what it may have meant; the help marks them.
 */
function requireLast(command: Command): void {
  const required = command.options.filter(({ mandatory }) => mandatory)
  for (const option of required) {
    option.mandatory = false
    option.description = `${option.description} (required)`.trimStart()
  }
  command.hook('preAction', () => {
    const missing = required.find((option) => command.getOptionValue(option.attributeName()) === undefined)
    if (missing) command.error(`error: required option '${missing.flags}' not specified`)
  })
  command.commands.forEach(requireLast)
}
