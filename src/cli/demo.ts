import { join } from 'node:path'
import { styleText } from 'node:util'
import type { Command } from 'commander'
import { type Config, defaultBaseUrl, inboundSmtpUrl, loadConfig } from '../config.ts'
import { lockForService } from '../db/index.ts'
import { HELP_ADDRESS } from '../demo/company.ts'
import { findExamples, helpSource } from '../demo/examples.ts'
import type { Demo } from '../demo/index.ts'
import { openInstallation } from '../installation/open.ts'
import { systemClock } from '../lib/clock.ts'
import type { Service } from '../service.ts'
import { type DataOptions, withData } from './command.ts'
import { say } from './print.ts'
import { serve } from './serve.ts'

/** `demo`. */
export function demoCommand(root: Command): void {
  withData(root.command('demo'))
    .description('serve a data folder that is filled, on the first run, with a made-up tenant')
    .action(async (options: DataOptions) => {
      const environment = withMail(process.env)
      const demo = await prepare(loadConfig(environment, { dataDir: options.data }))
      await serve(options, {
        environment,
        started: (service) => introduce(demo, service),
        examples: (db) => findExamples(db, demo.tenantId, demo.guest),
        demoSource: (db) => helpSource(db, demo.tenantId),
      })
    })
}

/** The demo takes mail, on a free port unless one is chosen: another one on this machine is not to keep it from starting. */
function withMail(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, FRONTDESK_INBOUND_SMTP_PORT: environment.FRONTDESK_INBOUND_SMTP_PORT || '0' }
}

/** Fills the folder while nobody serves it. */
async function prepare(config: Config): Promise<Demo> {
  const unlock = lockForService(config)
  try {
    const { database, files, secrets } = await openInstallation(config)
    try {
      const { prepareDemo } = await import('../demo/index.ts')
      return await prepareDemo(database, { dataDir: config.dataDir, files, secrets }, systemClock.now())
    } finally {
      await database.close()
    }
  } finally {
    unlock()
  }
}

function introduce({ key, admin, launchCode, sourceId, isNew }: Demo, { deps, mail }: Service): void {
  const { host, port, baseUrl, dataDir, smtpUrl } = deps.config
  const bold = (text: string) => styleText('bold', text, { stream: process.stdout })
  const contacts = `${defaultBaseUrl(host, port)}/v1/contacts?limit=3`
  const state = isNew ? 'was filled with' : 'still holds'
  const replies = smtpUrl === null ? `${join(dataDir, 'outbox')}/*.eml` : 'the mail server of FRONTDESK_SMTP_URL'
  say(`
${bold('Harbour & Pine')} is open: ${dataDir} ${state} three months of invented customers, forms and tickets.

  ${bold('Console')}   ${baseUrl}/console
  ${bold('Sign in')}   ${admin.email}, password ${admin.password ?? 'as it was chosen in the console'}
  ${bold('API docs')}  ${baseUrl}/docs
  ${bold('A form')}    ${launchCode === null ? 'none is open' : `${baseUrl}/f/${launchCode}`}
  ${bold('A chat')}    ${sourceId === null ? 'none is left' : `${baseUrl}/demo-site`}
  ${bold('Help')}      ${sourceId === null ? 'none is left' : `${baseUrl}/help/${sourceId}`}
  ${bold('API key')}   ${key}
  ${bold('Mail in')}   ${mail ? `${inboundSmtpUrl(mail)}, to ${HELP_ADDRESS}` : 'none'}
  ${bold('Mail out')}  ${replies}

Try it in another terminal:

  curl -H 'Authorization: Bearer ${key}' '${contacts}'
${mail ? mailLine(inboundSmtpUrl(mail)) : ''}`)
}

/** What sends a mail that becomes a ticket. */
function mailLine(url: string): string {
  const from = 'ada@example.com'
  const text = `From: Ada <${from}>\\nTo: ${HELP_ADDRESS}\\nSubject: My booking\\n\\nWhich room is it?\\n`
  return `
  printf '${text}' | curl -sS --crlf --mail-from ${from} --mail-rcpt ${HELP_ADDRESS} -T - ${url}
`
}
