import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createCipheriv } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadConfig, type S3Config } from '../../src/config.ts'
import { uploads } from '../../src/db/schema.ts'
import type { Listed, Part } from '../../src/files/files.ts'
import { S3Files } from '../../src/files/s3.ts'
import { ORPHANS_EVERY, RECORDED_WITHIN } from '../../src/installation/orphans.ts'
import { type FileKind, fileKinds } from '../../src/kinds/files.ts'
import { newId } from '../../src/lib/ids.ts'
import { findKnownAttachments, storeAttachment } from '../../src/tickets/attachments/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { png, respondent } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'
import { refusalOf } from '../support/refusal.ts'
import { startS3 } from '../support/servers/s3.ts'
import { createTestAttachment, createTicket } from '../support/tickets/tickets.ts'

const MIB = 1024 * 1024

/** Bytes of every value, of which no part is like another: what a cipher makes of nothing, since hashes take seconds for as much. */
function bytes(size: number): Uint8Array<ArrayBuffer> {
  const cipher = createCipheriv('aes-128-ctr', new Uint8Array(16), new Uint8Array(16))
  return new Uint8Array(cipher.update(new Uint8Array(size)))
}

interface Place {
  environment: Record<string, string>
  close(): unknown
}

const places: Record<string, () => Place | Promise<Place>> = {
  'the data folder': () => ({ environment: {}, close: () => {} }),
  'a shared folder'() {
    const folder = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
    const environment = { FRONTDESK_FILES_URL: pathToFileURL(folder).href }
    return { environment, close: () => rmSync(folder, { recursive: true }) }
  },
  async 'an S3-compatible store'() {
    const { environment, stop } = await startS3()
    return { environment, close: stop }
  },
}

