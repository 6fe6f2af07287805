import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { emptyFolder, executable, record, run, serve } from '../support/processes/program.ts'
import { timesAsLong } from '../support/runs/compare.ts'

test('listening on existing data takes little longer than saying the version', async () => {
  const program = await executable()
  const cwd = emptyFolder()
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
  const start = async () => (await serve(program, { cwd })).kill('SIGKILL')
  expect(await timesAsLong(start, () => run(program, ['--version'], { cwd }))).toBeLessThan(6)
})

test('an idle connection does not make stopping longer', async () => {
  const program = await executable()
  const cwd = emptyFolder()
  const stopping = async (isIdle: boolean) => {
    const service = await serve(program, { cwd })
    const idle = isIdle ? connect(Number(new URL(service.url).port), '127.0.0.1') : null
    if (idle) await new Promise((resolve) => idle.once('connect', resolve))
    await service.stop()
    idle?.destroy()
  }
  expect(
    await timesAsLong(
      () => stopping(true),
      () => stopping(false),
      { rounds: 5 },
    ),
  ).toBeLessThan(3)
})
