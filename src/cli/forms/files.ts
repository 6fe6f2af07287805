import type { Command } from 'commander'
import { importForm } from '../../forms/portable/import.ts'
import { ALONE, readFormFile } from '../../forms/portable/read.ts'
import { exportForm, writeForm } from '../../forms/portable/write.ts'
import { change, look, type TenantOptions, withTenant } from '../command.ts'
import { readBytesInput } from '../input.ts'
import { writeOutput } from '../output.ts'
import { print } from '../print.ts'

/** `form export` and `form import`: everything that belongs to a form but its responses, as one file (decisions §21). */
export function fileCommands(form: Command): void {
  withTenant(form.command('export [file]'))
    .description('write a form as JSON, to a file or to standard output: all of it but its responses, as it is drafted')
    .requiredOption('--form <id>')
    .action(async (file: string | undefined, options: TenantOptions & { form: string }) => {
      const text = await writeForm(await look(options, (db, tenantId) => exportForm(db, tenantId, options.form)))
      await writeOutput(file, text)
    })

  withTenant(form.command('import [file]'))
    .description(
      'make a form of such a file, unpublished; what breaks a rule refuses it whole, and is said with its place',
    )
    .action(async (file: string | undefined, options: TenantOptions) => {
      const read = await readFormFile(await readBytesInput(file, 'the JSON'), ALONE)
      const { id, title, launchCode } = await change(options, (tx, caller) => importForm(tx, caller, read))
      print({ id, title, launchCode }, options)
    })
}
