import type { Command } from 'commander'
import { addressHere, defaultBaseUrl, loadConfig } from '../../config.ts'
import { UserError } from '../../errors.ts'
import { withData } from '../command.ts'
import { say } from '../print.ts'

/** How long the service may take to answer, in milliseconds: what it waits for itself, and a little. */
const PATIENCE = 8_000

/** `health`: for what watches a service and has no HTTP client, as containers do not. */
export function healthCommand(root: Command): void {
  withData(root.command('health'))
    .description('ask the service that runs here whether it is well')
    .action(async ({ data }: { data?: string }) => {
      const { host, port } = loadConfig(process.env, { dataDir: data })
      const url = `${defaultBaseUrl(addressHere(host), port)}/healthz`
      const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), proxy: '' }).catch(() => null)
      if (answer === null) throw new UserError(`nobody answers at ${url}`)
      const health = (await answer.json().catch(() => ({}))) as { reason?: string; warnings?: string[] }
      if (!answer.ok) throw new UserError(health.reason ?? `${url} answers ${answer.status}`)
      for (const line of health.warnings?.length ? health.warnings : ['well']) say(line)
    })
}
