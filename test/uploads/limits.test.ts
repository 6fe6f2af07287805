import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uploads } from '../../src/db/schema.ts'
import { newId } from '../../src/lib/ids.ts'
import { clientAddresses } from '../../src/lib/network/client-address.ts'
import { UNUSED_KEPT, uploadLimits } from '../../src/uploads/limits.ts'
import { addUpload } from '../../src/uploads/operations.ts'
import { senders } from '../../src/uploads/senders.ts'
import { removeUnusedUploads } from '../../src/uploads/unused.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished, type TestForm } from '../support/forms/collecting.ts'
import { respondent } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'
import { until } from '../support/patience.ts'
import { failureOf, refusalOf } from '../support/refusal.ts'

const MIB = 1024 * 1024

let app: TestApp
let acme: TestTenant
let form: TestForm
let visitor: ReturnType<typeof respondent>

async function start(environment: Record<string, string> = {}, dataDir?: string) {
  app = await startApp({
    environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000', FRONTDESK_TRUSTED_PROXIES: '127.0.0.1', ...environment },
    ...(dataDir ? { dataDir } : {}),
  })
}
beforeEach(() => start())
afterEach(() => app.close())

async function publish(...questions: object[]) {
  acme = await app.createTenant()
  form = await createPublished(acme, questions.length > 0 ? questions : [questionBody('file_upload')])
  visitor = respondent(app, form)
}

const send = (size: number, address = '203.0.113.1') =>
  visitor.upload(new Uint8Array(size), 'a', { 'x-forwarded-for': address })
const rows = () => app.database.db.select().from(uploads)
const filesOf = () => {
  const folder = join(app.dataDir, 'uploads')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.split('/').length === 3)
}
const left = async () => [filesOf().length, (await rows()).length]
const clientOf = clientAddresses([])

/** Records of files of the address, as large as is said and without content. */
async function pretend(address: string, ...sizes: number[]) {
  const sender = await senders(app.database)(clientOf(address, null))
  for (const size of sizes) {
    await acme.perform((tx, caller) =>
      addUpload(
        tx,
        caller,
        { id: newId(caller.at), formId: form.id, fileName: 'a', contentType: 'x/y', size, sha256: '' },
        sender,
      ),
    )
  }
}

/** A file in pieces, without a length said before. */
function inPieces(size: number, address = '203.0.113.1') {
  const text = new TextEncoder()
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(text.encode(head))
      for (let sent = 0; sent < size; sent += MIB) controller.enqueue(new Uint8Array(Math.min(MIB, size - sent)))
      controller.enqueue(text.encode('\r\n--b--\r\n'))
      controller.close()
    },
  })
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'x-forwarded-for': address }
  return fetch(`${app.url}${visitor.path}/uploads`, { method: 'POST', body, headers })
}

/** A file that is under way: its first byte has been sent, and `finish` sends the rest. */
function begun(size: number, address = '203.0.113.1') {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const text = new TextEncoder()
  const say = (bytes: Uint8Array) => void writer.write(bytes).catch(() => {})
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'x-forwarded-for': address }
  const answer = fetch(`${app.url}${visitor.path}/uploads`, { method: 'POST', body: readable, headers })
  say(text.encode('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'))
  say(new Uint8Array(1))
  return {
    async finish(): Promise<number> {
      say(new Uint8Array(size - 1))
      say(text.encode('\r\n--b--\r\n'))
      await writer.close()
      return (await answer).status
    },
  }
}

describe('a form', () => {
  test('without a question that takes a file takes none', async () => {
    await publish(questionBody('nps'), questionBody('textbox'))
    const { status, body } = await send(1)
    expect([status, body]).toEqual([
      400,
      problem('invalid_request', 'file: this form has no question that takes a file'),
    ])
    expect(await left()).toEqual([0, 0])
  })

  test.each(['file_upload', 'signature'] as const)('with a %s question does', async (type) => {
    await publish(questionBody('nps'), questionBody(type))
    expect((await send(1)).status).toBe(201)
  })
})

