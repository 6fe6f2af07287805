import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { list } from 'tar'
import { backUp } from '../../src/backup/backup.ts'
import { restore } from '../../src/backup/restore.ts'
import { check } from '../../src/check/index.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { png, respondent } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'
import { emptyFolder, executable, run, serve } from '../support/processes/program.ts'
import { startS3 } from '../support/servers/s3.ts'
import { createTestAttachment, createTicket } from '../support/tickets/tickets.ts'

const temporary = () => mkdtempSync(join(tmpdir(), 'frontdesk-test-'))

async function namesIn(archive: string): Promise<string[]> {
  const names: string[] = []
  await list({ file: archive, onReadEntry: ({ path }) => void names.push(path) })
  return names
}

/** One upload that an answer names, and one attachment. */
async function addFiles(app: TestApp, tenant: TestTenant) {
  const visitor = respondent(app, await createPublished(tenant, [questionBody('signature')]))
  const { uploadId } = (await visitor.upload(png)).body
  await visitor.begin([{ uploadId }], true)
  const attachment = await createTestAttachment(tenant)
  await createTicket(tenant, { attachments: [attachment] })
  return {
    upload: { kind: 'uploads', tenantId: tenant.tenantId, id: uploadId },
    attachment: { kind: 'attachments', tenantId: tenant.tenantId, id: attachment.id },
  } as const
}

describe('the data folder', () => {
  let app: TestApp
  let files: Awaited<ReturnType<typeof addFiles>>
  let folder: string

  beforeAll(async () => {
    folder = temporary()
    app = await startApp()
    files = await addFiles(app, await app.createTenant())
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })

  test('is backed up with its attachments, which are restored as they were', async () => {
    const [file, other] = [join(folder, 'whole.tar'), join(folder, 'restored')]
    expect((await backUp(app.deps.config, file, { force: false })).missing).toEqual([])
    expect(restore({ ...app.deps.config, dataDir: other }, file).elsewhere).toBeNull()
    expect(await check({ ...app.deps.config, dataDir: other }, Date.now())).toEqual([])
    const { tenantId, id } = files.attachment
    const path = join(other, 'attachments', tenantId, id.slice(-2), id)
    expect(await Bun.file(path).text()).toBe('content')
    writeFileSync(path, 'CONTENT')
    expect(await check({ ...app.deps.config, dataDir: other }, Date.now())).toEqual([
      { where: path, problem: 'its content is not what was stored', remedy: expect.any(String) },
    ])
    rmSync(path)
    expect(await check({ ...app.deps.config, dataDir: other }, Date.now())).toEqual([
      { where: path, problem: 'a response or message names this file and it is missing', remedy: expect.any(String) },
    ])
    const lacking = await backUp({ ...app.deps.config, dataDir: other }, join(folder, 'lacking.tar'), { force: false })
    expect(lacking.missing).toEqual([path.slice(other.length + 1)])
  })

  test('is not restored over files that lie elsewhere', async () => {
    const [file, other] = [join(folder, 'files.tar'), join(folder, 'elsewhere')]
    await backUp(app.deps.config, file, { force: false })
    const place = { ...app.deps.config, dataDir: other }
    expect(() => restore(place, file, 's3://files/desk')).toThrow(/it holds files, and FRONTDESK_FILES_URL says/)
    expect(readdirSync(other)).toEqual(['frontdesk.lock'])
  })
})

describe('a shared folder', () => {
  let app: TestApp
  let folder: string
  let url: string
  let files: Awaited<ReturnType<typeof addFiles>>

  beforeAll(async () => {
    folder = temporary()
    url = pathToFileURL(folder).href
    app = await startApp({ environment: { FRONTDESK_FILES_URL: url } })
    files = await addFiles(app, await app.createTenant())
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })

  test('holds the files, and the data folder none', () => {
    expect(readdirSync(folder).sort()).toEqual(['attachments', 'uploads'])
    expect(readdirSync(app.dataDir)).not.toContain('uploads')
    expect(app.deps.files.placeOf(files.upload)).toStartWith(folder)
  })

  test('is left out of a backup, whose manifest says so', async () => {
    const file = join(temporary(), 'backup.tar')
    expect((await backUp(app.deps.config, file, { force: false, elsewhere: url })).missing).toEqual([])
    expect((await namesIn(file)).filter((name) => /uploads|attachments/.test(name))).toEqual([])
    const other = temporary()
    expect(restore({ ...app.deps.config, dataDir: other }, file, url).elsewhere).toBe(url)
    expect(await check({ ...app.deps.config, dataDir: other }, Date.now())).toEqual([])
  })

  test('is checked against the records', async () => {
    const place = app.deps.files.placeOf(files.attachment)
    rmSync(place)
    const [missing, ...others] = await check(app.deps.config, Date.now())
    expect([missing?.where, missing?.problem, others]).toEqual([place, expect.stringContaining('is missing'), []])
    writeFileSync(place, 'content')
    expect(await check(app.deps.config, Date.now())).toEqual([])
  })

  test('that is gone is a finding of its own', async () => {
    const config = { ...app.deps.config, files: { kind: 'folder', url, folder: `${folder}/gone` } } as const
    expect(await check(config, Date.now())).toEqual([
      {
        where: 'FRONTDESK_FILES_URL',
        problem: expect.stringContaining('there is no folder'),
        remedy: expect.any(String),
      },
    ])
  })
})

test('an S3-compatible store is checked against the records, and said to be away', async () => {
  const s3 = await startS3()
  const app = await startApp({ environment: s3.environment })
  const { attachment } = await addFiles(app, await app.createTenant())
  expect(await check(app.deps.config, Date.now())).toEqual([])
  await app.deps.files.remove(attachment)
  expect(await check(app.deps.config, Date.now())).toMatchObject([
    { where: app.deps.files.placeOf(attachment), problem: expect.stringContaining('is missing') },
  ])
  await s3.stop()
  expect(await check(app.deps.config, Date.now())).toMatchObject([
    { where: 'FRONTDESK_FILES_URL', problem: expect.stringContaining('files cannot be reached') },
  ])
  await app.close()
})

test('commands say where files lie: backup and restore in a line each, check beside a bad variable too', async () => {
  const program = await executable()
  const [cwd, folder] = [emptyFolder(), emptyFolder()]
  const environment = { FRONTDESK_FILES_URL: pathToFileURL(folder).href }
  await (await serve(program, { cwd, environment })).stop()
  const place = environment.FRONTDESK_FILES_URL
  // On PostgreSQL another line is about the database.
  const lines = ({ stderr }: { stderr: string }) => stderr.split('\n').filter((line) => !line.includes('the database'))
  const backedUp = await run(program, ['backup', 'b.tar'], { cwd, environment })
  expect([backedUp.code, ...lines(backedUp)]).toEqual([
    0,
    `frontdesk: uploads and attachments lie in ${place}: the backup is without them, so back that up after it`,
    '',
  ])
  const restored = await run(program, ['restore', join(cwd, 'b.tar')], { cwd: emptyFolder() })
  expect([restored.code, ...lines(restored)]).toEqual([
    0,
    `frontdesk: uploads and attachments were in ${place} and are not in the backup, and FRONTDESK_FILES_URL says nothing`,
    '',
  ])
  const bad = { FRONTDESK_PORT: 'eighty', FRONTDESK_FILES_URL: 'ftp://files' }
  const { stdout } = await run(program, ['check'], { cwd, environment: bad })
  expect(stdout.trim().split('\n')).toHaveLength(1)
})
