import type { Command } from 'commander'
import { getForm } from '../../forms/operations.ts'
import { closeForm, publishForm, trashForm } from '../../forms/publishing.ts'
import { change, configOf, noun, type TenantOptions, withTenant } from '../command.ts'
import { print, say } from '../print.ts'
import { fileCommands } from './files.ts'
import { settingsCommand } from './settings.ts'
import { textsCommands } from './texts.ts'

type FormOptions = TenantOptions & { form: string }

/** `form publish`, `form close`, `form trash`, `form settings`, `form export`, `form import` and `form texts`. */
export function formCommands(root: Command): void {
  const form = noun(root, 'form')

  withTenant(form.command('publish'))
    .description('publish a form and print its address: its page collects from here on')
    .requiredOption('--form <id>')
    .action(publish)

  for (const [name, description, operation] of [
    ['close', 'stop collecting', closeForm],
    ['trash', 'put a form into the trash, out of sight', trashForm],
  ] as const) {
    withTenant(form.command(name))
      .description(description)
      .requiredOption('--form <id>')
      .action(async (options: FormOptions) => {
        print(await change(options, (tx, caller) => operation(tx, caller, options.form)), options)
      })
  }
  settingsCommand(form)
  fileCommands(form)
  textsCommands(form)
}

async function publish(options: FormOptions): Promise<void> {
  const { baseUrl } = configOf(options)
  const published = await change(options, async (tx, caller) => {
    const item = await publishForm(tx, caller, options.form)
    const { launchCode } = await getForm(tx, caller.tenantId, item.id)
    return { ...item, launchCode, url: `${baseUrl}/f/${launchCode}` }
  })
  if (options.json) print(published, options)
  else say(published.url)
}
