import { createReadStream } from 'node:fs'
import type { Command } from 'commander'
import type { Caller } from '../../caller.ts'
import { deleteQuarantined, listQuarantine, retryQuarantined } from '../../channels/email/quarantine.ts'
import type { ReceiveDeps } from '../../channels/email/receiving/reading.ts'
import { receiveMail } from '../../channels/email/receiving/receive.ts'
import type { Received } from '../../channels/email/receiving/take-mail.ts'
import { createChannels } from '../../channels/index.ts'
import { invalid, rule, UserError } from '../../errors.ts'
import { openFiles } from '../../files/index.ts'
import { findInbox, requireInUse } from '../../inboxes/operations.ts'
import { openSecretsBeside } from '../../installation/secret-key.ts'
import { systemClock } from '../../lib/clock.ts'
import { createLog } from '../../lib/log/log.ts'
import { forTenant, look, noun, type TenantOptions, withTenant } from '../command.ts'
import { print } from '../print.ts'

/** The largest file that is read at all: above what an inbox takes, so that such a mail is kept in quarantine. */
const MAX_FILE = 100 * 1024 * 1024

/** `mail deliver` and `mail quarantine …`. */
export function mailCommands(root: Command): void {
  const mail = noun(root, 'mail')

  withTenant(mail.command('deliver'))
    .description('take one raw mail from a file or standard input, as the listener does')
    .argument('[file]')
    .requiredOption('--inbox <id>', 'the email inbox it is for')
    .action(async (file: string | undefined, options: TenantOptions & { inbox: string }) => {
      const raw = await readMail(file)
      const taken = await receiving(options, async (deps, { tenantId }) => {
        const inbox = await findInbox(deps.database.db, tenantId, options.inbox.toLowerCase())
        if (inbox?.channel !== 'email') throw invalid('--inbox', rule('email_inbox_unknown'))
        requireInUse(inbox)
        const at = systemClock.now()
        return receiveMail(deps, { raw, at, inbox: { tenantId, id: inbox.id }, envelope: null, connection: null })
      })
      printTaken(taken, options)
    })

  quarantineCommands(mail.command('quarantine').description('mails that could not be understood'))
}

function quarantineCommands(quarantine: Command): void {
  withTenant(quarantine.command('list'))
    .description('list them all, newest first')
    .action(async (options: TenantOptions) => print(await look(options, listQuarantine), options))

  withTenant(quarantine.command('retry'))
    .description('take one again, as if it came in now')
    .requiredOption('--mail <id>', 'quarantineId of the mail')
    .action(async (options: TenantOptions & { mail: string }) => {
      printTaken(await receiving(options, (deps, caller) => retryQuarantined(deps, caller, options.mail)), options)
    })

  withTenant(quarantine.command('delete'))
    .description('delete one for good')
    .requiredOption('--mail <id>', 'quarantineId of the mail')
    .action(async (options: TenantOptions & { mail: string }) => {
      await receiving(options, (deps, caller) => deleteQuarantined(deps, caller, options.mail))
      print({ quarantineId: options.mail.toLowerCase() }, options)
    })
}

/** Where it lies is of interest only while it lies there. */
function printTaken({ quarantineId, ...taken }: Received, options: TenantOptions): void {
  print({ ...taken, ...(quarantineId === null ? {} : { quarantineId }) }, options)
}

/** Takes mail into the data folder, which a service may be serving. */
function receiving<T>(options: TenantOptions, work: (deps: ReceiveDeps, caller: Caller) => Promise<T>): Promise<T> {
  return forTenant(options, async ({ config, database }, caller) => {
    const files = openFiles(config)
    const secrets = await openSecretsBeside(config, database)
    const log = createLog((line) => process.stderr.write(line), true)
    const basis = { config, database, files, secrets, log }
    return work({ ...basis, channels: createChannels({ ...basis, clock: systemClock }) }, caller)
  })
}

async function readMail(file: string | undefined): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of file === undefined ? process.stdin : createReadStream(file)) {
    size += piece.length
    if (size > MAX_FILE) throw new UserError(`${file ?? 'standard input'}: is larger than 100 MiB, which is no mail`)
    pieces.push(piece)
  }
  if (size === 0) throw new UserError(`${file ?? 'standard input'}: is empty`)
  return Buffer.concat(pieces)
}
