import { Database as Sqlite } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockFolder } from '../../../src/db/sqlite/folder-lock.ts'
import { emptyFolder, record, source } from '../../support/processes/program.ts'

/** A restore that dies at its n-th renaming or deletion. Returns its exit code: 0 when it ended before that. */
async function dyingRestore(cwd: string, backup: string, step: number, steps = ''): Promise<number> {
  const child = Bun.spawn([process.execPath, 'test', './test/support/processes/mortal-restore.ts'], {
    cwd: join(import.meta.dir, '../../..'),
    env: {
      PATH: '/usr/bin:/bin',
      HOME: cwd,
      BACKUP: backup,
      DATA: join(cwd, 'data'),
      KILL_AT: String(step),
      STEPS: steps,
    },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  return child.exited
}

/** A data folder whose every part says the same name. */
async function folderOf(name: string): Promise<string> {
  const cwd = emptyFolder()
  await record(source, ['tenant', 'create', '--name', name], { cwd })
  mkdirSync(join(cwd, 'data/uploads/ab'), { recursive: true })
  writeFileSync(join(cwd, 'data/uploads/ab/file'), name)
  writeFileSync(join(cwd, 'data/secret.key'), name)
  return cwd
}

/** What the parts of a data folder say. */
function partsOf(cwd: string) {
  const database = new Sqlite(join(cwd, 'data/frontdesk.db'))
  const [tenant] = database.query<{ name: string }, []>('SELECT name FROM tenants').all()
  database.close()
  const read = (name: string) =>
    existsSync(join(cwd, 'data', name)) ? readFileSync(join(cwd, 'data', name), 'utf8') : '-'
  return {
    database: tenant?.name ?? '-',
    upload: read('uploads/ab/file'),
    key: read('secret.key'),
    mail: read('outbox/mail.eml'),
  }
}

const parts = (name: string, mail: string) => ({ database: name, upload: name, key: name, mail })

describe('a restore that is killed', () => {
  let backup: string
  let target: string
  beforeAll(async () => {
    const from = await folderOf('new')
    await record(source, ['backup', 'copy.tar'], { cwd: from })
    backup = join(from, 'copy.tar')
    target = await folderOf('old')
    // The backup has none.
    mkdirSync(join(target, 'data/outbox'))
    writeFileSync(join(target, 'data/outbox/mail.eml'), 'old')
  })

  test('at any step leaves all of the old or all of the new, and nothing beside it after the next start', async () => {
    const outcomes: string[] = []
    for (let step = 1; ; step++) {
      const cwd = emptyFolder()
      cpSync(join(target, 'data'), join(cwd, 'data'), { recursive: true })
      const code = await dyingRestore(cwd, backup, step)
      if (code === 0) break
      expect(code).toBe(137)
      // What every start does first.
      lockFolder(join(cwd, 'data'))()
      const found = partsOf(cwd)
      expect([parts('old', 'old'), parts('new', '-')]).toContainEqual(found)
      const folders = found.database === 'old' ? ['outbox', 'uploads'] : ['uploads']
      const names = ['frontdesk.db', 'frontdesk.lock', 'secret.key', ...folders].sort()
      expect(readdirSync(join(cwd, 'data')).sort()).toEqual(names)
      outcomes.push(found.database as string)
    }
    expect(outcomes.length).toBeGreaterThan(8)
    // The old first, and the new from one step on.
    expect(outcomes.join(' ')).toMatch(/^(old )+(new ?)+$/)
  })

  test('by a power cut, too: the renaming that decides is on the disk before anything is replaced', async () => {
    const cwd = emptyFolder()
    cpSync(join(target, 'data'), join(cwd, 'data'), { recursive: true })
    expect(await dyingRestore(cwd, backup, -1, join(cwd, 'steps'))).toBe(0)
    const steps = readFileSync(join(cwd, 'steps'), 'utf8').split('\n')
    const decided = steps.indexOf(`rename ${join(cwd, 'data', '.restore.ready')}`)
    const done = steps.indexOf(`rename ${join(cwd, 'data', '.restore.done')}`)
    const folder = `sync ${join(cwd, 'data')}`
    expect(decided).toBeGreaterThan(0)
    expect(steps[decided + 1]).toBe(folder)
    // And what took its place is, before it counts as done.
    expect([steps[done - 1], steps[done + 1]]).toEqual([folder, folder])
  })

  test('is completed by the next command, whatever that is', async () => {
    const cwd = emptyFolder()
    cpSync(join(target, 'data'), join(cwd, 'data'), { recursive: true })
    for (let step = 1; !readdirSync(join(cwd, 'data')).includes('.restore.ready'); step++) {
      expect(await dyingRestore(cwd, backup, step)).toBe(137)
    }
    expect(partsOf(cwd).database).toBe('old')
    await record(source, ['backup', 'after.tar'], { cwd })
    expect(partsOf(cwd)).toEqual(parts('new', '-'))
  })
})
