import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { uploads } from '../../src/db/schema.ts'
import { UNUSED_KEPT } from '../../src/uploads/limits.ts'
import { removeUnusedUploads } from '../../src/uploads/unused.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished, type TestForm } from '../support/forms/collecting.ts'
import { png, respondent } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'
import { until } from '../support/patience.ts'

let app: TestApp
let acme: TestTenant
let form: TestForm
let visitor: ReturnType<typeof respondent>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  acme = await app.createTenant()
  form = await createPublished(acme, [questionBody('file_upload'), questionBody('signature')])
  visitor = respondent(app, form)
})
afterAll(() => app.close())

const MIB = 1024 * 1024
const filesOf = (tenant = acme) => {
  const folder = join(app.dataDir, 'uploads', tenant.tenantId)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/'))
}
const records = async () =>
  (await app.database.db.select().from(uploads)).filter(({ tenantId }) => tenantId === acme.tenantId)
const answerOf = async (id: string, index = 0) =>
  (await acme.get(`/v1/forms/${form.id}/responses/${id}`)).body.answers[index].value
/** A finished response with one file. */
async function fileAnswer(content: Uint8Array<ArrayBuffer> | string, name: string) {
  const { uploadId } = (await visitor.upload(content, name)).body
  const { body } = await visitor.begin([[{ slot: 0, uploadId }]], true)
  return (await answerOf(body.id))[0]
}

describe('an upload', () => {
  test('is kept in the data folder and served to a key with responses:read as an attachment', async () => {
    const answer = await fileAnswer(png, 'me.png')
    expect(answer).toEqual({
      slot: 0,
      fileName: 'me.png',
      contentType: 'image/png',
      size: png.length,
      url: expect.stringMatching(/^\/v1\/uploads\/[0-9a-f-]{36}$/),
    })
    const response = await fetch(app.url + answer.url, { headers: { authorization: `Bearer ${acme.key}` } })
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(png)
    const header = (name: string) => response.headers.get(name)
    expect([response.status, header('content-type'), header('x-content-type-options')]).toEqual([
      200,
      'image/png',
      'nosniff',
    ])
    expect(header('content-disposition')).toBe(`attachment; filename="me.png"; filename*=UTF-8''me.png`)
    expect(header('content-security-policy')).toContain('sandbox')
  })

  test('is not served without a key, without the scope, or to another tenant', async () => {
    const { uploadId } = (await visitor.upload(png)).body
    const path = `/v1/uploads/${uploadId}`
    const { key } = await acme.createKey(['forms:read'])
    const globex = await app.createTenant()
    expect((await app.request('GET', path)).status).toBe(401)
    expect((await app.request('GET', path, { key })).status).toBe(403)
    expect((await globex.get(path)).status).toBe(404)
    expect((await acme.get(path)).status).toBe(200)
    for (const id of ['x', '..%2f..%2ffrontdesk.db', crypto.randomUUID()])
      expect((await acme.get(`/v1/uploads/${id}`)).status).toBe(404)
  })

  test('has the type of its content, whatever is declared', async () => {
    const html = '<!doctype html><script>alert(1)</script>'
    expect((await fileAnswer(html, 'page.png')).contentType).toBe('text/plain')
    expect((await fileAnswer(png, 'page.html')).contentType).toBe('image/png')
    expect((await fileAnswer('%PDF-1.7\n', 'x.txt')).contentType).toBe('application/pdf')
    expect((await fileAnswer('', 'empty.txt')).size).toBe(0)
  })

  test.each(
    (
      [
        ['name;amount\r\nÜbersicht;1\t2\n', 'List.CSV', 'text/csv'],
        ['Grüße\n', 'letter.txt', 'text/plain'],
        ['Grüße', 'csv', 'text/plain'],
        // A character in three bytes across two of the pieces it comes in, and one that is cut off.
        [`${'x'.repeat(65_535)}€${'x'.repeat(200_000)}`, 'long.csv', 'text/csv'],
        [new Uint8Array([0x78, 0xe2, 0x82]), 'cut.csv', 'application/octet-stream'],
        [new Uint8Array([0x78, 0xe9, 0x78]), 'latin1.csv', 'application/octet-stream'],
        ['a,b\0\n', 'nul.csv', 'application/octet-stream'],
        [`${'x'.repeat(300_000)}\x1b`, 'end.txt', 'application/octet-stream'],
        ['a\u0085b', 'c1.txt', 'application/octet-stream'],
        ['%PDF-1.7\n', 'x.csv', 'application/pdf'],
      ] as const
    ).map(([content, name, type]) => [name, type, content] as const),
  )('that is text is so, and CSV by its name: %s is %s', async (name, type, content) => {
    expect((await fileAnswer(content, name)).contentType).toBe(type)
  })

  test('of 10 MiB is kept, of a byte more is a 413 that leaves nothing', async () => {
    expect((await visitor.upload(new Uint8Array(10 * MIB))).status).toBe(201)
    const before = filesOf()
    const { status, body } = await visitor.upload(new Uint8Array(10 * MIB + 1))
    expect([status, body.error]).toEqual([413, 'invalid_request'])
    expect((await visitor.upload(new Uint8Array(20 * MIB))).status).toBe(413)
    expect([filesOf(), (await records()).length]).toEqual([before, 1])
  })

  test('sent twice under one Idempotency-Key is one upload', async () => {
    const send = (content: string) => visitor.upload(content, 'a.txt', { 'idempotency-key': 'u'.repeat(16) })
    const [first, again] = [await send('x'), await send('x')]
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
    expect((await send('y')).status).toBe(409)
    expect([filesOf().length, (await records()).length]).toEqual([1, 1])
  })
})

