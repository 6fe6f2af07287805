import { afterEach, describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StartBackup, StartLook } from '../../../src/backup/child.ts'
import { lookAtBackups, makeBackup } from '../../../src/backup/make.ts'
import { nameOf, ownerOf } from '../../../src/backup/names.ts'
import type { BackupConfig } from '../../../src/config.ts'
import { readMarkFile } from '../../../src/files/mark-file.ts'
import { confirmInstallation } from '../../../src/installation/confirm.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { ConsoleBrowser, createPerson, signedIn } from '../../support/pages/console.ts'
import { startS3 } from '../../support/servers/s3.ts'

const PATH = '/console/settings/backups'
const HOUR = 3_600_000
const apps: TestApp[] = []
const folders: string[] = []

/** Makes them here, once it may: what another process would do is the same. */
function inThisProcess(gate: () => Promise<void> = async () => {}) {
  const startBackup: StartBackup = (config, now) => ({
    done: gate().then(() => makeBackup(config, config.backup as BackupConfig, now)),
    kill: () => {},
  })
  const startLook: StartLook = (config) => ({
    done: gate().then(() => lookAtBackups(config, config.backup as BackupConfig)),
    kill: () => {},
  })
  return { startBackup, startLook }
}

async function serve(environment: Record<string, string> = {}, gate?: () => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  folders.push(folder)
  const app = await startApp({
    environment: { FRONTDESK_BACKUP_TO: folder, ...environment },
    replace: inThisProcess(gate),
  })
  apps.push(app)
  await confirmInstallation(app.deps.config, app.database, app.deps.files)
  const acme = await app.createTenant()
  const admin = await signedIn(app, acme)
  return { app, folder, acme, admin }
}
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const nameAt = (app: TestApp, at: number) => nameOf({ at, owner: ownerOf(readMarkFile(app.dataDir)) })
const tars = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.tar'))
/** The text of the page, without its tags. */
const read = async (browser: ConsoleBrowser) => plain((await browser.get(PATH)).text)
const plain = (page: string) =>
  page
    .slice(page.indexOf('<main'))
    .replace(/<[^>]+>/g, ' ')
    .replace(/[\s\u00a0\u202f]+/g, ' ')
const audited = async (app: TestApp, admin: ConsoleBrowser) => {
  await app.runDue()
  return plain((await admin.get('/console/audit?what=backup')).text)
}

test('the page of backups and what it can do is for admins alone', async () => {
  const { app, acme, folder } = await serve()
  const agent = await signedIn(app, acme, 'agent')
  expect((await agent.get(PATH)).status).toBe(403)
  expect((await agent.post(`${PATH}/make`)).status).toBe(403)
  expect((await agent.post(`${PATH}/check`)).status).toBe(403)
  expect((await new ConsoleBrowser(app).get(PATH)).status).toBe(303)
  const admin = await signedIn(app, acme)
  expect((await admin.post(`${PATH}/make`, { csrf: 'forged' })).status).toBe(403)
  await app.runDue()
  expect(tars(folder)).toHaveLength(1)
  app.clock.advance(60_000)
  await app.runDue()
  expect(tars(folder)).toHaveLength(1)
})

test('without a place for backups the page says what to do, and none can be asked for', async () => {
  const app = await startApp()
  apps.push(app)
  const admin = await signedIn(app, await app.createTenant())
  expect(await read(admin)).toContain('There are no automatic backups.')
  expect(await read(admin)).toContain('sets FRONTDESK_BACKUP_TO to a folder')
  expect((await admin.get(PATH)).text).not.toContain(`${PATH}/make`)
  const refused = await admin.post(`${PATH}/make`)
  expect([refused.status, plain(refused.text)]).toEqual([409, expect.stringContaining('No place for backups is set')])
  expect(await audited(app, admin)).not.toContain('Backup: started')
})

