import { afterEach, describe, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expireUpgradeBackups } from '../../../src/backup/before-migration.ts'
import type { StartBackup } from '../../../src/backup/child.ts'
import { makeBackup } from '../../../src/backup/make.ts'
import { nameOf, ownerOf } from '../../../src/backup/names.ts'
import { restore } from '../../../src/backup/restore.ts'
import { check } from '../../../src/check/index.ts'
import type { BackupConfig } from '../../../src/config.ts'
import { readMarkFile } from '../../../src/files/mark-file.ts'
import { confirmInstallation } from '../../../src/installation/confirm.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { type ListedUpload, listUploads, startS3 } from '../../support/servers/s3.ts'

const HOUR = 3_600_000
const temporary = () => mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
/** Makes them here: what another process would do is the same. */
const startBackup: StartBackup = (config, now) => ({
  done: makeBackup(config, config.backup as BackupConfig, now),
  kill: () => {},
})
const apps: TestApp[] = []
const folders: string[] = []

async function serve(environment: Record<string, string> = {}) {
  const folder = temporary()
  folders.push(folder)
  const app = await startApp({ environment: { FRONTDESK_BACKUP_TO: folder, ...environment }, replace: { startBackup } })
  apps.push(app)
  await confirmInstallation(app.deps.config, app.database, app.deps.files)
  return { app, folder }
}
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const nameAt = (app: TestApp, at: number) => nameOf({ at, owner: ownerOf(readMarkFile(app.dataDir)) })
const tars = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.tar'))
    .sort()
const warnings = async (app: TestApp) => (await app.request('GET', '/healthz')).body.warnings

describe('backups in a folder', () => {
  test('are made at the start and once in a period, each whole, and thinned out; what else lies there stays', async () => {
    const { app, folder } = await serve({ FRONTDESK_BACKUP_KEEP: '2d' })
    const foreign = ['notes.txt', 'frontdesk-2020.tar', 'other-2026-01-01T00-00-00Z.tar']
    for (const name of foreign) writeFileSync(join(folder, name), 'ours')
    await (await app.createTenant()).post('/v1/contacts', { email: 'ada@acme.test' })
    const begun: number[] = []
    for (let day = 0; day < 4; day++) {
      begun.push(app.clock.now())
      await app.runDue()
      // Not due again before its time.
      app.clock.advance(23 * HOUR)
      await app.runDue()
      app.clock.advance(HOUR)
    }
    const kept = begun.slice(-2).map((at) => nameAt(app, at))
    expect(tars(folder).filter((name) => !foreign.includes(name))).toEqual(kept)
    expect(readdirSync(folder).sort()).toEqual([...foreign, ...kept, ...kept.map((name) => `${name}.sha256`)].sort())
    for (const name of kept) {
      const bytes = readFileSync(join(folder, name))
      const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
      expect(readFileSync(join(folder, `${name}.sha256`), 'utf8')).toBe(`${sha256}  ${name}\n`)
    }
    const dataDir = join(folder, 'restored')
    restore({ dataDir }, join(folder, kept[0] as string))
    expect(await check({ ...app.deps.config, dataDir, backup: null } as never, Date.now())).toEqual([])
    expect(await warnings(app)).toEqual([])
  })

  test('one that was damaged, or cut off, counts for nothing; a good one put there by hand does', async () => {
    const { app, folder } = await serve({ FRONTDESK_BACKUP_KEEP: '9d' })
    const start = app.clock.now()
    await app.runDue()
    const [first, byHand, cut] = [nameAt(app, start), nameAt(app, start - 48 * HOUR), nameAt(app, start - 24 * HOUR)]
    copyFileSync(join(folder, first), join(folder, byHand))
    copyFileSync(join(folder, first), join(folder, cut))
    truncateSync(join(folder, cut), 700_000)
    app.clock.advance(24 * HOUR)
    await app.runDue()
    const second = nameAt(app, start + 24 * HOUR)
    expect(tars(folder)).toEqual([byHand, first, second])
    expect(readdirSync(folder)).toContain(`${byHand}.sha256`)
    // Changed after it was checked.
    const bytes = readFileSync(join(folder, first))
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1
    writeFileSync(join(folder, first), bytes)
    app.clock.advance(24 * HOUR)
    await app.runDue()
    expect(tars(folder)).toEqual([byHand, second, nameAt(app, start + 48 * HOUR)])
  })

  test('that cannot be made remove none, are tried again, and /healthz says since when', async () => {
    const { app, folder } = await serve({ FRONTDESK_BACKUP_KEEP: '1d' })
    await app.runDue()
    const first = nameAt(app, app.clock.now())
    // Nobody, the superuser neither, makes a file in what is no folder.
    const aside = `${folder}-aside`
    folders.push(aside)
    await Bun.$`mv ${folder} ${aside}`.quiet()
    writeFileSync(folder, 'a file')
    app.clock.advance(24 * HOUR)
    await app.runDue()
    expect(await warnings(app)).toEqual([])
    expect(app.logged.join('')).toContain('no backup could be made')
    app.clock.advance(25 * HOUR)
    await app.runDue()
    app.clock.advance(2000)
    // Anybody can read that: where backups go, and what is wrong there, the log says.
    expect(await warnings(app)).toEqual([
      'the last good backup is of 2026-03-01T09:00:00.000Z, longer ago than two periods: the last try, of 2026-03-03T10:00:00.000Z, failed, and the log says why',
    ])
    expect(app.logged.join('')).toMatch(/"no backup could be made".*cannot be kept/)
    rmSync(folder)
    await Bun.$`mv ${aside} ${folder}`.quiet()
    expect(tars(folder)).toEqual([first])
    const retried = app.clock.now() + 15 * 60_000
    app.clock.advance(15 * 60_000)
    await app.runDue()
    app.clock.advance(2000)
    expect(tars(folder)).toEqual([nameAt(app, retried)])
    expect(await warnings(app)).toEqual([])
  })

  test('that somebody removed are made anew within the hour', async () => {
    const { app, folder } = await serve()
    await app.runDue()
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    app.clock.advance(HOUR)
    await app.runDue()
    expect(tars(folder)).toEqual([nameAt(app, app.clock.now())])
  })

  test('of which one by hand has taken the place are not missed, and the next is due a period after that', async () => {
    const { app, folder } = await serve({ FRONTDESK_BACKUP_KEEP: '1d' })
    await app.runDue()
    app.clock.advance(2 * HOUR)
    const byHand = app.clock.now()
    await makeBackup(app.deps.config, app.deps.config.backup as BackupConfig, byHand)
    expect(tars(folder)).toEqual([nameAt(app, byHand)])
    await app.runDue()
    app.clock.advance(23 * HOUR)
    await app.runDue()
    expect(tars(folder)).toEqual([nameAt(app, byHand)])
    app.clock.advance(HOUR)
    await app.runDue()
    expect(tars(folder)).toEqual([nameAt(app, byHand + 24 * HOUR)])
    expect(app.logged.join('')).not.toContain('gone from where it was put')
  })

  test('go on after the clock was set back, and none is made twice', async () => {
    const { app, folder } = await serve()
    const ahead = app.clock.now()
    await app.runDue()
    app.clock.jump(-40 * 24 * HOUR)
    await app.runDue()
    const back = app.clock.now()
    await app.runDue()
    expect(tars(folder)).toEqual([nameAt(app, back), nameAt(app, ahead)])
  })
})

