import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { listen } from '../../src/http/server.ts'
import { createLog } from '../../src/lib/log/log.ts'
import { allRoutes } from '../support/api/routes.ts'
import { startApp, type TestApp } from '../support/app.ts'

/** Parameters of paths that are no secrets: numbers and names of records. Any other is one until it stands here. */
const HARMLESS = [
  'attachmentId',
  'batchId',
  'cannedId',
  'categoryId',
  'chapter',
  'draftId',
  'end',
  'field',
  'group',
  'id',
  'imageId',
  'inboxId',
  'language',
  'launchCode',
  'mailId',
  'messageId',
  'pageId',
  'questionId',
  'responseId',
  'slug',
  'sourceId',
  'translated',
  'uploadId',
  'webhookId',
]
/** Where links of ours and of providers carry what nobody else may have. */
const QUERY = ['resume', 'resumeToken', 'token', 'code', 'state', 'visitor', 'session_id', 'checkout', 'key']
const SECRET = 'sEcRet-0123456789_abcdefghijklmnopqrstuvwxy'

let app: TestApp
const lines: string[] = []

beforeAll(async () => {
  app = await startApp({
    environment: {
      FRONTDESK_PUBLIC_RATE_LIMIT: '100000',
      FRONTDESK_OIDC_ISSUER: 'http://127.0.0.1:1',
      FRONTDESK_OIDC_CLIENT_ID: 'desk',
      FRONTDESK_OIDC_CLIENT_SECRET: 'secret',
    },
  })
})
afterAll(() => app.close())

function listener() {
  const found = listen({ ...app.deps.config, port: 0 })
  const log = createLog((line) => lines.push(line), false)
  const served = createApp({ ...app.deps, log })
  found.serve(served, log)
  return { served, stop: () => found.server.stop(true), origin: found.server.url.origin }
}

test('no path, whatever its kind, leaves its token or address in the log', async () => {
  const { served, stop, origin } = listener()
  const routes = (await allRoutes(served)).filter(({ method }) => method !== 'WS')
  const fill = (path: string) =>
    path.replaceAll('*', 'nowhere').replace(/:(\w+)/g, (_, name) => (HARMLESS.includes(name) ? '7' : SECRET))
  const query = new URLSearchParams(QUERY.map((name) => [name, SECRET]))
  const headers = { authorization: `Bearer ${SECRET}`, cookie: `frontdesk_session=${SECRET}`, 'x-api-key': SECRET }
  const paths = [
    ...routes.map(({ path }) => fill(path)),
    // As they are copied, mistyped and led on by proxies.
    ...routes
      .filter(({ path }) => fill(path).includes(SECRET))
      .flatMap(({ path }) => [`${fill(path)}/`, `${fill(path)}/x`, `${fill(path)}%3E`, `/desk${fill(path)}`])
      .concat(`//console//password//${SECRET}`, `/console%2Fpassword%2f${SECRET}`, `/Console/Password/${SECRET}`),
  ]
  expect(paths.filter((path) => path.includes(SECRET)).length).toBeGreaterThan(8)
  for (const path of new Set(paths)) {
    for (const method of ['GET', 'POST']) {
      await fetch(`${origin}${path}?${query}`, { method, headers, redirect: 'manual' }).then((answer) => answer.text())
    }
  }
  await stop()
  expect(lines.length).toBeGreaterThan(paths.length)
  expect(lines.filter((line) => line.includes(SECRET))).toEqual([])
  // What is hidden is the token alone.
  expect(lines.some((line) => line.includes('"path":"/console/password/:token"'))).toBe(true)
  expect(lines.some((line) => line.includes('"path":"/v1/contacts/by-email/:email"'))).toBe(true)
})

test('nor does an address with an apostrophe', () => {
  lines.length = 0
  const log = createLog((line) => lines.push(line), false)
  log.warn('refused', { path: "/v1/contacts/by-email/o'brien%40acme.test" })
  expect(lines[0]).toContain('"/v1/contacts/by-email/:email"')
})

test('nor does what a mail server says of a mail with one, or an error', () => {
  const log = createLog((line) => lines.push(line), false)
  lines.length = 0
  const link = `https://desk.test/help/console/password/${SECRET}`
  log.error('a mail to a user could not be sent', { why: `554 ${link}, is spam`, error: new Error(`<${link}>`) })
  createLog((line) => lines.push(line), true).warn(`mail with ${link}`, { said: link })
  expect(lines.join()).not.toContain(SECRET)
  expect(lines[0]).toContain('/console/password/:token is spam')
})
