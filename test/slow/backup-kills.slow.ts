import { expect, test } from 'bun:test'
import { startFilledPostgres } from '../support/data/filled-postgres.ts'
import { isPostgresHere } from '../support/data/postgres.ts'
import { killBackups } from '../support/processes/backup-kills.ts'
import { emptyFolder, executable, record } from '../support/processes/program.ts'

const KILLS = Number(process.env.CHAOS_KILLS ?? '25')

test(`kill -9 of a backup that is made, checked, or thins out loses no good one (${KILLS} times)`, async () => {
  const program = await executable()
  const cwd = emptyFolder()
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
  const completed = await killBackups({ program, cwd, kills: KILLS })
  process.stderr.write(`${completed} of ${KILLS} had been completed\n`)
})

test.skipIf(!isPostgresHere)(
  `nor does it of a database in PostgreSQL, whose dump ends with it (${KILLS} times)`,
  async () => {
    const program = await executable()
    const server = await startFilledPostgres(program)
    const completed = await killBackups({ program, kills: KILLS, ...server, killed: server.noDumpIsLeft })
    expect(completed).toBeLessThan(KILLS)
    await server.stop()
    process.stderr.write(`${completed} of ${KILLS} had been completed\n`)
  },
)
