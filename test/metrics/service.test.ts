import { afterAll, describe, expect, test } from 'bun:test'
import { catalogue } from '../../src/metrics/catalogue.ts'
import { serverUrl } from '../support/data/postgres.ts'
import { until } from '../support/patience.ts'
import { emptyFolder, executable, logLines, type Running, run, serve } from '../support/processes/program.ts'
import { Succession } from '../support/processes/succession.ts'

/* Metrics of the service as an administrator starts it. */

const program = await executable()
const services: Running[] = []
afterAll(() => Promise.all(services.map((service) => service.stop())))

/** A service that tells metrics on a port of its own. */
async function start() {
  const service = await serve(program, { cwd: emptyFolder(), environment: { FRONTDESK_METRICS_PORT: '0' } })
  services.push(service)
  const url = /at (http:\S+\/metrics)$/m.exec(service.output.stdout)?.[1] ?? ''
  return { service, url, scrape: async () => (await fetch(url)).text() }
}

const node = await start()

test('they have a port of their own: the public one has none, and theirs has nothing else', async () => {
  const { service, url } = node
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  expect(new URL(url).port).not.toBe(new URL(service.url).port)
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
  const answers = ['/metrics', '/', '/healthz', '/v1/contacts', '/metrics/'].map((path) => fetch(new URL(path, url)))
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 404, 404, 404, 404])
  expect((await fetch(url, { method: 'POST' })).status).toBe(405)
})

/** Only where backups are made by themselves. */
const ofBackups = [
  'frontdesk_backup_period_seconds',
  'frontdesk_last_backup_timestamp_seconds',
  'frontdesk_last_backup_bytes',
  'frontdesk_damaged_backups',
]

test('all of them are there from the start, in the text format', async () => {
  await fetch(`${node.service.url}/healthz`)
  await until(async () => (await node.scrape()).includes('frontdesk_job_lateness_seconds_count'))
  const answer = await fetch(node.url)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await answer.text()
  const notHere = [...ofBackups, 'frontdesk_replica_lag_seconds', 'frontdesk_list_reads_total']
  if (serverUrl !== null) notHere.push('frontdesk_wal_bytes')
  const expected = Object.entries(catalogue).filter(([name]) => !notHere.includes(name))
  expect([...text.matchAll(/^# TYPE (\S+ \S+)$/gm)].map(([, told]) => told as string)).toEqual(
    expected.map(([name, { type }]) => `${name} ${type}`),
  )
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="([^"\\]|\\.)*",?)+\})? (\d+(\.\d+)?(e[+-]\d+)?))$/)
  }
})

test.if(Bun.which('promtool') !== null)('Prometheus’ own tool finds nothing to say against them', async () => {
  const check = Bun.spawn(['promtool', 'check', 'metrics'], {
    stdin: new Blob([await node.scrape()]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said = (await new Response(check.stdout).text()) + (await new Response(check.stderr).text())
  expect([await check.exited, said]).toEqual([0, ''])
})

test('each node counts for itself', async () => {
  const other = await start()
  expect(other.url).not.toBe(node.url)
  for (let i = 0; i < 3; i++) await fetch(`${other.service.url}/nothing`)
  const counted = 'frontdesk_http_requests_total{route="unknown",method="GET",status="404"} 3'
  await until(async () => (await other.scrape()).includes(counted))
  expect(await node.scrape()).not.toContain(counted)
})

test('a process that follows another tells its own where the other did', async () => {
  const { service, url, scrape } = await start()
  const succession = new Succession(service)
  const startOf = (text: string) => /^process_start_time_seconds (\S+)$/m.exec(text)?.[1]
  const first = startOf(await scrape())
  await succession.follow()
  const next = startOf(await scrape())
  expect([typeof next, next === first]).toEqual(['string', false])
  await succession.alone()
  expect(startOf(await (await fetch(url)).text())).toBe(next as string)
  await succession.stop()
})

describe('a start is refused', () => {
  const options = (environment: Record<string, string>) => ({ cwd: emptyFolder(), environment })

  test('on a port that is taken, in one line that names the variable', async () => {
    const { port } = new URL(node.url)
    const { code, stderr } = await run(program, ['serve'], options({ FRONTDESK_METRICS_PORT: port }))
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^[^\n]*FRONTDESK_METRICS_PORT: port \d+ on 127.0.0.1 is already in use\n$/),
    ])
  })

  test('with a host and no port, since nobody would be told', async () => {
    const { code, stderr } = await run(program, ['serve'], options({ FRONTDESK_METRICS_HOST: '127.0.0.1' }))
    expect([code, stderr]).toEqual([1, expect.stringContaining('FRONTDESK_METRICS_PORT: must be set')])
  })
})

test('a program that is held up says so in its log, and its metrics count it', async () => {
  const { service } = node
  const lines = () => logLines(service.output.stdout).filter(({ message }) => message.startsWith('nobody was served'))
  // Lines stand for all of a second, so that the first may be about something else.
  const line = await until(
    () => lines().find(({ ms }) => ms >= 1_000),
    async () => {
      service.kill('SIGSTOP')
      await Bun.sleep(1_200)
      service.kill('SIGCONT')
      await Bun.sleep(100)
    },
  )
  // It did nothing meanwhile.
  expect(line).toMatchObject({ level: 'warn', message: expect.stringContaining('other programs took the processor') })
  expect(line.cpuMs).toBeLessThan(line.ms / 2)
  const long = /^frontdesk_loop_stall_seconds_bucket\{le="(0\.5|\+Inf)"\} (\d+)$/gm
  const [short = 0, all = 0] = [...(await node.scrape()).matchAll(long)].map(([, , count]) => Number(count))
  expect(all).toBeGreaterThan(short)
})
