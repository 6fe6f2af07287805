import { Command, CommanderError } from 'commander'
import { AppError, UserError } from '../errors.ts'
import { VERSION } from '../version.ts'
import { backupCommands } from './backup.ts'
import { catalogueCommands } from './catalogue.ts'
import { copyCommand } from './copy.ts'
import { demoCommand } from './demo.ts'
import { formCommands } from './forms.ts'
import { keyCommands } from './keys.ts'
import { openApiCommand } from './openapi.ts'
import { serveCommands } from './serve.ts'
import { tenantCommands } from './tenants.ts'
import { ticketCommands } from './tickets.ts'

/** Exit codes: what was asked for failed, and the command line itself makes no sense. */
const FAILED = 1
const USAGE = 2

/**
 * Runs `frontdesk` with these arguments (decisions §11) and returns the exit code. Whatever an administrator can put
 * right is one line on stderr; a stack trace means a fault of ours.
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    await program().parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE
    process.stderr.write(`frontdesk: ${explain(error)}\n`)
    return FAILED
  }
}

function program(): Command {
  const root = new Command('frontdesk')
    .description('Forms, contacts and a support inbox behind one REST API.')
    .version(VERSION)
    // Commands added below inherit these.
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: (text, write) => write(`frontdesk: ${text.replace(/^error: /, '')}`) })
  for (const add of [
    serveCommands,
    demoCommand,
    tenantCommands,
    keyCommands,
    catalogueCommands,
    ticketCommands,
    formCommands,
    backupCommands,
    copyCommand,
    openApiCommand,
  ])
    add(root)
  return root
}

function explain(error: unknown): string {
  if (error instanceof UserError || error instanceof AppError) return error.message
  if (!(error instanceof Error)) return String(error)
  // The operating system and SQLite name what is wrong with the folder or the disk; the stack would not help.
  if ('code' in error && typeof error.code === 'string') return `${error.message} (${error.code})`
  return error.stack ?? error.message
}