describe('a request that is no upload leaves nothing', () => {
  const part = (name: string, more = '') => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\nx\r\n`
  const file = part('file', '; filename="a"')
  const cases: [string, string, string | undefined, RegExp][] = [
    ['JSON', '{}', 'application/json', /^body: must be sent as content-type multipart/],
    ['no content type', 'x', undefined, /^body: must be sent as/],
    ['no boundary', file, 'multipart/form-data', /^body: must be/],
    ['an empty form', '--b--\r\n', 'multipart/form-data; boundary=b', /^file: a file is required|well-formed/],
    ['no file but text', `${part('file')}--b--\r\n`, 'multipart/form-data; boundary=b', /unknown field/],
    [
      'a file of another name',
      `${part('doc', '; filename="a"')}--b--\r\n`,
      'multipart/form-data; boundary=b',
      /"doc": unknown field/,
    ],
    ['two files', `${file}${file}--b--\r\n`, 'multipart/form-data; boundary=b', /^file: must be one file/],
    ['a body cut off', file, 'multipart/form-data; boundary=b', /^body: must be well-formed/],
    ['a wrong boundary', `${file}--b--\r\n`, 'multipart/form-data; boundary=c', /well-formed|is required/],
  ]
  test.each(cases)('%s', async (_name, body, contentType, message) => {
    const response = await fetch(`${app.url}${visitor.path}/uploads`, {
      method: 'POST',
      body: new TextEncoder().encode(body),
      headers: contentType ? { 'content-type': contentType } : {},
    })
    const answer = (await response.json()) as { error: string; message: string }
    expect([response.status, answer.error]).toEqual([400, 'invalid_request'])
    expect(answer.message).toMatch(message)
    expect([filesOf(), await records()]).toEqual([[], []])
  })

  test('a body that is long without a file, and says no length', async () => {
    const junk = new Uint8Array(1024 * 1024).fill(120)
    let pieces = 0
    const body = new ReadableStream({
      pull(controller) {
        pieces += 1
        if (pieces <= 11) controller.enqueue(junk)
        else controller.close()
      },
    })
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const answer = await fetch(`${app.url}${visitor.path}/uploads`, { method: 'POST', body, headers })
    expect([answer.status, await answer.json()]).toEqual([
      413,
      problem('invalid_request', 'file: must be at most 10 MiB'),
    ])
    expect([filesOf(), await records()]).toEqual([[], []])
  })

  test('a client that goes away', async () => {
    const abort = new AbortController()
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(file.slice(0, -2)))
        await Bun.sleep(50)
        abort.abort()
      },
    })
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    await fetch(`${app.url}${visitor.path}/uploads`, { method: 'POST', body, headers, signal: abort.signal }).catch(
      () => {},
    )
    await until(() => filesOf().length === 0)
    expect([filesOf(), await records()]).toEqual([[], []])
  })
})

describe('in an answer', () => {
  test('an upload belongs to its form', async () => {
    const other = respondent(app, await createPublished(acme, [questionBody('signature')]))
    const { uploadId } = (await other.upload(png)).body
    const { status, body } = await visitor.begin([[{ slot: 0, uploadId }]])
    expect([status, body.message]).toEqual([400, expect.stringMatching(/\(question \d+\).*there is no upload/)])
  })

  test('an upload of another tenant is as if it were not there', async () => {
    const globex = await app.createTenant()
    const theirs = respondent(app, await createPublished(globex, [questionBody('signature')]))
    const { uploadId } = (await theirs.upload(png)).body
    expect((await visitor.begin([undefined, { uploadId }])).status).toBe(400)
  })

  test('an upload is used by one response only, which may send it again', async () => {
    const { uploadId } = (await visitor.upload(png)).body
    const { body: begun } = await visitor.begin([undefined, { uploadId }])
    expect((await visitor.begin([undefined, { uploadId }], true)).status).toBe(400)
    expect((await visitor.resume(begun, [undefined, { uploadId }], true)).status).toBe(200)
    expect(await answerOf(begun.id)).toEqual({ contentType: 'image/png', size: png.length, url: expect.any(String) })
  })

  test('a signature has to be a picture', async () => {
    const { uploadId } = (await visitor.upload('%PDF-1.7\n')).body
    const { status, body } = await visitor.begin([undefined, { uploadId }], true)
    expect([status, body.message]).toEqual([400, expect.stringContaining('must be an image')])
  })
})

describe('what no response uses', () => {
  const clean = () => removeUnusedUploads(app.deps)

  test('is removed after two hours, and what is used stays', async () => {
    const { uploadId: used } = (await visitor.upload(png)).body
    const { uploadId: unused } = (await visitor.upload(png)).body
    const { body: begun } = await visitor.begin([undefined, { uploadId: used }])
    await clean()
    expect(filesOf().length).toBe(2)
    app.clock.advance(UNUSED_KEPT + 1)
    await clean()
    expect([(await records()).map(({ id }) => id), filesOf().map((name) => name.slice(3))]).toEqual([[used], [used]])
    expect((await acme.get(`/v1/uploads/${unused}`)).status).toBe(404)
    const told = app.logged.filter((line) => line.includes('uploads that nothing used'))
    expect(told).toEqual([expect.stringContaining(unused)])
    expect((await visitor.resume(begun, [], true)).status).toBe(200)
  })

  test('is what an answer named before it was replaced', async () => {
    const ids = [(await visitor.upload(png)).body.uploadId, (await visitor.upload(png)).body.uploadId]
    const { body: begun } = await visitor.begin([undefined, { uploadId: ids[0] }])
    await visitor.resume(begun, [undefined, { uploadId: ids[1] }])
    app.clock.advance(UNUSED_KEPT + 1)
    await clean()
    expect((await records()).map(({ id }) => id)).toEqual([ids[1]])
  })
})

test('a name is kept in any script, and a header survives it', async () => {
  const { url, fileName } = await fileAnswer('x', 'naïve "ü" 文\r\n.txt')
  expect(fileName).toBe('naïve _ü_ 文  .txt')
  const response = await fetch(app.url + url, { headers: { authorization: `Bearer ${acme.key}` } })
  const disposition = response.headers.get('content-disposition') ?? ''
  expect(disposition).toStartWith('attachment; filename="na_ve __')
  expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toBe(fileName)
})
