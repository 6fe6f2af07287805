import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { listen } from '../../src/http/server.ts'
import { createLog } from '../../src/lib/log/log.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let lines: Record<string, unknown>[] = []

beforeAll(async () => {
  app = await startApp()
})
beforeEach(() => {
  lines = []
})
afterAll(() => app.close())

/** Sends requests with these X-Forwarded-For headers to a service that logs, and believes the proxies given. */
async function send(trusted: string[], ...forwarded: (string | null)[]): Promise<void> {
  const { port: _, ...config } = app.deps.config
  const listener = listen({ ...config, port: 0, trustedProxies: trusted })
  listener.serve(
    createApp(app.deps),
    createLog((line) => lines.push(JSON.parse(line)), false),
  )
  for (const header of forwarded) {
    await fetch(`${listener.server.url.origin}/healthz`, { headers: header ? { 'x-forwarded-for': header } : {} })
  }
  await listener.server.stop(true)
}
const addresses = () => lines.filter(({ message }) => message === 'request').map(({ address }) => address)
const warnings = () => lines.filter(({ level }) => level === 'warn')

test('the line of a request names the client: what a proxy says where it is believed, whole', async () => {
  await send(['127.0.0.1'], null, '203.0.113.9', '1.1.1.1, 2001:db8:1:2::9')
  expect(addresses()).toEqual(['127.0.0.1', '203.0.113.9', '2001:db8:1:2::9'])
  expect(warnings()).toEqual([])
})

test('a proxy on this machine that is not believed is warned of, once', async () => {
  await send([], null)
  expect(warnings()).toEqual([])
  await send([], '203.0.113.9', '203.0.113.8', '203.0.113.9')
  expect(addresses()).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.1'])
  expect(warnings()).toEqual([
    {
      time: expect.any(String),
      level: 'warn',
      message: expect.stringContaining('FRONTDESK_TRUSTED_PROXIES'),
      peer: '127.0.0.1',
    },
  ])
})
