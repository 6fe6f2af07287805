import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { endBrowser } from '../../support/pages/browser.ts'
import { startService } from '../harness/processes.ts'
import { print } from '../harness/report.ts'
import { seedConsole } from '../seeds/console.ts'
import { measureIdle } from './idle.ts'
import { measureMessages } from './messages.ts'
import { openConsoles, staffOf } from './staff.ts'
import { measureSteps } from './steps.ts'

/** Agents who are at it while it is measured. */
const AGENTS = 50

/**
 * The desk in a browser with 20,000 tickets and 200,000 messages, while 50 agents have theirs open: from the key or click to
 * the other ticket on the screen, and from what a visitor says until it is on the screen of an agent, each beside a floor that
 * has the same pages ready and only shows them; and what 500 open consoles cost while nothing happens, beside a service that
 * has shown as many pages and has none open.
 */
export async function benchDesk(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    await seedConsole(folder)
    const { cookies, sourceId } = await staffOf(folder, AGENTS)
    sayLoad()
    await measureIdle(folder, cookies)
    const service = await startService(folder, { FRONTDESK_PUBLIC_RATE_LIMIT: '1000000000' })
    const desk = { service, origin: `http://127.0.0.1:${service.port}`, folder, cookies, sourceId }
    const agents = await openConsoles(desk.origin, cookies.slice(2, AGENTS), folder)
    sayLoad()
    const pages = await measureSteps(desk)
    await measureMessages(desk, pages)
    sayLoad()
    await endBrowser()
    await agents.stop()
    await service.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the times depend on more than on anything of ours. */
function sayLoad(): void {
  const [minute = 0] = loadavg()
  print(`\n${availableParallelism()} processors, load of the last minute: ${minute.toFixed(1)}`)
}

if (import.meta.main) await benchDesk()
