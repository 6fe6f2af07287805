import { afterAll, beforeAll, expect, test } from 'bun:test'
import { isPostgresHere, startPostgres } from '../support/data/postgres.ts'
import { until } from '../support/patience.ts'
import { askOnAndOn, missing } from '../support/processes/clients.ts'
import {
  emptyFolder,
  executable,
  faultLines,
  type Program,
  record,
  run,
  serve,
  source,
} from '../support/processes/program.ts'
import { isThere, Succession } from '../support/processes/succession.ts'

/** How often one process follows another in each test; asked for more by hand. */
const RESTARTS = Number(process.env.RESTARTS ?? 4)
/** So many requests at least are answered between two of them. */
const REQUESTS = 500
const CLIENTS = 8
/** How often a process is killed, and how soon after the other was started, in milliseconds. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 4)
const KILLED_WITHIN = 1_500

let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined
beforeAll(async () => {
  if (isPostgresHere) postgres = await startPostgres()
})
const open: Succession[] = []
afterAll(async () => {
  for (const succession of open) succession.kill()
  await postgres?.stop()
})

async function started(program: Program, environment: Record<string, string> = {}) {
  const cwd = emptyFolder()
  const { tenantId } = await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd, environment })
  const made = ['key', 'create', '--tenant', tenantId, '--name', 'k', '--scopes', 'contacts:read,contacts:write']
  const { key } = await record(program, made, { cwd, environment })
  const options = { cwd, environment: { FRONTDESK_RATE_LIMIT: '1000000000', ...environment } }
  const start = async () => {
    const succession = new Succession(await serve(program, options))
    open.push(succession)
    return succession
  }
  return { start, key: key as string, program, options }
}

/** Asks on and on while `meanwhile` runs. */
async function underLoad(url: string, key: string, meanwhile: () => Promise<void>) {
  const over = new AbortController()
  const asking = askOnAndOn({ url, key, signal: over.signal, count: CLIENTS })
  await meanwhile().finally(() => over.abort())
  return asking
}

const programs: [string, () => Promise<Program>][] = [
  ['the executable', executable],
  [
    'the source',
    async () => ({ ...source, ...(await executable().then(({ uid }) => (uid === undefined ? {} : { uid }))) }),
  ],
]
const engines: [string, () => Record<string, string> | null][] = [
  ['SQLite', () => ({})],
  [
    'PostgreSQL',
    () =>
      postgres
        ? { FRONTDESK_DATABASE_URL: postgres.url, FRONTDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }
        : null,
  ],
]

for (const [what, program] of programs) {
  for (const [engine, environment] of engines) {
    test(`of requests to ${what} on ${engine}, none is lost while processes follow each other`, async () => {
      const env = environment()
      if (!env) return
      const { start, key } = await started(await program(), env)
      const succession = await start()
      const { url } = succession.service
      const seen = await underLoad(url, key, async () => {
        const answered = () => succession.service.requests().length
        for (let i = 0; i < RESTARTS; i++) {
          const before = answered()
          await until(() => answered() >= before + REQUESTS)
          await succession.follow()
        }
        const before = answered()
        await until(() => answered() >= before + REQUESTS)
      })
      expect(seen.lost).toEqual([])
      expect(await missing(url, key, seen.acknowledged)).toEqual([])
      const { asked, slowest } = seen
      if (process.env.RESTARTS) process.stdout.write(`${JSON.stringify({ what, engine, asked, slowest })}\n`)
      const { stdout, stderr } = await succession.stop()
      expect(stderr).toBe('')
      expect(faultLines(stdout)).toEqual([])
    })
  }
}

test('of two processes that follow each other either may be killed: nothing acknowledged is lost, and one has the data', async () => {
  const { start, key, program, options } = await started(await executable())
  const acknowledged: string[] = []
  let succession = await start()
  for (let i = 0; i < KILLS; i++) {
    const { service } = succession
    const [before] = [succession.pid]
    const seen = await underLoad(service.url, key, async () => {
      process.kill(before, 'SIGHUP')
      const follower = await until(() => childOf(before))
      await Bun.sleep(Math.random() * KILLED_WITHIN)
      process.kill(i % 2 === 0 ? follower : before, 'SIGKILL')
      // The other goes on, or has nothing left to do: it had left everything to the one that was killed.
      const settled = () => {
        const [there, ...others] = [before, follower].filter(isThere)
        return others.length === 0 ? { there } : null
      }
      const { there } = await until(settled)
      if (there === undefined) return
      await until(() => answers(service.url, there))
      succession.pids.push(there)
    })
    acknowledged.push(...seen.acknowledged)
    if (!isThere(succession.pid)) succession = await start()
    expect(await missing(succession.service.url, key, acknowledged)).toEqual([])
    const another = await run(program, ['serve'], options)
    expect(another).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by a running frontdesk') })
  }
  expect(acknowledged.length).toBeGreaterThan(0)
  await succession.stop()
})

/** The process that was started by this one, once there is one. */
function childOf(pid: number): number | null {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(pid)])
  return Number(stdout.toString().trim().split('\n')[0]) || null
}

/** Whether somebody answers there, or the process has ended. */
async function answers(url: string, pid: number): Promise<boolean> {
  if (!isThere(pid)) return true
  return fetch(`${url}/healthz`).then(
    ({ status }) => status === 200,
    () => false,
  )
}
