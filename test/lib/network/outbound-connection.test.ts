import { describe, expect, test } from 'bun:test'
import type net from 'node:net'
import type { PostFailure } from '../../../src/lib/network/outbound-post.ts'
import { PATIENCE } from '../../support/patience.ts'
import { afterProbation, listening, receiving, send } from '../../support/webhooks/outbound.ts'
import { hang, type Receiver } from '../../support/webhooks/receiver.ts'

/** A lookup that answers with each of `addresses` in turn, and how often it was asked. */
function lookupOf(...addresses: string[]) {
  const asked: string[] = []
  const lookup = async (host: string) => {
    asked.push(host)
    return [{ address: addresses[asked.length - 1] as string }]
  }
  return { asked, lookup }
}

describe('TLS', () => {
  const named = (receiver: Receiver, name = 'receiver.test') => `https://${name}:${receiver.port}/hook`
  const local = { lookup: async () => [{ address: '127.0.0.1' }] }

  test('succeeds when the certificate is trusted and names the host of the URL', async () => {
    const receiver = await receiving([], { tls: true })
    expect((await send(named(receiver), local)).error).toBeNull()
    expect((await send(named(receiver, 'receiver.test.'), local)).error).toBeNull()
    expect((await send(receiver.url)).error).toBeNull()
    expect(receiver.requests[0]?.headers.host).toBe(`receiver.test:${receiver.port}`)
  })

  test.each(['expired', 'other-name', 'self-signed'] as const)('fails when the certificate is %s', async (tls) => {
    const receiver = await receiving([], { tls })
    expect(await send(named(receiver), local)).toMatchObject({ statusCode: null, error: 'tls' })
    expect(await send(receiver.url)).toMatchObject({ statusCode: null, error: 'tls' })
    expect(receiver.requests).toHaveLength(0)
  })

  test('fails when the authority is not trusted, or the name is another, even after a success', async () => {
    const receiver = await receiving([], { tls: true })
    expect((await send(named(receiver), local)).error).toBeNull()
    await afterProbation()
    expect((await send(named(receiver), { ...local, ca: undefined })).error).toBe('tls')
    expect((await send(named(receiver, 'other.test'), local)).error).toBe('tls')
    expect(receiver.requests).toHaveLength(1)
  })

  const peers: [error: PostFailure, name: string, peer: (socket: net.Socket) => void][] = [
    ['tls', 'speaks no TLS', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['reset', 'hangs up in the handshake', (socket) => socket.once('data', () => socket.destroy())],
    ['timeout', 'says nothing', () => {}],
  ]
  test.each(peers)('%s when the peer %s', async (error, _, peer) => {
    const url = (await listening(peer)).replace('http:', 'https:')
    const limits = error === 'timeout' ? { timeoutMs: 100 } : {}
    expect(await send(url, limits)).toMatchObject({ statusCode: null, error })
  })
})

describe('the address', () => {
  test('is refused when it is not public, and nothing is sent', async () => {
    const receiver = await receiving([], { tls: true })
    const { asked, lookup } = lookupOf('127.0.0.1')
    const guarded = { allowPrivate: false, lookup }
    for (const url of [
      `https://receiver.test:${receiver.port}`,
      receiver.url,
      'http://example.com',
      'https://localhost',
    ]) {
      expect(await send(url, guarded)).toMatchObject({ statusCode: null, error: 'blocked_address' })
    }
    expect(asked).toEqual(['receiver.test'])
    expect(receiver.connections.opened).toBe(0)
  })

  test('is looked up once, so a name that changes its mind gains nothing', async () => {
    const receiver = await receiving([], { tls: true })
    const { asked, lookup } = lookupOf('192.0.2.1', '127.0.0.1')
    const result = await send(`https://receiver.test:${receiver.port}`, { lookup, timeoutMs: 100 })
    expect(result.error).not.toBeNull()
    expect(asked).toHaveLength(1)
    expect(receiver.connections.opened).toBe(0)
  })

  test('is looked up for every POST, and a new one never meets an old connection', async () => {
    const receiver = await receiving()
    const { asked, lookup } = lookupOf('127.0.0.1', '127.0.0.1', '127.0.0.2')
    const url = `http://receiver.test:${receiver.port}`
    for (let i = 0; i < 2; i++) {
      expect((await send(url, { lookup })).error).toBeNull()
      await afterProbation()
    }
    expect((await send(url, { lookup })).error).toBe('refused')
    expect(asked).toHaveLength(3)
    expect(receiver.connections.opened).toBe(1)
  })

  test('is connected to directly whatever proxies the environment names', async () => {
    const [receiver, proxy] = [await receiving(), await receiving()]
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
    const proxies = Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${proxy.port}`]))
    const script = `
      const { post } = await import(${JSON.stringify(require.resolve('../../../src/lib/network/outbound-post.ts'))})
      const request = { url: '${receiver.url}', headers: {}, body: '{}', timeoutMs: ${PATIENCE}, allowPrivate: true }
      process.stdout.write(String((await post(request)).error))`
    const child = Bun.spawn([process.execPath, '-e', script], {
      env: { ...process.env, ...proxies, NO_PROXY: '', no_proxy: '', NODE_USE_ENV_PROXY: '1' },
    })
    expect(await new Response(child.stdout).text()).toBe('null')
    expect([receiver.requests.length, proxy.connections.opened]).toEqual([1, 0])
  })
})

test('400 receivers that never answer do not hold up one that does', async () => {
  const [silent, live] = [await receiving(), await receiving()]
  silent.always(hang())
  const breakOff = new AbortController()
  let ended = 0
  const hanging = Array.from({ length: 400 }, () =>
    send(silent.url, { signal: breakOff.signal }).finally(() => (ended += 1)),
  )
  await silent.waitFor(400)
  expect((await send(live.url)).error).toBeNull()
  expect(ended).toBe(0)
  breakOff.abort()
  const errors = new Set((await Promise.all(hanging)).map(({ error }) => error))
  expect([...errors]).toEqual(['reset'])
})
