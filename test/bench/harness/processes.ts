import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BunFile, Subprocess } from 'bun'
import type { LoadPlan, LoadResult } from './load.ts'

/** A server in a process of its own. */
export interface Running {
  port: number
  pid: number
  /** What it has written to standard output, until it is stopped. */
  output: BunFile
  /** Whether it has ended by itself. */
  hasEnded(): boolean
  stop(): Promise<void>
}

/** Starts the service on a data folder, its limit raised out of the way. */
export async function startService(dataDir: string, environment: Record<string, string> = {}): Promise<Running> {
  return start(['src/main.ts', 'serve'], /listening on http:\/\/[^:]+:(\d+)/, {
    FRONTDESK_DATA: dataDir,
    FRONTDESK_PORT: '0',
    FRONTDESK_RATE_LIMIT: '1000000000',
    ...environment,
  })
}

/** Starts a receiver of webhooks. */
export async function startWebhookReceiver(): Promise<Running> {
  return start(['test/bench/harness/webhook-receiver.ts'], /^(\d+)$/m, {})
}

/** Starts the floor on a data folder. */
export async function startFloor(dataDir: string, tenantId: string): Promise<Running> {
  return start(['test/bench/floors/http.ts', dataDir, tenantId], /^(\d+)$/m, {})
}

/** What the service logs goes into a file, as it would on a server: reading a pipe would take time from the load. */
export async function start(args: string[], pattern: RegExp, env: Record<string, string>): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-log-'))
  const output = Bun.file(join(folder, 'stdout'))
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: join(import.meta.dir, '../../..'),
    env: { ...process.env, ...env },
    stdout: output,
    stderr: 'inherit',
  })
  return {
    port: await portIn(output, pattern, child),
    pid: child.pid,
    output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      child.kill()
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function portIn(output: BunFile, pattern: RegExp, child: Subprocess): Promise<number> {
  for (;;) {
    const port = pattern.exec(await output.text())?.[1]
    if (port) return Number(port)
    if (child.exitCode !== null) throw new Error(`it ended before it listened: ${await output.text()}`)
    await Bun.sleep(2)
  }
}

/** Runs a load against a port, from another process so that it takes no time from the server's. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'load.ts')], {
    stdin: new Blob([JSON.stringify(plan)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const result: LoadResult = JSON.parse(await new Response(child.stdout).text())
  if (Object.keys(result.failures).length > 0) throw new Error(`requests failed: ${JSON.stringify(result.failures)}`)
  return result
}

/** Resident memory of a process, in MB. */
export async function residentMemory(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** How long a process has kept processors busy, in milliseconds, to the hundredth of a second. */
export async function busyTime(pid: number): Promise<number> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text()
  // After the name, which may hold anything; of user and system, in ticks of 10 ms.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
