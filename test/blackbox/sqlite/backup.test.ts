import { Database as Sqlite } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { create } from 'tar'
import { lockFolder } from '../../../src/db/sqlite/folder-lock.ts'
import { openWorkshop } from '../../../src/folder/leftovers.ts'
import {
  emptyFolder,
  executable,
  type Program,
  type Running,
  record,
  run,
  serve,
  source,
  spawn,
} from '../../support/processes/program.ts'

/** What a data folder holds that has been served, and no files. */
const OURS = ['audit.keyed', 'frontdesk.db', 'frontdesk.lock', 'installation.id', 'secret.key']

let program: Program
let cwd: string
let tenantId: string
let key: string

beforeAll(async () => {
  program = await executable()
  cwd = emptyFolder()
  tenantId = (await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })).tenantId
  const scopes = 'contacts:read,contacts:write'
  key = (await record(program, ['key', 'create', '--tenant', tenantId, '--name', 'k', '--scopes', scopes], { cwd })).key
})

const call = (service: Running, path: string, body?: object) =>
  fetch(service.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

/** Every contact's address, over all pages. */
async function addresses(service: Running): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await call(service, `/v1/contacts?limit=100${cursor && `&cursor=${cursor}`}`)
    const { items, nextCursor } = (await answer.json()) as { items: { email: string }[]; nextCursor: string | null }
    found.push(...items.map(({ email }) => email))
    cursor = nextCursor
  }
  return found
}

describe('a backup made while writers write', () => {
  let service: Running
  beforeAll(async () => {
    service = await serve(program, { cwd })
  })
  afterAll(() => service.stop())

  test('restores to one moment: all that was acknowledged before, and nothing with a gap before it', async () => {
    let writing = true
    let acknowledged = 0
    const write = async (name: number) => {
      for (let i = 0; writing; i++) {
        expect((await call(service, '/v1/contacts', { email: `w${name}-${i}@acme.test` })).status).toBe(201)
        acknowledged++
      }
    }
    const writers = [0, 1, 2, 3].map(write)
    while (acknowledged < 200) await Bun.sleep(5)
    const before = acknowledged
    const made = await record(program, ['backup', 'copy.tar'], { cwd })
    expect(made).toEqual({ file: 'copy.tar', bytes: statSync(join(cwd, 'copy.tar')).size })
    expect(acknowledged).toBeGreaterThan(before)
    writing = false
    await Promise.all(writers)

    const other = emptyFolder()
    await record(program, ['restore', join(cwd, 'copy.tar')], { cwd: other })
    expect(readdirSync(join(other, 'data')).sort()).toEqual(OURS)
    const restored = await serve(program, { cwd: other })
    const found = await addresses(restored)
    expect(found.length).toBeGreaterThanOrEqual(before)
    for (const name of [0, 1, 2, 3]) {
      const own = found.filter((email) => email.startsWith(`w${name}-`)).length
      const expected = Array.from({ length: own }, (_, i) => `w${name}-${i}@acme.test`)
      expect(found.filter((email) => email.startsWith(`w${name}-`)).sort()).toEqual(expected.sort())
    }
    await restored.stop()
  })

  test('is not overwritten without --force, and only its owner may read it', async () => {
    const again = await run(program, ['backup', 'copy.tar'], { cwd })
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^frontdesk: copy\.tar exists.*\n$/) })
    await record(program, ['backup', 'copy.tar', '--force'], { cwd })
    expect(statSync(join(cwd, 'copy.tar')).mode & 0o777).toBe(0o600)
    expect(readdirSync(cwd).sort()).toEqual(['copy.tar', 'data'])
  })

  test('is not restored over a running server', async () => {
    const refused = await run(program, ['restore', 'copy.tar'], { cwd })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^frontdesk: .*in use.*\n$/) })
    expect((await call(service, '/v1/me')).status).toBe(200)
  })
})

