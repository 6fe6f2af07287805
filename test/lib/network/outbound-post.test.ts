import { describe, expect, test } from 'bun:test'
import type { PostFailure } from '../../../src/lib/network/outbound-post.ts'
import { NOBODYS_PORT } from '../../support/processes/ports.ts'
import { failureOf } from '../../support/refusal.ts'
import { afterProbation, allClosed, listening, receiving, send } from '../../support/webhooks/outbound.ts'
import {
  closeSilently,
  endlessBody,
  gzipBomb,
  hang,
  raw,
  redirect,
  reply,
  reset,
  resetMidBody,
  type Script,
} from '../../support/webhooks/receiver.ts'

describe('a POST', () => {
  test.each([false, true])('sends exactly the bytes and headers given (TLS %p)', async (tls) => {
    const receiver = await receiving([reply(201, { body: 'thanks' })], { tls })
    const body = new Uint8Array([0x7b, 0xff, 0x00, 0x0d, 0x0a, 0x7d])
    const result = await send(`${receiver.url}?a=b%20c#part`, { headers: { 'X-Signature': 'abc=' }, body })

    expect(result).toEqual({ statusCode: 201, error: null, responseBody: 'thanks', durationMs: expect.any(Number) })
    const [request] = receiver.requests
    expect(request?.method).toBe('POST')
    expect(request?.path).toBe('/hook?a=b%20c')
    expect(request?.body).toEqual(body)
    expect(request?.headers).toMatchObject({
      host: `127.0.0.1:${receiver.port}`,
      'x-signature': 'abc=',
      'content-length': '6',
      'accept-encoding': 'identity',
    })
  })

  test('counts a text body in bytes', async () => {
    const receiver = await receiving()
    await send(receiver.url, { body: '{"a":"ü€😀"}' })
    expect(new TextDecoder().decode(receiver.requests[0]?.body)).toBe('{"a":"ü€😀"}')
  })

  test('reuses an idle connection', async () => {
    const receiver = await receiving([], { tls: true })
    for (let i = 0; i < 5; i++) {
      expect((await send(receiver.url)).error).toBeNull()
      await afterProbation()
    }
    expect(receiver.connections.opened).toBe(1)
  })

  test('survives receivers that close after every answer without announcing it', async () => {
    const receiver = await receiving()
    receiver.always(raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', { end: true }))
    for (let i = 0; i < 20; i++) expect((await send(receiver.url)).error).toBeNull()
    expect(receiver.connections.opened).toBe(20)
  })

  test('ends when the receiver answers without reading the body', async () => {
    let read = 0
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const url = await listening((socket) => {
      socket.on('data', (chunk) => (read += chunk.length)).on('close', () => resolve())
      socket.pause().write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      setTimeout(() => socket.resume(), 50)
    })
    expect(await send(url, { body: new Uint8Array(20e6) })).toMatchObject({ statusCode: 200, error: null })
    await closed
    expect(read).toBeLessThan(20e6)
  })
})

describe('the status line decides', () => {
  const statuses: [status: number, error: PostFailure | null][] = [
    [200, null],
    [204, null],
    [299, null],
    [301, 'redirect'],
    [304, 'redirect'],
    [308, 'redirect'],
    [400, 'status'],
    [410, 'status'],
    [429, 'status'],
    [500, 'status'],
    [999, 'status'],
  ]
  test.each(statuses)('%d is %p', async (status, error) => {
    const receiver = await receiving([reply(status)])
    expect(await send(receiver.url)).toMatchObject({ statusCode: status, error })
  })

  test('a redirect is not followed', async () => {
    const receiver = await receiving([redirect('/elsewhere', 307)])
    expect(await send(receiver.url)).toMatchObject({ statusCode: 307, error: 'redirect' })
    expect(receiver.requests).toHaveLength(1)
  })

  /** How long it waits for a body that never comes to its end: the test would take longer than a test may without it. */
  const SOON = 1_000
  const bodies: { name: string; script: Script; kept: RegExp; bodyMs?: number }[] = [
    { name: 'never ends', script: endlessBody(), kept: /^x{16384}$/ },
    {
      name: 'comes slowly',
      script: reply(200, { body: 'slow body', dripBodyMs: 400 }),
      kept: /^s[low]*$/,
      bodyMs: SOON,
    },
    { name: 'never comes', script: raw('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'), kept: /^$/, bodyMs: SOON },
    { name: 'is reset', script: resetMidBody(), kept: /^half$/ },
    {
      name: 'is cut short',
      script: raw('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', { end: true }),
      kept: /^half$/,
    },
    { name: 'is badly framed', script: raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'), kept: /^$/ },
    { name: 'is 10 MB', script: reply(200, { body: Buffer.alloc(10e6, 'y') }), kept: /^y{16384}$/ },
    { name: 'is a gzip bomb', script: gzipBomb(), kept: /\ufffd/ },
    { name: 'has no length', script: raw('HTTP/1.1 200 OK\r\n\r\nto the end', { end: true }), kept: /^to the end$/ },
    {
      name: 'follows interim answers',
      script: raw('HTTP/1.1 103 Hm\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
      kept: /^ok$/,
    },
  ]
  for (const tls of [false, true]) {
    test.each(bodies)(`a 200 is a success when the body $name (TLS ${tls})`, async ({ script, kept, bodyMs }) => {
      const receiver = await receiving([script], { tls })
      const result = await send(receiver.url, bodyMs ? { bodyMs } : {})
      expect(result).toMatchObject({ statusCode: 200, error: null })
      expect(result.responseBody).toMatch(kept)
      expect(Buffer.byteLength(result.responseBody)).toBeLessThanOrEqual(16 * 1024)
    })
  }

  test('a failing status keeps its body too', async () => {
    const receiver = await receiving([reply(500, { body: '{"why":"because"}' })])
    expect(await send(receiver.url)).toMatchObject({ error: 'status', responseBody: '{"why":"because"}' })
  })

  test('a body is cut between two characters', async () => {
    const receiver = await receiving([
      reply(200, { body: `x${'😀'.repeat(5000)}` }),
      reply(200, { body: '\u00fc\ufffd' }),
    ])
    expect((await send(receiver.url)).responseBody).toBe(`x${'😀'.repeat(4095)}`)
    expect((await send(receiver.url)).responseBody).toBe('ü\ufffd')
  })

  test('bytes that are not UTF-8 are replaced', async () => {
    const receiver = await receiving([reply(200, { body: new Uint8Array([0x61, 0xff, 0x62, 0xe2, 0x82]) })])
    expect((await send(receiver.url)).responseBody).toBe('a\ufffdb\ufffd')
  })

  test('a body that is still coming when the time is up does not extend it', async () => {
    const receiver = await receiving([reply(200, { body: 'slow'.repeat(25), dripBodyMs: 1_000 })])
    const result = await send(receiver.url, { timeoutMs: 5_000 })
    expect(result).toMatchObject({ statusCode: 200, error: null, responseBody: expect.stringMatching(/^(slow)?s/) })
  })
})

describe('without a status line', () => {
  /** Longer than any machine takes to bring a request to the receiver. */
  const timeoutMs = 3_000
  const silent: Record<string, Script> = {
    'there is no answer': hang(),
    'the answer comes late': reply(200, { delayMs: 2 * timeoutMs }),
    'the headers come one by one': reply(200, { dripHeadersMs: timeoutMs / 5 }),
    'interim answers are all there is': raw('HTTP/1.1 102 Processing\r\n\r\n'.repeat(3)),
  }
  const faults: [error: PostFailure, name: string, script: Script][] = [
    ['reset', 'the connection is reset', reset()],
    ['reset', 'the connection is closed', closeSilently()],
    ['reset', 'the headers break off', raw('HTTP/1.1 200 OK\r\nContent-Le', { end: true })],
    ['protocol', 'the answer is not HTTP', raw('220 mail ready\r\n')],
    ['protocol', 'the status is no number', raw('HTTP/1.1 2oo OK\r\n\r\n')],
    ['protocol', 'the headers are endless', raw(`HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(50_000)}`)],
    [
      'protocol',
      'the framing is ambiguous',
      raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n'),
    ],
    [
      'protocol',
      'the protocol is switched',
      raw('HTTP/1.1 101 Hi\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    ],
  ]
  const failed = (error: PostFailure) => ({
    statusCode: null,
    error,
    responseBody: '',
    durationMs: expect.any(Number),
  })
  for (const tls of [false, true]) {
    test.each(faults)(`%s when %s (TLS ${tls})`, async (error, _, script) => {
      const receiver = await receiving([script], { tls })
      expect(await send(receiver.url)).toEqual(failed(error))
      expect(receiver.requests).toHaveLength(1)
      await allClosed(receiver)
    })
    test(`timeout when ${Object.keys(silent).join(', ')} (TLS ${tls})`, async () => {
      // All at once, so that it is waited for once.
      const asked = Object.entries(silent).map(async ([name, script]) => {
        const receiver = await receiving([script], { tls })
        expect([name, await send(receiver.url, { timeoutMs })]).toEqual([name, failed('timeout')])
        expect([name, receiver.requests.length]).toEqual([name, 1])
        await allClosed(receiver)
      })
      await Promise.all(asked)
    })
  }

  test('refused when nobody listens', async () => {
    const address = `127.0.0.1:${NOBODYS_PORT}`
    expect(await send(`http://${address}/`)).toMatchObject({ statusCode: null, error: 'refused' })
    expect(await send(`https://${address}/`)).toMatchObject({ error: 'refused' })
  })

  test('dns when the name has no address, timeout when the name server does not answer', async () => {
    const nobody = async () => Promise.reject(new Error('NXDOMAIN'))
    expect(await send('https://receiver.test', { lookup: nobody })).toMatchObject({ statusCode: null, error: 'dns' })
    const silence = () => new Promise<never>(() => {})
    expect(await send('https://receiver.test', { lookup: silence, timeoutMs: 50 })).toMatchObject({ error: 'timeout' })
  })

  test('a fault of ours is thrown, not blamed on the receiver', async () => {
    const receiver = await receiving()
    expect(await failureOf(send(receiver.url, { headers: { 'x-bad': 'a\r\nb' } }))).toBeInstanceOf(TypeError)
  })
})