describe('a backup', () => {
  test('that is made by hand is shown as it comes, in any window, and then as good; the audit log says who began it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let isHeld = false
    const { app, folder, admin, acme } = await serve({}, () => (isHeld ? promise : Promise.resolve()))
    await app.runDue()
    expect(await read(admin)).toMatch(/Up to date.*Last good one.*Next one.*Every day.*7 days, 4 weeks, and 6 months/)
    app.clock.advance(HOUR)
    isHeld = true
    const begun = await admin.post(`${PATH}/make`)
    expect([begun.status, plain((await admin.follow(begun)).text)]).toEqual([
      303,
      expect.stringContaining('A backup is being made.'),
    ])
    const running = app.runDue()
    const other = new ConsoleBrowser(app)
    await other.signIn((await createPerson(acme)).email)
    let shown = await other.get(PATH)
    while (!shown.text.includes('<dt>Started</dt>')) shown = await other.get(PATH)
    expect(plain(shown.text)).toContain('It is read back and checked before it counts.')
    expect([shown.headers.get('refresh'), shown.text.includes(`${PATH}/make`)]).toEqual([`3; url=${PATH}`, false])
    const again = await other.post(`${PATH}/make`)
    expect([again.status, plain(again.text)]).toEqual([
      409,
      expect.stringContaining('is being made or checked already'),
    ])
    const at = app.clock.now()
    resolve()
    await running
    expect(tars(folder).sort()).toEqual([nameAt(app, at - HOUR), nameAt(app, at)].slice(1))
    const done = await other.get(PATH)
    expect(plain(done.text)).toMatch(new RegExp(`Up to date.*Make one now.*${nameAt(app, at)} [\\d.]+ [kM]B Good`))
    expect([done.headers.get('refresh'), done.text.includes(`action="${PATH}/make"`)]).toEqual([null, true])
    expect(await audited(app, admin)).toMatch(/Backup: started Mar 1, 2026, 10:00 AM UTC/)
  })

  test('can be asked for by hand but once in ten minutes, whoever asks, and sooner after one that failed', async () => {
    const { app, folder, admin } = await serve({ FRONTDESK_BACKUP_KEEP: '9h 9d' })
    await app.runDue()
    const other = await signedIn(app, await app.createTenant())
    await admin.post(`${PATH}/make`)
    await app.runDue()
    app.clock.advance(9 * 60_000)
    for (const browser of [admin, other]) {
      const refused = await browser.post(`${PATH}/make`)
      expect([refused.status, plain(refused.text)]).toEqual([409, expect.stringContaining('Try again in a minute.')])
    }
    await app.runDue()
    const count = tars(folder).length
    expect((await audited(app, other)).includes('Backup: started')).toBe(false)
    app.clock.advance(60_000)
    expect((await other.post(`${PATH}/make`)).status).toBe(303)
    await Bun.$`mv ${folder} ${folder}-aside`.quiet()
    writeFileSync(folder, 'a file')
    await app.runDue()
    app.clock.advance(60_000)
    rmSync(folder)
    await Bun.$`mv ${folder}-aside ${folder}`.quiet()
    expect((await other.post(`${PATH}/make`)).status).toBe(303)
    app.clock.advance(HOUR)
    await app.runDue()
    expect(tars(folder).length).toBeGreaterThan(count)
  })

  test('that cannot be made is said with its reason, and an overdue one is called so', async () => {
    const { app, folder, acme, admin } = await serve()
    await app.runDue()
    folders.push(`${folder}-aside`)
    await Bun.$`mv ${folder} ${folder}-aside`.quiet()
    writeFileSync(folder, 'a file')
    app.clock.advance(HOUR)
    await admin.post(`${PATH}/make`)
    await app.runDue()
    const failed = await read(admin)
    expect(failed).toMatch(/The last attempt failed.*no backup could be made\..*backups cannot be kept there/)
    expect(failed).toContain('The place where backups are kept cannot be read at the moment.')
    expect(failed).not.toContain('Overdue')
    app.clock.advance(49 * HOUR)
    // Sessions have ended meanwhile.
    expect(await read(await signedIn(app, acme))).toContain('Overdue The last good backup is older than two periods.')
  })

  test('that is damaged or cut off is shown so within the hour, or at once where somebody asks; what is good is noted', async () => {
    const { app, folder, admin } = await serve({ FRONTDESK_BACKUP_EVERY: '7d' })
    await app.runDue()
    const start = app.clock.now()
    const [first, byHand, cut] = [start, start - 48 * HOUR, start - 24 * HOUR].map((at) => nameAt(app, at))
    if (!first || !byHand || !cut) throw new Error('three names')
    copyFileSync(join(folder, first), join(folder, byHand))
    copyFileSync(join(folder, first), join(folder, cut))
    truncateSync(join(folder, cut), statSync(join(folder, cut)).size >> 1)
    const states = async () =>
      Object.fromEntries(
        [...(await read(admin)).matchAll(/(frontdesk-\S+\.tar) [\d.]+ [kM]B (Good|Damaged|Not checked yet)/g)].map(
          ([, name, state]) => [name, state],
        ),
      )
    expect(await states()).toEqual({ [first]: 'Good', [byHand]: 'Not checked yet', [cut]: 'Not checked yet' })
    expect(await read(admin)).toContain('2 of them were put there by other means')
    expect((await admin.follow(await admin.post(`${PATH}/check`))).text).toContain('The backups are being checked.')
    expect((await admin.post(`${PATH}/check`)).status).toBe(409)
    await app.runDue()
    expect(await states()).toEqual({ [first]: 'Good', [byHand]: 'Good', [cut]: 'Damaged' })
    expect(app.logged.join('')).toContain('a backup is damaged')
    expect((await admin.follow(await admin.post(`${PATH}/check`))).text).toContain('All of them have been checked.')
    // By itself, and anew when it is written.
    const bytes = readFileSync(join(folder, first))
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1
    writeFileSync(join(folder, first), bytes)
    copyFileSync(join(folder, byHand), join(folder, cut))
    expect(await states()).toEqual({ [first]: 'Not checked yet', [byHand]: 'Good', [cut]: 'Not checked yet' })
    app.clock.advance(HOUR)
    await app.runDue()
    expect(await states()).toEqual({ [first]: 'Damaged', [byHand]: 'Good', [cut]: 'Good' })
    expect(tars(folder).sort()).toEqual([byHand, cut, first])
  })
})

