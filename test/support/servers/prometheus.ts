import { afterAll } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../patience.ts'
import { emptyFolder } from '../processes/program.ts'

/** Debian's Prometheus, with promtool. Not needed for a check to pass: what it would look at is compared without it too. */
export const hasPrometheus = Bun.which('prometheus') !== null && Bun.which('promtool') !== null

if (!hasPrometheus) console.error('no prometheus: nothing fetches the metrics in tests (apt install prometheus)')

const servers = new Set<Bun.Subprocess>()
afterAll(() => {
  for (const server of servers) server.kill('SIGKILL')
})

/** Runs promtool; returns its exit code and what it said. */
export async function promtool(args: readonly string[], stdin = ''): Promise<{ code: number; said: string }> {
  const tool = Bun.spawn(['promtool', ...args], { stdin: new Blob([stdin]), stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(tool.stdout).text(), new Response(tool.stderr).text()])
  return { code: await tool.exited, said: out + err }
}

/** A Prometheus of its own on a free port. `ask` evaluates an expression. Ended after the test file. */
export async function startPrometheus(configuration: string) {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'prometheus.yml'), configuration)
  const server = Bun.spawn(
    [
      'prometheus',
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      '--web.listen-address=127.0.0.1:0',
    ],
    { cwd: folder, stdout: 'ignore', stderr: Bun.file(join(folder, 'log')) },
  )
  servers.add(server)
  const log = () => Bun.file(join(folder, 'log')).text()
  const address = await until(
    async () => /"Listening on" address=(\S+)/.exec(await log().catch(() => ''))?.[1],
    async () => {
      if (server.exitCode !== null) throw new Error(`prometheus has ended: ${await log()}`)
    },
  )
  // It listens before it answers: until then all that it is asked is a 503.
  await until(() => fetch(`http://${address}/-/ready`).then(({ ok }) => ok))
  const get = async (path: string) => {
    const answer = await fetch(`http://${address}${path}`)
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
    return (await answer.json()) as any
  }
  return {
    get,
    /** What an expression comes to: each series with its labels and value. Throws where it cannot be evaluated. */
    async ask(expression: string): Promise<{ metric: Record<string, string>; value: number }[]> {
      const { status, data, error } = await get(`/api/v1/query?query=${encodeURIComponent(expression)}`)
      if (status !== 'success') throw new Error(`${expression}: ${error}`)
      return data.result.map(({ metric, value }: { metric: Record<string, string>; value: [number, string] }) => ({
        metric,
        value: Number(value[1]),
      }))
    },
  }
}