test('files that come and go while it is made do not break it', async () => {
  const cwd = emptyFolder()
  const uploads = join(cwd, 'data/uploads/tenant/ab')
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
  mkdirSync(uploads, { recursive: true })
  // All the others may be gone again before the first of them is read.
  writeFileSync(join(uploads, 'stays'), 'x')
  await Bun.$`chmod -R a+rwX ${join(cwd, 'data/uploads')}`.quiet()
  let going = true
  const churn = (async () => {
    for (let i = 0; going; i++) {
      writeFileSync(join(uploads, `${i}.part`), 'x'.repeat(10_000))
      renameSync(join(uploads, `${i}.part`), join(uploads, String(i)))
      if (i >= 200) rmSync(join(uploads, String(i - 200)))
      await Bun.sleep(0)
    }
  })()
  for (let i = 0; i < 3; i++) {
    await record(program, ['backup', 'copy.tar', '--force'], { cwd })
    const into = emptyFolder()
    await record(program, ['restore', join(cwd, 'copy.tar')], { cwd: into })
    const restored = readdirSync(join(into, 'data/uploads/tenant/ab'))
    expect(restored).toContain('stays')
    expect(restored.filter((name) => name.endsWith('.part'))).toEqual([])
  }
  going = false
  await churn
})

describe('a backup that was killed', () => {
  const killed = async () => {
    const cwd = emptyFolder()
    await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
    const target = emptyFolder()
    const workshop = () => readdirSync(target).find((name) => name.startsWith('.frontdesk-backup-'))
    const hasCopy = () => existsSync(join(target, workshop() ?? 'none', 'frontdesk.db'))
    // One that is quicker than we are to look is made again.
    for (let tries = 0; !hasCopy(); tries++) {
      const backup = await spawn(program, ['backup', join(target, `${tries}.tar`)], { cwd })
      while (!hasCopy() && backup.exitCode === null) await Bun.sleep(0)
      backup.kill('SIGKILL')
      await backup.exited
      rmSync(join(target, `${tries}.tar`), { force: true })
    }
    const left = workshop()
    return { cwd, target, left: left as string }
  }

  test('is cleared by the next one into the same folder, whatever its name', async () => {
    const { cwd, target, left } = await killed()
    expect(left).toBeDefined()
    mkdirSync(join(target, 'of-an-earlier-version.tar.partial'))
    writeFileSync(join(target, 'of-an-earlier-version.tar.partial/frontdesk.db'), '')
    mkdirSync(join(target, 'somebody-elses.partial'))
    await Bun.$`chmod -R a+rwX ${target}`.quiet()
    await record(program, ['backup', join(target, 'second.tar')], { cwd })
    expect(readdirSync(target).sort()).toEqual(['second.tar', 'somebody-elses.partial'])
  })

  test('is cleared by the next start of the service', async () => {
    const { cwd, target } = await killed()
    await (await serve(program, { cwd })).stop()
    expect(readdirSync(target)).toEqual([])
    expect(readdirSync(join(cwd, 'data')).sort()).toEqual(OURS)
  })

  test('and one that is still being made is not', async () => {
    const cwd = emptyFolder()
    await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
    const made = openWorkshop(join(cwd, 'data'), join(cwd, 'first.tar'))
    await record(source, ['backup', 'second.tar'], { cwd })
    lockFolder(join(cwd, 'data'))()
    expect(existsSync(made.folder)).toBe(true)
    made.close()
    expect(readdirSync(cwd).sort()).toEqual(['data', 'second.tar'])
    expect(readdirSync(join(cwd, 'data')).sort()).toEqual(['frontdesk.db', 'frontdesk.lock'])
  })
})

