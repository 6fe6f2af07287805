import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startFilledPostgres } from '../../support/data/filled-postgres.ts'
import { until } from '../../support/patience.ts'
import { killBackups } from '../../support/processes/backup-kills.ts'
import { emptyFolder, executable, record, run, serve, spawn } from '../../support/processes/program.ts'
import { isThere } from '../../support/processes/succession.ts'

/** More of them are slow. */
const KILLS = 4

const program = await executable()
let server: Awaited<ReturnType<typeof startFilledPostgres>>
beforeAll(async () => {
  server = await startFilledPostgres(program)
})
afterAll(() => server.stop())

const childrenOf = (pid: number) =>
  Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(pid)])
    .stdout.toString()
    .split('\n')
    .map(Number)
    .filter(Boolean)
const workshopsIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('.frontdesk-')) : []
/** How much of a dump lies where backups are made. */
const dumpedIn = (folder: string) =>
  workshopsIn(folder).map((name) => statSync(join(folder, name, 'database.dump'), { throwIfNoEntry: false })?.size ?? 0)

describe('kill -9 of a backup in the middle', () => {
  test('loses no good one, and leaves nothing that counts as one', async () => {
    await killBackups({ program, kills: KILLS, ...server, killed: server.noDumpIsLeft })
  })

  test('that the service makes: the dump ends with it, the next start makes a good one, and nothing is left', async () => {
    const { environment: own, noDumpIsLeft, holdDump } = server
    const folder = join(emptyFolder(), 'kept')
    const environment = { ...own, FRONTDESK_BACKUP_TO: folder }
    const cwd = emptyFolder()
    const dump = holdDump()
    let service = await serve(program, { cwd, environment })
    await dump.isHeld
    const makers = childrenOf(service.pid)
    expect(makers).toHaveLength(1)
    // As systemd kills all of a service; what pg_dump does then is its own business.
    for (const pid of [service.pid, ...makers]) process.kill(pid, 'SIGKILL')
    await service.exited
    await until(() => !makers.some(isThere))
    const dumped = dumpedIn(folder)
    dump.goOn()
    await noDumpIsLeft()
    expect(dumpedIn(folder)).toEqual(dumped)
    expect(await record(program, ['backup', 'list'], { cwd, environment })).toEqual([])
    expect(workshopsIn(folder)).toHaveLength(1)
    await record(program, ['backup', 'now'], { cwd, environment })
    service = await serve(program, { cwd, environment })
    await service.stop()
    const listed = await record(program, ['backup', 'list'], { cwd, environment })
    expect([listed.length > 0, listed.every(({ good }: { good: boolean }) => good)]).toEqual([true, true])
    expect(workshopsIn(folder)).toEqual([])
    expect(readdirSync(join(cwd, 'data')).filter((name) => name.startsWith('.backup-'))).toEqual([])
  })

  test('that a command makes into a file leaves the one that is there, and the next clears up', async () => {
    const { environment, noDumpIsLeft, holdDump } = server
    const [cwd, folder] = [emptyFolder(), emptyFolder()]
    await (await serve(program, { cwd, environment })).stop()
    const file = join(folder, 'all.tar')
    await record(program, ['backup', file], { cwd, environment })
    const before = readFileSync(file)
    const dump = holdDump()
    const killed = await spawn(program, ['backup', '--force', file], { cwd, environment })
    await dump.isHeld
    killed.kill('SIGKILL')
    await killed.exited
    const dumped = dumpedIn(folder)
    dump.goOn()
    await noDumpIsLeft()
    expect(dumpedIn(folder)).toEqual(dumped)
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(workshopsIn(folder)).toHaveLength(1)
    expect((await run(program, ['backup', '--force', file], { cwd, environment })).code).toBe(0)
    expect(readdirSync(folder)).toEqual(['all.tar'])
  })
})