test('one that somebody made at the command line is the last good one within the hour', async () => {
  const { app, acme } = await serve()
  await app.runDue()
  app.clock.advance(20 * HOUR)
  await makeBackup(app.deps.config, app.deps.config.backup as BackupConfig, app.clock.now())
  await app.runDue()
  const admin = await signedIn(app, acme)
  const at = new Date(app.clock.now()).toISOString()
  expect((await admin.get(PATH)).text).toMatch(new RegExp(`Last good one</dt><dd><time datetime="${at.slice(0, 19)}`))
})

test('where several companies share an installation the page tells none of them how much the others have, where it lies, nor why', async () => {
  const { app, folder, acme, ...before } = await serve()
  await app.runDue()
  const name = nameAt(app, app.clock.now())
  expect(await read(before.admin)).toContain(name)
  expect(await read(before.admin)).toContain(folder)
  await app.createTenant()
  await Bun.$`mv ${folder} ${folder}-aside`.quiet()
  folders.push(`${folder}-aside`)
  writeFileSync(folder, 'a file')
  app.clock.advance(25 * HOUR)
  await app.runDue()
  const admin = await signedIn(app, acme)
  const failed = (await admin.get(PATH)).text
  expect(plain(failed)).toContain('Several companies share this installation')
  expect(plain(failed)).toContain('The last attempt failed')
  rmSync(folder)
  await Bun.$`mv ${folder}-aside ${folder}`.quiet()
  const whole = (await admin.get(PATH)).text
  for (const text of [failed, whole]) {
    for (const secret of [folder, name, 'cannot be kept']) expect(text).not.toContain(secret)
    expect(plain(text)).not.toMatch(/\d\s?[kMG]?B\b/)
  }
  expect(plain(whole)).toMatch(/When State .* Good/)
})

test('of several installations that share a place each sees its own', async () => {
  const { app, folder, admin } = await serve()
  await app.runDue()
  const foreign = nameOf({ at: app.clock.now(), owner: 'ffffffff' })
  copyFileSync(join(folder, nameAt(app, app.clock.now())), join(folder, foreign))
  expect(await read(admin)).toContain(nameAt(app, app.clock.now()))
  expect(await read(admin)).not.toContain(foreign)
})

test('backups in a bucket are listed, and a bucket that is away is said', async () => {
  const s3 = await startS3()
  const { FRONTDESK_FILES_URL: _, ...account } = s3.environment
  const { app, admin } = await serve({ ...account, FRONTDESK_BACKUP_TO: 's3://files/kept/safe' })
  await app.runDue()
  app.clock.advance(HOUR)
  await admin.post(`${PATH}/make`)
  await app.runDue()
  const page = await read(admin)
  expect(page).toContain('s3://files/kept/safe')
  expect(page).toMatch(new RegExp(`${nameAt(app, app.clock.now())} [\\d.]+ [kM]B Good`))
  await s3.stop()
  expect(await read(admin)).toMatch(
    /The place where backups are kept cannot be read at the moment\..*s3:\/\/files\/kept\/safe refuses/,
  )
})

test('the page speaks German', async () => {
  const { app, admin } = await serve()
  await app.runDue()
  admin.headers['accept-language'] = 'de'
  expect(await read(admin)).toMatch(
    /Sicherungen.*In Ordnung.*Jeden Tag.*7 Tage, 4 Wochen und 6 Monate.*Jetzt eine machen.*Gut/,
  )
})