describe('restoring', () => {
  const folder = async () => {
    const cwd = emptyFolder()
    await record(program, ['tenant', 'create', '--name', 'Old'], { cwd })
    return cwd
  }
  const tenants = (cwd: string) => {
    const database = new Sqlite(join(cwd, 'data/frontdesk.db'), { readonly: true })
    const names = database.query<{ name: string }, []>('SELECT name FROM tenants').all()
    database.close()
    return names.map(({ name }) => name)
  }

  test('replaces the database and the files beside it, and leaves nothing else behind', async () => {
    const from = await folder()
    mkdirSync(join(from, 'data/uploads/ab'), { recursive: true })
    writeFileSync(join(from, 'data/uploads/ab/file'), 'kept')
    writeFileSync(join(from, 'data/uploads/ab/growing.part'), 'not whole yet')
    // More than the tests' own user may have made it.
    await Bun.$`chmod -R a+rX ${join(from, 'data/uploads')}`.quiet()
    await record(program, ['backup', 'copy.tar'], { cwd: from })
    const into = await folder()
    await record(program, ['tenant', 'create', '--name', 'Gone'], { cwd: into })
    mkdirSync(join(into, 'data/outbox'))
    writeFileSync(join(into, 'data/outbox/gone.eml'), '')
    if (process.getuid?.() === 0) chownSync(join(into, 'data/outbox'), 65_534, 65_534)
    await record(program, ['restore', join(from, 'copy.tar')], { cwd: into })
    expect(tenants(into)).toEqual(['Old'])
    expect(readFileSync(join(into, 'data/uploads/ab/file'), 'utf8')).toBe('kept')
    expect(readdirSync(join(into, 'data/uploads/ab'))).toEqual(['file'])
    expect(readdirSync(join(into, 'data')).sort()).toEqual(['frontdesk.db', 'frontdesk.lock', 'uploads'])
    const modes = (...names: string[]) => names.map((name) => statSync(join(into, 'data', name)).mode & 0o777)
    expect(modes('', 'uploads', 'uploads/ab')).toEqual([0o700, 0o700, 0o700])
    expect(modes('frontdesk.db', 'frontdesk.lock', 'uploads/ab/file')).toEqual([0o600, 0o600, 0o600])
  })

  test('works over a database that is damaged beyond opening', async () => {
    const from = await folder()
    await record(program, ['backup', 'copy.tar'], { cwd: from })
    const into = await folder()
    writeFileSync(join(into, 'data/frontdesk.db'), 'scrambled'.repeat(1_000))
    await record(program, ['restore', join(from, 'copy.tar')], { cwd: into })
    expect(tenants(into)).toEqual(['Old'])
  })

  test.each<[string, (folder: string) => Promise<unknown> | unknown]>([
    ['does not exist', () => {}],
    ['is no archive', (folder) => writeFileSync(join(folder, 'bad.tar'), 'hello'.repeat(5_000))],
    ['is empty', (folder) => writeFileSync(join(folder, 'bad.tar'), '')],
    [
      'is cut off',
      async (folder) => {
        await record(program, ['backup', 'whole.tar'], { cwd: folder })
        writeFileSync(join(folder, 'bad.tar'), readFileSync(join(folder, 'whole.tar')).subarray(0, 100_000))
      },
    ],
    [
      'holds a damaged database',
      async (folder) => {
        await record(program, ['backup', 'whole.tar'], { cwd: folder })
        const bytes = readFileSync(join(folder, 'whole.tar'))
        bytes.fill(0xff, 40_000, 60_000)
        writeFileSync(join(folder, 'bad.tar'), bytes)
      },
    ],
    [
      'holds a database of something else',
      (folder) => {
        new Sqlite(join(folder, 'frontdesk.db')).run('CREATE TABLE t (x)')
        return create({ file: join(folder, 'bad.tar'), cwd: folder }, ['frontdesk.db'])
      },
    ],
    [
      'holds a database of a newer version',
      async (folder) => {
        const database = new Sqlite(join(folder, 'data/frontdesk.db'))
        database.run("INSERT INTO migrations VALUES (9999, 'of a later day')")
        database.run('PRAGMA wal_checkpoint')
        await create({ file: join(folder, 'bad.tar'), cwd: join(folder, 'data') }, ['frontdesk.db'])
        database.run('DELETE FROM migrations WHERE position = 9999')
        database.close()
      },
    ],
    [
      'reaches outside of the folder',
      (folder) => {
        writeFileSync(join(folder, 'evil'), '')
        return create({ file: join(folder, 'bad.tar'), cwd: folder, prefix: 'uploads/../..' }, ['evil'])
      },
    ],
    [
      'holds a link',
      (folder) => {
        mkdirSync(join(folder, 'uploads'))
        symlinkSync('/etc/passwd', join(folder, 'uploads/link'))
        return create({ file: join(folder, 'bad.tar'), cwd: folder }, ['uploads'])
      },
    ],
  ])('a file that %s is refused with one line, and the data stays', async (_, prepare) => {
    const cwd = await folder()
    await prepare(cwd)
    const refused = await run(program, ['restore', 'bad.tar'], { cwd })
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^frontdesk: [^\n]+\n$/) })
    expect(tenants(cwd)).toEqual(['Old'])
    expect(readdirSync(join(cwd, 'data')).filter((name) => !name.startsWith('frontdesk.'))).toEqual([])
  })

  test('waits for nobody: a command that has the database open makes it fail, and the data stays', async () => {
    const cwd = await folder()
    await record(program, ['backup', 'copy.tar'], { cwd })
    const database = new Sqlite(join(cwd, 'data/frontdesk.db'))
    database.query('SELECT * FROM tenants').all()
    const refused = await run(program, ['restore', 'copy.tar'], { cwd })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^frontdesk: .*in use.*\n$/) })
    database.close()
    expect(tenants(cwd)).toEqual(['Old'])
  })
})
