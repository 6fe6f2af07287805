import type { Command } from 'commander'
import { formRecordOf } from '../../forms/operations.ts'
import { changesInCsv, csvOfTexts } from '../../forms/texts/csv.ts'
import { changeTexts } from '../../forms/texts/operations.ts'
import { type TextSheet, textSheet } from '../../forms/texts/read.ts'
import { checkLanguage } from '../../lib/language/languages.ts'
import { change, look, type TenantOptions, withTenant } from '../command.ts'
import { readBytesInput } from '../input.ts'
import { writeOutput } from '../output.ts'
import { print } from '../print.ts'

type TextsOptions = TenantOptions & { form: string; language: string }

/** `form texts export` and `form texts import`: what a form says in another language (decisions §24). */
export function textsCommands(form: Command): void {
  const texts = form.command('texts').description('what a form says in another language than its own')

  withTenant(texts.command('export [file]'))
    .description('write the texts as CSV, key, base and text, to a file or to standard output; missing ones are empty')
    .requiredOption('--form <id>')
    .requiredOption('--language <tag>', 'de, pt-BR')
    .action(async (file: string | undefined, options: TextsOptions) => {
      const csv = csvOfTexts(await look(options, (db, tenantId) => sheetOf(db, tenantId, options)))
      await writeOutput(file, csv)
    })

  withTenant(texts.command('import [file]'))
    .description('take texts from CSV; empty ones leave what is there, and a key that the form lacks refuses the file')
    .requiredOption('--form <id>')
    .requiredOption('--language <tag>', 'de, pt-BR')
    .action(async (file: string | undefined, options: TextsOptions) => {
      const changes = await changesInCsv(await readBytesInput(file, 'the CSV'))
      const sheet = await change(options, (tx, caller) =>
        changeTexts(tx, caller, options.form, options.language, changes),
      )
      print(summaryOf(sheet), options)
    })
}

async function sheetOf(
  db: Parameters<typeof formRecordOf>[0],
  tenantId: string,
  { form, language }: TextsOptions,
): Promise<TextSheet> {
  return textSheet(db, tenantId, await formRecordOf(db, tenantId, form), checkLanguage(language, '--language'))
}

function summaryOf({ language, texts, missing, outdated }: TextSheet) {
  return { language, texts: texts.length, missing, outdated }
}
