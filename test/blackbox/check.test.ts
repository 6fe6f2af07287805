import { Database as Sqlite } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { copyDatabaseOf, testOfSqlite } from '../support/data/postgres.ts'
import { questionBody } from '../support/forms/questions.ts'
import { emptyFolder, executable, type Program, record, run, serve } from '../support/processes/program.ts'

/** A sound data folder with one upload, and the name of its file. */
let sound: string
let upload: string
let program: Program

beforeAll(async () => {
  program = await executable()
  sound = emptyFolder()
  const { tenantId } = await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd: sound })
  const options = ['--tenant', tenantId, '--email', 'a@acme.test', '--role', 'admin', '--billable']
  await record(program, ['user', 'create', ...options], { cwd: sound })
  const scopes = ['--scopes', 'forms:read,forms:write']
  const { key } = await record(program, ['key', 'create', '--tenant', tenantId, '--name', 'k', ...scopes], {
    cwd: sound,
  })
  const service = await serve(program, { cwd: sound })
  const made = await fetch(`${service.url}/v1/forms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Files', active: true, questions: [questionBody('file_upload')] }),
  })
  const { id } = (await made.json()) as { id: string }
  await record(program, ['form', 'publish', '--tenant', tenantId, '--form', id], { cwd: sound })
  const form = await fetch(`${service.url}/v1/forms/${id}`, { headers: { authorization: `Bearer ${key}` } })
  const { launchCode } = (await form.json()) as { launchCode: string }
  const body = new FormData()
  body.set('file', new File(['content'], 'a.txt'))
  const sent = await fetch(`${service.url}/f/${launchCode}/uploads`, { method: 'POST', body })
  const { uploadId } = (await sent.json()) as { uploadId: string }
  await service.stop()
  upload = join('uploads', tenantId, uploadId.slice(-2), uploadId)
})

/** A copy of the sound folder, and how to look at it. */
async function folder() {
  const cwd = emptyFolder()
  cpSync(join(sound, 'data'), join(cwd, 'data'), { recursive: true })
  await copyDatabaseOf(join(sound, 'data'), join(cwd, 'data'))
  const { uid } = program
  if (uid !== undefined) await Bun.$`chown -R ${uid}:${uid} ${join(cwd, 'data')}`
  const at = (name: string) => join(cwd, 'data', name)
  const check = (environment: Record<string, string> = {}) => run(program, ['check'], { cwd, environment })
  const change = (statement: string) => {
    const database = new Sqlite(at('frontdesk.db'))
    database.run('PRAGMA foreign_keys = OFF')
    database.run('PRAGMA journal_mode = DELETE')
    database.run(statement)
    database.close()
  }
  return { cwd, at, check, change }
}

const old = new Date(Date.now() - 8 * 24 * 3_600_000)

describe('frontdesk check', () => {
  test('finds nothing in a sound folder, stopped or served, and changes nothing', async () => {
    const { cwd, check, at } = await folder()
    const calm = { code: 0, stdout: expect.stringContaining('./data is in order'), stderr: '' }
    expect(await check()).toEqual(calm)
    const service = await serve(program, { cwd })
    expect(await check()).toEqual(calm)
    await service.stop()
    chmodSync(at(''), 0o755)
    expect((await check()).code).toBe(1)
    expect(statSync(at('')).mode & 0o777).toBe(0o755)
  })

  type Folder = Awaited<ReturnType<typeof folder>>
  type Spoil = (folder: Folder) => unknown

  async function expectNamed(spoil: Spoil, line: RegExp) {
    const spoilt = await folder()
    await spoil(spoilt)
    const before = readdirSync(spoilt.at(''))
    const { code, stdout, stderr } = await spoilt.check()
    const lines = stdout.trim().split('\n')
    expect(lines.filter((found) => line.test(found))).toHaveLength(1)
    for (const found of lines) expect(found.split(': ').length).toBeGreaterThanOrEqual(3)
    expect([code, stderr]).toEqual([1, `frontdesk: ${lines.length === 1 ? '1 finding' : `${lines.length} findings`}\n`])
    expect(readdirSync(spoilt.at('')).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(before)
  }

  test.each<[string, Spoil, RegExp]>([
    ['an open folder', ({ at }) => chmodSync(at(''), 0o750), /^\S*data: other users .*: chmod/],
    ['an open file', ({ at }) => chmodSync(at(upload), 0o604), /^\S*uploads\/\S+: other users .*: chmod/],
    [
      'what a killed restore left',
      ({ at }) => mkdirSync(at('.restore-abcDEF')),
      /^\S*\.restore-abcDEF: a command that was killed left it/,
    ],
    [
      'an interrupted restore',
      ({ at }) => mkdirSync(at('.restore.ready')),
      /: a restore was interrupted: start the service/,
    ],
    [
      'a missing file',
      ({ at }) => rmSync(at(upload)),
      /^\S*uploads\/\S+: a response or message names this file and it is missing: /,
    ],
    ['a file of another size', ({ at }) => writeFileSync(at(upload), 'x'), /^\S*uploads\/\S+: its content is not what/],
    [
      'a file of other content',
      ({ at }) => writeFileSync(at(upload), 'CONTENT'),
      /^\S*uploads\/\S+: its content is not what/,
    ],
    [
      'a file that no record knows',
      ({ at }) => {
        const id = upload.slice(-36)
        const unknown = at(join(dirname(upload), `${id[0] === '0' ? '1' : '0'}${id.slice(1)}`))
        writeFileSync(unknown, 'x', { mode: 0o600 })
        utimesSync(unknown, old, old)
      },
      /^\S*uploads\/\S+: no record knows this file: /,
    ],
  ])('names %s in one line, with what to do, and fails', (_, spoil, line) => expectNamed(spoil, line))

  testOfSqlite.each<[string, Spoil, RegExp]>([
    [
      'no database',
      ({ at }) => rmSync(at('frontdesk.db')),
      /^\S*frontdesk\.db: \S+ is there and frontdesk\.db is gone: put /,
    ],
    ['an empty database', ({ at }) => truncateSync(at('frontdesk.db')), /frontdesk\.db is empty: restore a backup/],
    [
      'a damaged database',
      ({ at }) => writeFileSync(at('frontdesk.db'), 'x'.repeat(9_000)),
      /frontdesk\.db is damaged/,
    ],
    ['rows that refer to nothing', ({ change }) => change('DELETE FROM forms'), /rows of \S+.* refer to nothing/],
    [
      'a foreign trigger',
      ({ change }) => change('CREATE TRIGGER t AFTER INSERT ON forms BEGIN SELECT 1; END'),
      /trigger t is not/,
    ],
    ['a missing key', ({ at }) => rmSync(at('secret.key')), /FRONTDESK_SECRET_KEY is not set and \S+ is missing/],
  ])('names %s in one line, with what to do, and fails', (_, spoil, line) => expectNamed(spoil, line))

  test('a file that is being received is not a finding', async () => {
    const { at, check } = await folder()
    writeFileSync(`${at(upload)}.part`, 'x', { mode: 0o600 })
    expect(await check()).toMatchObject({ code: 0 })
  })

  test('names a bad variable, and looks at the folder all the same', async () => {
    const { check, at } = await folder()
    chmodSync(at(''), 0o755)
    const { code, stdout } = await check({ FRONTDESK_PORT: 'eighty' })
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^FRONTDESK_PORT: .*\n.*data: other users/)])
  })

  test('prints JSON for programs', async () => {
    const { cwd, at } = await folder()
    rmSync(at(upload))
    const { code, stdout } = await run(program, ['check', '--json'], { cwd })
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      [{ where: join('data', upload), problem: expect.stringContaining('missing'), remedy: expect.any(String) }],
    ])
  })
})
