import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandCaller } from '../../src/caller.ts'
import { openDatabase } from '../../src/db/index.ts'
import { createInbox } from '../../src/inboxes/operations.ts'
import { createTenant } from '../../src/tenants/operations.ts'
import type { MailPlan } from './harness/mail-load.ts'
import { start } from './harness/processes.ts'
import { median, quantile, row } from './harness/report.ts'

const CONNECTIONS = 8
const SECONDS = 2
const ROUNDS = 7
const ADDRESS = 'help@acme.test'

/** Mails a second from the listener to committed tickets, beside a bare smtp-server that syncs each to a file. */
export async function benchMail(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const dataDir = join(folder, 'data')
    await makeInbox(dataDir)
    const service = await start(['src/main.ts', 'serve'], /takes mail on smtp:\/\/[^:]+:(\d+)/, {
      FRONTDESK_DATA: dataDir,
      FRONTDESK_PORT: '0',
      FRONTDESK_INBOUND_SMTP_PORT: '0',
      // A relay of ours: mails of strangers are limited to some a minute.
      FRONTDESK_TRUSTED_PROXIES: '127.0.0.1',
    })
    const floor = await start(['test/bench/floors/mail.ts', join(folder, 'mails')], /^(\d+)$/m, {})
    const plan = { to: ADDRESS, connections: CONNECTIONS, seconds: SECONDS }
    const rounds: { ours: number; floor: number }[] = []
    for (let round = -1; round < ROUNDS; round++) {
      const bare = await send({ ...plan, port: floor.port })
      const ours = await send({ ...plan, port: service.port })
      // The first round is for warming up.
      if (round >= 0) rounds.push({ ours, floor: bare })
    }
    await Promise.all([service.stop(), floor.stop()])
    const ratios = rounds.map(({ ours, floor }) => ours / floor)
    row('mails of 5 KB, 8 connections', 'service/s', 'floor/s', 'ratio', 'half of them')
    row(
      'mail to committed ticket',
      median(rounds.map(({ ours }) => ours)).toFixed(0),
      median(rounds.map(({ floor }) => floor)).toFixed(0),
      median(ratios).toFixed(2),
      `${quantile(ratios, 0.25).toFixed(2)}–${quantile(ratios, 0.75).toFixed(2)}`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function makeInbox(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir })
  const at = Date.now()
  const { tenantId } = await database.transaction((tx) => createTenant(tx, { name: 'Bench' }, at))
  const inbox = { name: 'Help', channel: 'email', emailAddress: ADDRESS }
  await database.transaction((tx) => createInbox(tx, commandCaller(tenantId, at), inbox))
  await database.close()
}

/** Mails a second, sent from another process so that they take no time from the server's. */
async function send(plan: MailPlan): Promise<number> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'harness/mail-load.ts')], {
    stdin: new Blob([JSON.stringify(plan)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return JSON.parse(await new Response(child.stdout).text())
}

if (import.meta.main) await benchMail()
