import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { list } from 'tar'
import { startApp } from '../../support/app.ts'
import { createPublished } from '../../support/forms/collecting.ts'
import { png, respondent } from '../../support/forms/hosted.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { emptyFolder, ownExecutable, record, run, serve } from '../../support/processes/program.ts'

const program = await ownExecutable()

/** A data folder with an upload that an answer names, and the name of its file. */
let cwd: string
let upload: string
const onSqlite = { FRONTDESK_DATABASE_URL: '' }

beforeAll(async () => {
  cwd = emptyFolder()
  mkdirSync(join(cwd, 'data'))
  const app = await startApp({ dataDir: join(cwd, 'data') })
  const tenant = await app.createTenant()
  const visitor = respondent(app, await createPublished(tenant, [questionBody('signature')]))
  const { uploadId } = (await visitor.upload(png)).body
  await visitor.begin([{ uploadId }], true)
  upload = join('uploads', tenant.tenantId, uploadId.slice(-2), uploadId)
  await app.close()
})

async function backUp(from = cwd): Promise<string> {
  const file = join(emptyFolder(), 'files.tar')
  await record(program, ['backup', '--files-only', file], { cwd: from })
  return file
}

async function namesIn(archive: string): Promise<string[]> {
  const names: string[] = []
  await list({ file: archive, onReadEntry: ({ path }) => void names.push(path) })
  return names
}

describe('where the database is in PostgreSQL, frontdesk backup', () => {
  test('has a dump of the database beside the files, without which it makes none; or the files alone where it is told so', async () => {
    const file = join(emptyFolder(), 'whole.tar')
    const whole = await run(program, ['backup', file], { cwd })
    expect([whole.code, whole.stderr]).toEqual([0, ''])
    expect(await namesIn(file)).toEqual([upload, 'database.dump', 'manifest.json'])
    const alone = join(emptyFolder(), 'files.tar')
    const { code, stderr } = await run(program, ['backup', '--files-only', alone], { cwd })
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^frontdesk: the database is not in .*pg_dump .*\n$/)])
    expect(await namesIn(alone)).toEqual([upload, 'manifest.json'])
    const refused = await run(program, ['backup', '--files-only', alone], { cwd, environment: onSqlite })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^frontdesk: --files-only: [^\n]+\n$/)])
  })

  test('names a file that is missing', async () => {
    const place = join(cwd, 'data', upload)
    const content = readFileSync(place)
    rmSync(place)
    const { code, stderr } = await run(program, ['backup', join(emptyFolder(), 'files.tar')], { cwd })
    writeFileSync(place, content)
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${upload} is missing in ./data`)])
  })

  test('of a database that is away makes no file', async () => {
    const folder = emptyFolder()
    const environment = { FRONTDESK_DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    const { code, stderr } = await run(program, ['backup', join(folder, 'files.tar')], { cwd, environment })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^frontdesk: FRONTDESK_DATABASE_URL: [^\n]+\n$/)])
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('where the database is in PostgreSQL, frontdesk restore', () => {
  test('puts the files back in the place of those that are there, and leaves a database in the folder alone', async () => {
    const into = emptyFolder()
    await record(program, ['tenant', 'create', '--name', 'Old'], { cwd: into, environment: onSqlite })
    mkdirSync(join(into, 'data/outbox'))
    for (const name of ['outbox/gone.eml', 'secret.key']) writeFileSync(join(into, 'data', name), 'old')
    const before = readFileSync(join(into, 'data/frontdesk.db'))
    const { code, stderr } = await run(program, ['restore', await backUp()], { cwd: into })
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^frontdesk: the database was not in .*pg_restore\n$/)])
    expect(readFileSync(join(into, 'data', upload))).toEqual(readFileSync(join(cwd, 'data', upload)))
    expect(existsSync(join(into, 'data/outbox'))).toBe(false)
    expect(readFileSync(join(into, 'data/frontdesk.db')).equals(before)).toBe(true)
    expect(readFileSync(join(into, 'data/secret.key'), 'utf8')).toBe('old')
  })

  test('is refused while a node uses the folder, of which there may be several', async () => {
    const file = await backUp()
    const nodes = [await serve(program, { cwd }), await serve(program, { cwd })]
    for (const node of nodes) {
      const { code, stderr } = await run(program, ['restore', file], { cwd })
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^frontdesk: .*in use by a running frontdesk\n$/)])
      await node.stop()
    }
    await record(program, ['restore', file], { cwd })
  })

  test('takes no backup that has a database, nor without PostgreSQL one that has none', async () => {
    const other = emptyFolder()
    await record(program, ['tenant', 'create', '--name', 'Old'], { cwd: other, environment: onSqlite })
    const whole = join(emptyFolder(), 'whole.tar')
    await record(program, ['backup', whole], { cwd: other, environment: onSqlite })
    const kept = emptyFolder()
    cpSync(join(cwd, 'data'), join(kept, 'data'), { recursive: true })
    const refused = await run(program, ['restore', whole], { cwd: kept })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/: it holds a database, and .*\n$/)])
    expect(existsSync(join(kept, 'data', upload))).toBe(true)
    const lacking = await run(program, ['restore', await backUp()], { cwd: other, environment: onSqlite })
    expect([lacking.code, lacking.stderr]).toEqual([1, expect.stringMatching(/: it holds no database: .*\n$/)])
    expect(existsSync(join(other, 'data/frontdesk.db'))).toBe(true)
  })
})
