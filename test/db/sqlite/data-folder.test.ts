import { Database as Sqlite } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../src/db/index.ts'
import { lockFolder } from '../../../src/db/sqlite/folder-lock.ts'
import { walWarning } from '../../../src/db/sqlite/wal.ts'
import { executable, record, run } from '../../support/processes/program.ts'
import { refusalOf } from '../../support/refusal.ts'

let dataDir: string
let file: string
beforeEach(async () => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'frontdesk-test-')), 'data')
  file = join(dataDir, 'frontdesk.db')
  await (await openDatabase({ dataDir })).close()
})
afterEach(() => rmSync(join(dataDir, '..'), { recursive: true, force: true }))

const modeOf = (...path: string[]) => (statSync(join(dataDir, ...path)).mode & 0o777).toString(8)

describe('a data folder is for its user alone', () => {
  test('when it is made, whatever the umask', async () => {
    const before = process.umask(0)
    try {
      rmSync(dataDir, { recursive: true })
      lockFolder(dataDir)()
      const database = await openDatabase({ dataDir })
      const names = ['frontdesk.db', 'frontdesk.db-wal', 'frontdesk.db-shm', 'frontdesk.lock']
      expect([modeOf(), ...names.map((name) => modeOf(name))]).toEqual(['700', ...names.map(() => '600')])
      await database.close()
    } finally {
      process.umask(before)
    }
  })

  test('when an earlier version left it open: then all that is ours, and nothing else', async () => {
    mkdirSync(join(dataDir, 'uploads/t/ab'), { recursive: true })
    for (const name of ['uploads/t/ab/file', 'demo.json', 'theirs', 'elsewhere']) writeFileSync(join(dataDir, name), '')
    symlinkSync('../../../elsewhere', join(dataDir, 'uploads/t/ab/link'))
    for (const name of ['', 'uploads', 'uploads/t', 'uploads/t/ab']) chmodSync(join(dataDir, name), 0o755)
    for (const name of ['uploads/t/ab/file', 'demo.json', 'theirs', 'elsewhere', 'frontdesk.db'])
      chmodSync(join(dataDir, name), 0o644)
    await (await openDatabase({ dataDir })).close()
    expect(['', 'uploads', 'uploads/t', 'uploads/t/ab'].map((name) => modeOf(name))).toEqual(Array(4).fill('700'))
    expect(['uploads/t/ab/file', 'demo.json', 'frontdesk.db'].map((name) => modeOf(name))).toEqual(Array(3).fill('600'))
    expect(['theirs', 'elsewhere'].map((name) => modeOf(name))).toEqual(['644', '644'])
  })

  test('to the very files that the program makes', async () => {
    const program = await executable()
    const cwd = join(dataDir, '..')
    chmodSync(cwd, 0o777)
    await record(program, ['tenant', 'create', '--name', 'Acme', '--data', 'other'], { cwd })
    expect(['', 'frontdesk.db', 'frontdesk.lock'].map((name) => modeOf('..', 'other', name))).toEqual([
      '700',
      '600',
      '600',
    ])
  })
})

describe('a database file', () => {
  const opened = () => openDatabase({ dataDir }).then((database) => database.close())

  test.each<[string, () => void, RegExp]>([
    ['that is empty', () => truncateSync(file), /frontdesk\.db is empty: restore a backup/],
    ['that is cut off', () => truncateSync(file, 40_960), /frontdesk\.db is cut off: restore a backup/],
    [
      'of something else',
      () => writeFileSync(file, 'scrambled'.repeat(1_000)),
      /frontdesk\.db is damaged .*: restore a backup/,
    ],
    [
      'whose first page is damaged',
      () => writeFileSync(file, Buffer.from(readFileSync(file)).fill(0xff, 100, 4_000)),
      /frontdesk\.db is damaged .*: restore a backup/,
    ],
    [
      'that is a folder',
      () => {
        rmSync(file)
        mkdirSync(file)
      },
      /frontdesk\.db is no file/,
    ],
  ])('%s stops the start with its path and what to do, and is left as it is', async (_, damage, why) => {
    damage()
    const before = statSync(file).isFile() ? readFileSync(file) : null
    expect(await refusalOf(opened())).toMatch(why)
    if (before) expect(readFileSync(file)).toEqual(before)
  })

  test('that is empty or cannot be read is one line, for the service and for commands', async () => {
    const program = await executable()
    const cwd = join(dataDir, '..')
    chmodSync(cwd, 0o755)
    if (process.getuid?.() === 0) await Bun.$`chown -R 65534:65534 ${cwd}`
    const says = async (why: string) => {
      for (const args of [['serve'], ['tenant', 'create', '--name', 'x'], ['backup', 'x.tar']]) {
        const { code, stdout, stderr } = await run(program, args, { cwd })
        expect([code, stdout]).toEqual([1, ''])
        expect(stderr).toMatch(new RegExp(`^frontdesk: \\S*frontdesk\\.db ${why}[^\\n]*\\n$`))
      }
    }
    chmodSync(file, 0o000)
    await says('cannot be opened \\(EACCES\\)')
    chmodSync(file, 0o600)
    truncateSync(file)
    await says('is empty')
  })

  test('of which a kill left the beginning is made anew', async () => {
    rmSync(file)
    writeFileSync(`${file}.new`, 'half')
    await opened()
    expect(new Sqlite(file).query('SELECT count(*) AS n FROM tenants').get()).toEqual({ n: 0 })
  })
})

test('a write-ahead log that has grown is named with its size', async () => {
  expect(walWarning(dataDir)).toBeNull()
  const database = await openDatabase({ dataDir })
  expect(walWarning(dataDir)).toBeNull()
  truncateSync(`${file}-wal`, 128 * 1024 * 1024)
  expect(walWarning(dataDir)).toBeNull()
  truncateSync(`${file}-wal`, 200 * 1024 * 1024)
  expect(walWarning(dataDir)).toContain('200 MiB')
  await database.close()
})