describe.each(Object.keys(places))('files in %s', (name) => {
  let place: Place
  let app: TestApp
  let acme: TestTenant
  let visitor: ReturnType<typeof respondent>

  beforeAll(async () => {
    place = await (places[name] as () => Promise<Place>)()
    app = await startApp({ environment: place.environment })
    acme = await app.createTenant()
    visitor = respondent(app, await createPublished(acme, [questionBody('file_upload')]))
  })
  afterAll(async () => {
    await app.close()
    await place.close()
  })

  async function listed(kind: FileKind, part?: Part): Promise<(Listed & { tenantId: string })[]> {
    const found = []
    for await (const { tenantId, files } of app.deps.files.list(kind, part)) {
      found.push(...files.map((file) => ({ ...file, tenantId })))
    }
    return found
  }

  const download = (path: string, key = acme.key) =>
    fetch(app.url + path, { headers: { authorization: `Bearer ${key}` } })

  test.each([1, 100_000, 10 * MIB])('an upload of %d bytes comes back exact to the byte', async (size) => {
    const content = bytes(size)
    const { status, body } = await visitor.upload(content, 'a.bin')
    expect(status).toBe(201)
    const answer = await download(`/v1/uploads/${body.uploadId}`)
    expect(answer.status).toBe(200)
    expect(Buffer.compare(await answer.bytes(), content)).toBe(0)
    // Bun says no length of what it hands on as it comes.
    if (!name.includes('S3')) expect(answer.headers.get('content-length')).toBe(String(size))
  })

  test('an attachment of 25 MiB comes back exact to the byte, under the name its sender gave', async () => {
    const content = bytes(25 * MIB)
    const attachment = await createTestAttachment(acme, { fileName: `${'Übersicht '.repeat(40)}.pdf` }, content)
    await createTicket(acme, { attachments: [attachment] })
    const answer = await download(`/v1/attachments/${attachment.id}`)
    expect(Buffer.compare(await answer.bytes(), content)).toBe(0)
    const disposition = answer.headers.get('content-disposition') ?? ''
    expect(disposition).toStartWith('attachment; filename="_bersicht _bersicht')
    const shown = decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')
    expect([shown, shown.length]).toEqual([attachment.fileName, 255])
    expect(shown).toEndWith('.pdf')
  })

  test('an empty file is a file', async () => {
    const attachment = await createTestAttachment(acme, {}, '')
    await createTicket(acme, { attachments: [attachment] })
    const answer = await download(`/v1/attachments/${attachment.id}`)
    expect([answer.status, (await answer.bytes()).length]).toEqual([200, 0])
  })

  test('what is too large, breaks off or has no record is nowhere', async () => {
    const before = [await listed('uploads'), await listed('attachments')].map((files) => files.length)
    const records = (await app.database.db.select().from(uploads)).length
    expect((await visitor.upload(bytes(10 * MIB + 1))).body.message).toBe('file: must be at most 10 MiB')
    async function* cutOff() {
      yield png
      throw new Error('cut off')
    }
    expect(await refusalOf(storeAttachment(app.deps.files, acme.caller(), {}, cutOff()))).toContain('cut off')
    const tooLarge = new Blob([bytes(25 * MIB + 1)]).stream()
    expect(await refusalOf(storeAttachment(app.deps.files, acme.caller(), {}, tooLarge))).toContain('at most 25 MiB')
    expect([await listed('uploads'), await listed('attachments')].map((files) => files.length)).toEqual(before)
    expect(await app.database.db.select().from(uploads)).toHaveLength(records)
    for (const folder of [...fileKinds, 'receiving'].map((folder) => join(app.dataDir, folder))) {
      const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
      expect(names.filter((name) => name.endsWith('.part'))).toEqual([])
    }
  })

  test('a file that is gone is a 404, and removing it again is nothing', async () => {
    const { uploadId: id } = (await visitor.upload(png)).body
    const gone = { kind: 'uploads', tenantId: acme.tenantId, id } as const
    await app.deps.files.remove(gone)
    await app.deps.files.remove(gone)
    expect((await download(`/v1/uploads/${id}`)).status).toBe(404)
  })

  test('a file of another tenant is as if it were not there', async () => {
    const attachment = await createTestAttachment(acme)
    await createTicket(acme, { attachments: [attachment] })
    const { key } = await app.createTenant()
    expect((await download(`/v1/attachments/${attachment.id}`, key)).status).toBe(404)
    expect((await download(`/v1/attachments/${attachment.id}`)).status).toBe(200)
  })

  test('of old files those that no record knows go to the trash, and only of tenants that the database knows', async () => {
    const kept = await createTestAttachment(acme)
    await createTicket(acme, { attachments: [kept] })
    const orphan = await createTestAttachment(acme)
    const upload = { kind: 'uploads', tenantId: acme.tenantId, id: newId(app.clock.now()) } as const
    await app.deps.files.store(upload, new Blob(['x']).stream(), 10)
    const stranger = { kind: 'uploads', tenantId: crypto.randomUUID(), id: crypto.randomUUID() } as const
    await app.deps.files.store(stranger, new Blob(['x']).stream(), 10)
    // The store's clock is the world's: to it, nothing of this is old before the service's clock is ahead of that.
    app.clock.advance(ORPHANS_EVERY)
    await app.runDue()
    expect((await listed('attachments')).map(({ id }) => id)).toContain(orphan.id)
    app.clock.advance(Date.now() - app.clock.now() + RECORDED_WITHIN + 60_000)
    await app.runDue()
    const ids = (await listed('attachments')).map(({ id }) => id)
    expect([ids.includes(kept.id), ids.includes(orphan.id)]).toEqual([true, false])
    expect(new Set(ids)).toEqual(new Set(await findKnownAttachments(app.database.db, acme.tenantId, ids)))
    expect((await listed('uploads')).filter(({ id }) => id === upload.id)).toEqual([])
    expect((await listed('uploads')).some(({ id }) => id === stranger.id)).toBe(true)
    const trashed = async () => (await listed('attachments', 'trash')).map(({ id }) => id)
    expect(await trashed()).toEqual([orphan.id])
    await app.deps.files.remove({ kind: 'attachments', tenantId: acme.tenantId, id: orphan.id })
    expect(await trashed()).toEqual([])
  })
})

describe('a shared folder', () => {
  test('that is not there stops the start, and one that went answers 503 and is not made anew', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
    const environment = { FRONTDESK_FILES_URL: pathToFileURL(folder).href }
    const app = await startApp({ environment })
    const acme = await app.createTenant()
    const visitor = respondent(app, await createPublished(acme, [questionBody('file_upload')]))
    rmSync(folder, { recursive: true })
    const { status, body } = await visitor.upload(png)
    expect([status, body.error, existsSync(folder)]).toEqual([503, 'unavailable', false])
    expect(await app.database.db.select().from(uploads)).toEqual([])
    await app.close()
    expect(await refusalOf(startApp({ environment }))).toContain('FRONTDESK_FILES_URL: there is no folder')
  })
})