describe('what an address has sent and no completed response has claimed', () => {
  test('is at most 100 MiB, to the byte; the next is a 429 that leaves nothing', async () => {
    await publish()
    for (let i = 0; i < 10; i += 1) expect((await send(10 * MIB)).status).toBe(201)
    const refused = await send(1)
    expect([refused.status, refused.text, Number(refused.headers.get('retry-after'))]).toEqual([
      429,
      '',
      UNUSED_KEPT / 1000,
    ])
    expect((await inPieces(1)).status).toBe(429)
    expect(await left()).toEqual([10, 10])
    expect((await send(0)).status).toBe(201)
    expect((await send(1, '203.0.113.2')).status).toBe(201)
  })

  test('counts over all forms and tenants, and does not count what others sent', async () => {
    await publish()
    await pretend('203.0.113.1', 60 * MIB)
    await pretend('203.0.113.2', 100 * MIB)
    await publish()
    await pretend('203.0.113.1', 40 * MIB)
    expect((await send(1)).status).toBe(429)
    // Whatever was let in, the transaction that keeps it looks again.
    expect(await failureOf(pretend('203.0.113.1', 1))).toMatchObject({ code: 'too_soon' })
    expect((await send(1, '203.0.113.3')).status).toBe(201)
  })

  test('is not passed by uploads that were let in at once: each is counted anew with what has been kept meanwhile', async () => {
    await publish()
    await pretend('203.0.113.1', 70 * MIB)
    const together = Array.from({ length: 8 }, () => begun(10 * MIB))
    await until(() => filesOf().length === together.length)
    const statuses: number[] = []
    for (const { finish } of together) statuses.push(await finish())
    expect(statuses).toEqual([201, 201, 201, 429, 429, 429, 429, 429])
    expect(await left()).toEqual([3, 4])
  })

  test('counts while it comes in, and no longer once that has ended', async () => {
    await publish()
    const admit = uploadLimits(app.deps)
    const client = clientOf('203.0.113.1', null)
    const running = await admit(client, null)
    running.count(95 * MIB)
    const other = await admit(client, null)
    expect(() => other.count(5 * MIB + 1)).toThrow(/too many files/)
    other.end()
    expect(await refusalOf(admit(client, 6 * MIB))).toMatch(/too many files/)
    running.end()
    const last = await admit(client, 10 * MIB)
    last.count(100 * MIB)
    last.end()
  })

  test('is free again for what a completed response has, and who sent that is forgotten', async () => {
    await publish()
    await pretend('203.0.113.1', 99 * MIB)
    const { uploadId } = (await send(MIB)).body
    expect((await send(1)).status).toBe(429)
    const { body: begun } = await visitor.begin([[{ slot: 0, uploadId }]])
    expect((await send(1)).status).toBe(429)
    expect((await visitor.resume(begun, [], true)).status).toBe(200)
    expect((await send(MIB)).status).toBe(201)
    expect((await rows()).find(({ id }) => id === uploadId)?.senderHash).toBeNull()
  })

  test('is gone after two hours', async () => {
    await publish()
    for (let i = 0; i < 10; i += 1) await send(10 * MIB)
    app.clock.advance(UNUSED_KEPT - 5_000)
    const { status, headers } = await send(10 * MIB)
    expect([status, Number(headers.get('retry-after'))]).toEqual([429, 60])
    app.clock.advance(5_001)
    await app.runDue()
    expect(await left()).toEqual([0, 0])
    expect((await send(10 * MIB)).status).toBe(201)
  })

  test('is remembered over a restart, by a hash that names nobody', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
    await app.close()
    await start({}, dataDir)
    await publish()
    await pretend('203.0.113.1', 100 * MIB)
    await app.close()
    await start({}, dataDir)
    visitor = respondent(app, form)
    expect((await send(1)).status).toBe(429)
    const [record] = await rows()
    expect(record?.senderHash).toMatch(/^[\w-]{22}$/)
    const unkeyed = new Bun.CryptoHasher('sha256').update('203.0.113.1').digest('base64url')
    expect(unkeyed).not.toStartWith(record?.senderHash ?? '')
    await app.close()
    rmSync(dataDir, { recursive: true })
    await start()
  })

  test('of IPv6 counts per /64, and per /48 with ten times as much', async () => {
    await publish()
    await pretend('2001:db8:1:1::1', 60 * MIB, 40 * MIB)
    expect((await send(1, '2001:db8:1:1:9::9')).status).toBe(429)
    expect((await send(1, '2001:db8:1:2::1')).status).toBe(201)
    for (let network = 3; network < 12; network += 1) await pretend(`2001:db8:1:${network}::1`, 100 * MIB - 1)
    expect((await send(8, '2001:db8:1:ffff::1')).status).toBe(201)
    expect((await send(1, '2001:db8:1:fffe::1')).status).toBe(429)
    expect((await send(1, '2001:db8:2::1')).status).toBe(201)
  })
})

describe('a disk with less room than FRONTDESK_MIN_FREE_MB', () => {
  test('takes no files and no responses, with a 503, and still takes rows of people with a key', async () => {
    await app.close()
    await start({ FRONTDESK_MIN_FREE_MB: '1000000000' })
    await publish()
    const { status, body, headers } = await send(1)
    expect([status, body, Number(headers.get('retry-after'))]).toEqual([
      503,
      problem('unavailable', expect.stringContaining('the disk has no room')),
      60,
    ])
    expect(await left()).toEqual([0, 0])
    expect((await visitor.begin([undefined], true)).status).toBe(503)
    expect((await acme.post('/v1/contacts', { email: 'ada@acme.test' })).status).toBe(201)
  })
})

test('what is being sent at once is bounded', async () => {
  const admit = uploadLimits(app.deps)
  const client = clientOf('203.0.113.1', null)
  const own = await Promise.all(Array.from({ length: 20 }, () => admit(client, 1)))
  expect(await failureOf(admit(client, 1))).toMatchObject({ code: 'too_soon' })
  const others = Array.from({ length: 20 }, (_, i) => admit(clientOf(`198.51.100.${i}`, null), 1))
  await Promise.all(others)
  expect(await failureOf(admit(clientOf('192.0.2.1', null), 1))).toMatchObject({ code: 'unavailable' })
  own[0]?.end()
  ;(await admit(clientOf('192.0.2.1', null), 1)).end()
})

test('a file that a stranger has not claimed is removed with its record', async () => {
  await publish()
  await send(1)
  app.clock.advance(UNUSED_KEPT - 1)
  await removeUnusedUploads(app.deps)
  expect(await left()).toEqual([1, 1])
  app.clock.advance(1)
  await removeUnusedUploads(app.deps)
  expect(await left()).toEqual([0, 0])
})
