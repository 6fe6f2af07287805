import type { Command } from 'commander'
import { closeForm, publishForm, trashForm } from '../forms/publishing.ts'
import { change, noun, ofTenant, type TenantOptions } from './command.ts'
import { print } from './print.ts'

/** `form publish`, `form close` and `form trash`. */
export function formCommands(root: Command): void {
  const form = noun(root, 'form')
  for (const [name, description, operation] of [
    ['publish', 'publish a form: its page collects from here on', publishForm],
    ['close', 'stop collecting', closeForm],
    ['trash', 'put a form into the trash, out of sight for good', trashForm],
  ] as const) {
    ofTenant(form.command(name))
      .description(description)
      .requiredOption('--form <id>')
      .action(async (options: TenantOptions & { form: string }) => {
        print(await change(options, (tx, caller) => operation(tx, caller, options.form)), options)
      })
  }
}
