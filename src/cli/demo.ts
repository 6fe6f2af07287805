import { styleText } from 'node:util'
import type { Command } from 'commander'
import { listSources } from '../articles/sources.ts'
import { type Config, defaultBaseUrl, loadConfig } from '../config.ts'
import { lockForService, openDatabase } from '../db/index.ts'
import { findExamples } from '../demo/examples.ts'
import { type Demo, prepareDemo } from '../demo/index.ts'
import { openFiles } from '../files/index.ts'
import { systemClock } from '../lib/clock.ts'
import { openSecrets } from '../secrets/key.ts'
import { type DataOptions, withData } from './command.ts'
import { say } from './print.ts'
import { serve } from './serve.ts'

/** `demo`. */
export function demoCommand(root: Command): void {
  withData(root.command('demo'))
    .description('serve a data folder that is filled, on the first run, with a made-up tenant')
    .action(async (options: DataOptions) => {
      const demo = await prepare(loadConfig(process.env, { dataDir: options.data }))
      await serve(options, ({ deps }) => introduce(demo, deps.config), {
        examples: (db) => findExamples(db, demo.tenantId),
        demoSource: async (db) => (await listSources(db, demo.tenantId)).at(-1)?.id ?? null,
      })
    })
}

/** Fills the folder while nobody serves it. */
async function prepare(config: Config): Promise<Demo> {
  const unlock = lockForService(config)
  try {
    const database = await openDatabase(config)
    try {
      const files = openFiles(config)
      const secrets = await openSecrets(config, database)
      return await prepareDemo(database, { dataDir: config.dataDir, files, secrets }, systemClock.now())
    } finally {
      await database.close()
    }
  } finally {
    unlock()
  }
}

function introduce({ key, launchCode, isNew }: Demo, { host, port, baseUrl, dataDir }: Config): void {
  const bold = (text: string) => styleText('bold', text, { stream: process.stdout })
  const contacts = `${defaultBaseUrl(host, port)}/v1/contacts?limit=3`
  const state = isNew ? 'was filled with' : 'still holds'
  say(`
${bold('Harbour & Pine')} is open: ${dataDir} ${state} three months of invented customers, forms and tickets.

  ${bold('API docs')}  ${baseUrl}/docs
  ${bold('A form')}    ${launchCode === null ? 'none is open' : `${baseUrl}/f/${launchCode}`}
  ${bold('A chat')}    ${baseUrl}/demo-site
  ${bold('API key')}   ${key}

Try it in another terminal:

  curl -H 'Authorization: Bearer ${key}' '${contacts}'
`)
}
