import { join } from 'node:path'
import type { LoadPlan, LoadResult } from './load.ts'

/** A server in a process of its own. */
export interface Running {
  port: number
  pid: number
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
  return start(['test/bench/webhook-receiver.ts'], /^(\d+)$/m, {})
}

/** Starts the floor on a data folder. */
export async function startFloor(dataDir: string, tenantId: string): Promise<Running> {
  return start(['test/bench/floor.ts', dataDir, tenantId], /^(\d+)$/m, {})
}

async function start(args: string[], pattern: RegExp, env: Record<string, string>): Promise<Running> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: join(import.meta.dir, '../..'),
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let output = ''
  const decoder = new TextDecoder()
  const reader = child.stdout.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`${args.join(' ')} ended before it listened: ${output}`)
    output += decoder.decode(value)
    const port = pattern.exec(output)?.[1]
    if (port) {
      void drain(reader)
      return {
        port: Number(port),
        pid: child.pid,
        async stop() {
          child.kill()
          await child.exited
        },
      }
    }
  }
}

/** The log has to go somewhere, or the pipe fills and the service waits. */
async function drain(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  while (!(await reader.read()).done);
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
