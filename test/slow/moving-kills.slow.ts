import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { membersOf } from '../support/data/moving.ts'
import { emptyFolder, executable, record, run, serve, spawn } from '../support/processes/program.ts'

/** How often each is killed, each time a little later than before. */
const KILLS = Number(process.env.CHAOS_KILLS ?? '25')

test(`kill -9 of an export or an import leaves no half of a tenant, and the next one is whole (${KILLS} times each)`, async () => {
  const program = await executable()
  const cwd = emptyFolder()
  const demo = await serve(program, { cwd }, ['demo'])
  await demo.stop()
  const [tenant] = await record(program, ['tenant', 'list'], { cwd })
  const begun = performance.now()
  await record(program, ['tenant', 'export', 'whole.tar'], { cwd })
  const exporting = performance.now() - begun
  const whole = [...membersOf(join(cwd, 'whole.tar')).keys()]
  const kill = async (args: readonly string[], after: number) => {
    const child = await spawn(program, args, { cwd })
    await Bun.sleep(after)
    child.kill('SIGKILL')
    await child.exited
  }
  let exports = 0
  for (let i = 0; i < KILLS; i++) {
    const file = join(cwd, `killed-${i}.tar`)
    await kill(['tenant', 'export', file], (exporting * 1.1 * (i + 1)) / KILLS)
    if (!existsSync(file)) continue
    exports += 1
    expect([...membersOf(file).keys()]).toEqual(whole)
  }
  // What the killed ones had made is gone with the next.
  await record(program, ['tenant', 'export', 'last.tar'], { cwd })
  const left = readdirSync(cwd).filter((name) => name.startsWith('.frontdesk-backup-'))
  expect(left).toEqual([])

  const importing = async (data: string) => {
    const at = performance.now()
    await record(program, ['tenant', 'import', 'whole.tar', '--data', data], { cwd })
    return performance.now() - at
  }
  const takes = await importing('first')
  let imports = 0
  for (let i = 0; i < KILLS; i++) {
    const data = `import-${i}`
    await kill(['tenant', 'import', 'whole.tar', '--data', data], (takes * 1.1 * (i + 1)) / KILLS)
    const there = existsSync(join(cwd, data, 'frontdesk.db'))
      ? await record(program, ['tenant', 'list', '--data', data], { cwd })
      : []
    if (there.length === 0) await importing(data)
    else imports += 1
    expect(await record(program, ['tenant', 'list', '--data', data], { cwd })).toEqual([tenant])
    expect(await record(program, ['check', '--data', data], { cwd })).toEqual([])
    const again = await run(program, ['tenant', 'import', 'whole.tar', '--data', data], { cwd })
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is here already')])
  }
  process.stderr.write(`${exports} exports and ${imports} imports of ${KILLS} had been completed\n`)
})