describe('an S3-compatible store', () => {
  test('that is away is a 503 with nothing half recorded, and works again once it is back', async () => {
    const s3 = await startS3()
    const app = await startApp({ environment: s3.environment })
    const acme = await app.createTenant()
    const visitor = respondent(app, await createPublished(acme, [questionBody('file_upload')]))
    const { uploadId } = (await visitor.upload(png)).body
    const used = await visitor.upload(png, 'b.png', { 'idempotency-key': 'k'.repeat(16) })
    await s3.stop()
    for (const answer of [
      await visitor.upload(bytes(MIB), 'a.png', { 'idempotency-key': 'l'.repeat(16) }),
      await acme.get(`/v1/uploads/${uploadId}`),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([503, 'unavailable'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(app.logged.join('')).toContain('ConnectionRefused')
    const ids = (await app.database.db.select().from(uploads)).map(({ id }) => id)
    expect(ids.sort()).toEqual([uploadId, used.body.uploadId].sort())
    expect(readdirSync(join(app.dataDir, 'receiving'))).toEqual([])
    await s3.startAgain()
    const again = await visitor.upload(png, 'a.png', { 'idempotency-key': 'l'.repeat(16) })
    expect([again.status, (await acme.get(`/v1/uploads/${again.body.uploadId}`)).status]).toEqual([201, 200])
    await app.close()
    await s3.stop()
  })

  test('holds files under the prefix, and lists them over any number of pages', async () => {
    const s3 = await startS3()
    const app = await startApp({ environment: s3.environment })
    const tenantId = crypto.randomUUID()
    const ids = Array.from({ length: 1_100 }, () => crypto.randomUUID())
    const put = (id: string) => s3.client.write(`desk/uploads/${tenantId}/${id.slice(-2)}/${id}`, 'x')
    for (let at = 0; at < ids.length; at += 50) await Promise.all(ids.slice(at, at + 50).map(put))
    await s3.client.write(`desk/uploads/${tenantId}/ab/readme.txt`, 'not ours')
    await s3.client.write(`other/uploads/${tenantId}/ab/${ids[0]}`, 'not ours')
    const found = []
    for await (const { files } of app.deps.files.list('uploads')) found.push(...files.map(({ id }) => id))
    expect(found.sort()).toEqual(ids.sort())
    await app.close()
    await s3.stop()
  })

  test('leaves nothing of what a killed process was receiving', async () => {
    const s3 = await startS3()
    const app = await startApp({ environment: s3.environment })
    const spool = join(app.dataDir, 'receiving')
    mkdirSync(spool)
    for (const name of ['old.part', 'young.part']) writeFileSync(join(spool, name), 'x')
    for (const [name, age] of [
      ['old.part', RECORDED_WITHIN + 1_000],
      ['young.part', RECORDED_WITHIN - 60_000],
    ] as const) {
      const then = new Date(app.clock.now() - age)
      utimesSync(join(spool, name), then, then)
    }
    await app.runDue()
    expect(readdirSync(spool)).toEqual(['young.part'])
    await app.close()
    await s3.stop()
  })

  test('that says nothing is a 503 in the end', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    const s3 = await startS3()
    const environment = { ...s3.environment, AWS_ENDPOINT_URL: `http://127.0.0.1:${silent.port}` }
    const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
    const { files } = loadConfig(environment)
    const app = await startApp({ replace: { files: new S3Files(files as S3Config, join(dataDir, 'receiving'), 200) } })
    const acme = await app.createTenant()
    const visitor = respondent(app, await createPublished(acme, [questionBody('file_upload')]))
    expect((await visitor.upload(png)).body.error).toBe('unavailable')
    expect(await app.database.db.select().from(uploads)).toEqual([])
    silent.stop(true)
    await app.close()
    await s3.stop()
    rmSync(dataDir, { recursive: true })
  })
})
