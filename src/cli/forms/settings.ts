import { readFile, stat } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { UserError } from '../../errors.ts'
import { MAX_FONT_SIZE } from '../../forms/settings/fonts.ts'
import { changeSettings } from '../../forms/settings/operations.ts'
import { MAX_PICTURE_SIZE } from '../../forms/settings/pictures.ts'
import type { SettingsChanges } from '../../forms/settings/read.ts'
import { type FormFileKind, formFileKinds } from '../../kinds/form-files.ts'
import { change, type TenantOptions, withTenant } from '../command.ts'
import { print } from '../print.ts'

/** As they were typed: an empty one clears, and one that is left out is undefined. */
interface SettingsOptions extends TenantOptions, Partial<Record<FormFileKind, string>> {
  form: string
  language?: string
  thanks?: string
  redirect?: string
  accent?: string
  scheme?: string
  font?: string
  corners?: string
  background?: string
  closes?: string
  maxResponses?: string
  hidden?: string
  notify?: string
  mode?: string
  copy?: string
  later?: string
}

/** `form settings`: changes those that are named and prints them all (decisions §11, §12). */
export function settingsCommand(form: Command): void {
  withTenant(form.command('settings'))
    .description('change what is named, and print all settings; an empty option clears its setting')
    .requiredOption('--form <id>')
    .option('--language <tag>', 'of the pages: de, pt-BR (the tenant’s)')
    .option('--thanks <html>', 'what stands at the end')
    .option('--redirect <url>', 'where respondents are taken at the end, with the response as a parameter')
    .option('--accent <#rrggbb>', 'colour')
    .option('--scheme <scheme>', 'auto, light or dark (auto)')
    .option('--font <letters>', 'sans, serif or mono (sans)')
    .option('--font-file <file>', 'a font of your own: WOFF2 of at most 512 KiB')
    .option('--corners <corners>', 'round, slight or square (round)')
    .option('--background <#rrggbb>', 'colour around the form')
    .option('--background-image <file>', 'picture around the form: as a logo')
    .option('--cover <file>', 'picture at the head of the first page: as a logo')
    .option('--closes <date-time>', 'when collecting ends')
    .option('--max-responses <number>', 'how many complete responses end collecting')
    .option('--hidden <names>', 'names of hidden fields, with commas between')
    .option('--notify <addresses>', 'who gets a mail for each complete response, with commas between')
    .option('--logo <file>', 'PNG, JPEG, GIF or WebP of at most 1 MiB')
    .option('--mode <mode>', 'page or step, one question at a time (page)')
    .addOption(yesOrNo('--copy <yes|no>', 'mails respondents their answers, at the address that they give (no)'))
    .addOption(yesOrNo('--later <yes|no>', 'offers respondents a link by mail to go on with later (no)'))
    .action(async (options: SettingsOptions) => {
      const changes = await changesOf(options)
      print(await change(options, (tx, caller) => changeSettings(tx, caller, options.form, changes)), options)
    })
}

const yesOrNo = (flags: string, meaning: string) => new Option(flags, meaning).choices(['yes', 'no', ''])

async function changesOf(options: SettingsOptions): Promise<SettingsChanges> {
  const { language, thanks, redirect, accent, scheme, font, corners, background, mode } = options
  const { closes, maxResponses, hidden, notify, copy, later } = options
  return {
    ...typed({ language, thanks, redirect, accent, scheme, font, corners, background, closes, mode }, (text) => text),
    ...typed({ maxResponses }, (text) => (/^\d{1,15}$/.test(text) ? Number(text) : text)),
    ...typed({ copy, later }, (text) => text === 'yes'),
    ...typed({ hidden, notify }, (text) => text.split(',')),
    ...(await filesOf(options)),
  }
}

/** The files that were named, null for an empty name. */
async function filesOf(options: SettingsOptions): Promise<SettingsChanges> {
  const files: { [K in FormFileKind]?: Uint8Array | null } = {}
  for (const kind of formFileKinds) {
    const path = options[kind]
    if (path !== undefined) files[kind] = path === '' ? null : await readFileOf(kind, path)
  }
  return files
}

/** The options that were given, null for an empty one. */
function typed(options: Record<string, string | undefined>, read: (text: string) => unknown): SettingsChanges {
  const given = Object.entries(options).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(given.map(([name, text]) => [name, text.trim() === '' ? null : read(text.trim())]))
}

async function readFileOf(kind: FormFileKind, path: string): Promise<Uint8Array> {
  const option = `--${kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const [most, said] = kind === 'fontFile' ? [MAX_FONT_SIZE, '512 KiB'] : [MAX_PICTURE_SIZE, '1 MiB']
  try {
    const { size } = await stat(path)
    if (size > most) throw new UserError(`${option}: must be at most ${said}`)
    return await readFile(path)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${option}: ${path} cannot be read: ${(error as Error).message}`)
  }
}
