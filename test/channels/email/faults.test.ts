import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { eq } from 'drizzle-orm'
import { listQuarantine } from '../../../src/channels/email/quarantine.ts'
import { receiveMail } from '../../../src/channels/email/receiving/receive.ts'
import { checkFiles } from '../../../src/check/files.ts'
import { inspect } from '../../../src/db/index.ts'
import type { Inspection } from '../../../src/db/inspection.ts'
import { messages, receivedMails } from '../../../src/db/schema.ts'
import { FolderFiles } from '../../../src/files/folder.ts'
import { pathOf } from '../../../src/files/names.ts'
import { NoRoom } from '../../../src/files/room.ts'
import { ORPHANS_EVERY, RECORDED_WITHIN } from '../../../src/installation/orphans.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { png } from '../../support/forms/hosted.ts'
import { createMailbox, htmlWithImage, type Mailbox, rawMail } from '../../support/mail/mails.ts'
import { failureOf, refusal } from '../../support/refusal.ts'

let folder: string
let app: TestApp
let acme: TestTenant
let inbox: Mailbox

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  app = await startApp({ environment: { FRONTDESK_FILES_URL: pathToFileURL(folder).href } })
  acme = await app.createTenant()
  inbox = await createMailbox(app, acme)
})
afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const tickets = async () => (await acme.get('/v1/tickets')).body.items
const large = () => rawMail({ to: inbox.address, text: 'x'.repeat(100_000) })
const withImage = () => rawMail({ to: inbox.address, body: htmlWithImage('<p>Hi</p>', png) })

test.each([
  ['itself', large],
  ['what it brings along', withImage],
])('a mail whose bytes cannot be stored (%s) is refused for now, and taken when it comes again', async (_, make) => {
  const raw = make()
  renameSync(folder, `${folder}.away`)
  const [code] = await refusal(inbox.receive(raw))
  expect(code).toBe('unavailable')
  expect([await tickets(), await listQuarantine(app.database.db, acme.tenantId)]).toEqual([[], []])
  renameSync(`${folder}.away`, folder)
  expect((await inbox.receive(raw)).outcome).toBe('created')
  expect(await tickets()).toHaveLength(1)
})

test('a mail waits while there is less room than there has to be, and nothing of it is kept', async () => {
  const narrow = { ...app.deps, config: { ...app.deps.config, minFree: Number.MAX_SAFE_INTEGER } }
  const { id } = inbox
  for (const raw of [rawMail(), large(), withImage()]) {
    const mail = { raw, at: app.clock.now(), inbox: { tenantId: acme.tenantId, id }, envelope: null, connection: null }
    expect(await failureOf(receiveMail(narrow, mail))).toBeInstanceOf(NoRoom)
  }
  expect([await tickets(), await listQuarantine(app.database.db, acme.tenantId)]).toEqual([[], []])
  expect(readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toHaveLength(
    existsSync(join(folder, 'installation')) ? 1 : 0,
  )
})

test('a small mail needs no file', async () => {
  renameSync(folder, `${folder}.away`)
  expect((await inbox.deliver()).outcome).toBe('created')
  renameSync(`${folder}.away`, folder)
})

test('a mail that trips us up is put into quarantine, and the log says why', async () => {
  const files = new FolderFiles(folder)
  files.store = () => Promise.reject(new TypeError('a bug of ours'))
  const { id } = inbox
  const mail = { raw: withImage(), at: app.clock.now(), inbox: { tenantId: acme.tenantId, id } }
  const received = await receiveMail({ ...app.deps, files }, { ...mail, envelope: null, connection: null })
  expect(received).toMatchObject({ outcome: 'quarantined' })
  expect(await tickets()).toEqual([])
  expect(await listQuarantine(app.database.db, acme.tenantId)).toMatchObject([
    { from: 'ada@customer.test', subject: 'Where is my order?', reason: expect.stringContaining('tripped us up') },
  ])
  expect(app.logged.join('')).toContain('a bug of ours')
})

test('a large mail’s file stays while its row says so, however old; one that no row knows goes', async () => {
  await inbox.receive(large())
  const [row] = await app.database.db.select().from(receivedMails)
  const name = { kind: 'received_mails', tenantId: acme.tenantId, id: row?.id as string } as const
  const orphan = { ...name, id: crypto.randomUUID() }
  await app.deps.files.store(orphan, new Blob(['x']).stream(), 1)
  const old = new Date(app.clock.now() - 2 * RECORDED_WITHIN)
  for (const one of [name, orphan]) utimesSync(join(folder, pathOf(one)), old, old)
  app.clock.advance(ORPHANS_EVERY)
  await app.runDue()
  expect(await app.deps.files.read(name)).not.toBe(null)
  expect(await app.deps.files.read(orphan)).toBe(null)
})

test('the check holds large mails’ files against their rows, and misses none of small ones', async () => {
  for (const raw of [large(), rawMail({ to: inbox.address })]) await inbox.receive(raw)
  const findings = async () => {
    const database = (await inspect(app.deps.config)) as Inspection
    const found = await checkFiles(app.deps.files, database, app.clock.now())
    await database.close()
    return found
  }
  expect(await findings()).toEqual([])
  rmSync(join(folder, 'received_mails'), { recursive: true })
  expect(await findings()).toMatchObject([{ problem: expect.stringContaining('missing') }])
})

test('with a message that is deleted for good goes what is known of its mail', async () => {
  const { messageId } = await inbox.deliver()
  const isThis = eq(messages.id, messageId as string)
  await app.database.transaction((tx) => tx.delete(messages).where(isThis))
  expect(await app.database.db.select().from(receivedMails)).toEqual([])
})