test('without FRONTDESK_BACKUP_TO none are made, and nothing is said of them', async () => {
  const app = await startApp()
  apps.push(app)
  await app.runDue()
  app.clock.advance(100 * 24 * HOUR)
  await app.runDue()
  expect(await warnings(app)).toEqual([])
  expect(readdirSync(app.dataDir)).not.toContain('backup.lock')
})

test('backups in a bucket are read back, thinned out, and made by themselves; other objects stay', async () => {
  const s3 = await startS3()
  const { FRONTDESK_FILES_URL: _, ...account } = s3.environment
  const { app } = await serve({ ...account, FRONTDESK_BACKUP_TO: 's3://files/kept/safe', FRONTDESK_BACKUP_KEEP: '1d' })
  await s3.client.write('kept/safe/notes.txt', 'ours')
  const names = async () => ((await s3.client.list({ prefix: 'kept/' })).contents ?? []).map(({ key }) => key).sort()
  await app.runDue()
  const first = `kept/safe/${nameAt(app, app.clock.now())}`
  expect(await names()).toEqual([first, `${first}.sha256`, 'kept/safe/notes.txt'])
  const file = join(temporary(), 'fetched.tar')
  await Bun.write(file, await s3.client.file(first).arrayBuffer())
  const dataDir = `${file}.restored`
  restore({ dataDir }, file)
  app.clock.advance(24 * HOUR)
  const second = `kept/safe/${nameAt(app, app.clock.now())}`
  await app.runDue()
  expect(await names()).toEqual([second, `${second}.sha256`, 'kept/safe/notes.txt'])
  expect(readdirSync(app.dataDir).filter((name) => name.startsWith('.'))).toEqual([])
  await s3.stop()
  app.clock.advance(49 * HOUR)
  await app.runDue()
  expect(await warnings(app)).toEqual([
    expect.stringMatching(/longer ago than two periods: the last try, of .* failed/),
  ])
  expect(app.logged.join('')).toMatch(/"no backup could be made".*s3:\/\/files\/kept\/safe /)
})

test('a backup ends what its own installation has begun to upload more than a day ago, and nothing else', async () => {
  const s3 = await startS3()
  const { FRONTDESK_FILES_URL: _, ...account } = s3.environment
  const uploads: ListedUpload[] = []
  const front = listUploads(account.AWS_ENDPOINT_URL, () => uploads)
  const { app } = await serve({
    ...account,
    AWS_ENDPOINT_URL: front.endpoint,
    FRONTDESK_BACKUP_TO: 's3://files/kept/safe/ours',
  })
  const now = app.clock.now()
  const [own, others] = [nameAt(app, now - 50 * HOUR), nameOf({ at: now - 50 * HOUR, owner: '0123abcd' })]
  const begun = (key: string, hoursAgo: number) =>
    uploads.push({ key, uploadId: `u${uploads.length}`, begunAt: now - hoursAgo * HOUR })
  begun(`kept/safe/ours/${own}`, 25)
  begun(`kept/safe/ours/${own}`, 23)
  begun(`kept/safe/ours/${others}`, 25)
  begun(`kept/safe/ours/${nameOf({ at: now, owner: null })}`, 25)
  begun('kept/safe/ours/video.mp4', 25)
  begun(`kept/safe/theirs/${own}`, 25)
  begun(own, 25)
  begun(`kept/safe/ours/before-upgrades/${own}`, 25)
  await app.runDue()
  await expireUpgradeBackups(app.deps.config, now)
  expect(front.ended.toSorted()).toEqual([
    `/files/kept/safe/ours/before-upgrades/${own} u7`,
    `/files/kept/safe/ours/${own} u0`,
  ])
  expect(await warnings(app)).toEqual([])
  await front.stop()
  await s3.stop()
})
