import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { startApp, type TestApp } from '../../support/app.ts'

const certificate = (name: string) => join(import.meta.dir, '../../support/servers/certs', name)
const DAY = 24 * 60 * 60_000

let app: TestApp | undefined
afterEach(() => app?.close())

async function startWith(cert: string) {
  app = await startApp({
    environment: {
      FRONTDESK_INBOUND_SMTP_PORT: '0',
      FRONTDESK_INBOUND_SMTP_TLS_CERT: certificate(cert),
      FRONTDESK_INBOUND_SMTP_TLS_KEY: certificate('receiver-key.pem'),
    },
  })
  return app
}

async function warnings({ clock, request }: TestApp): Promise<string[]> {
  clock.advance(1_000)
  return (await request('GET', '/healthz')).body.warnings
}

test('/healthz warns of the certificate of the mail listener from two weeks before its end', async () => {
  const started = await startWith('receiver.pem')
  expect(await warnings(started)).toEqual([])
  const end = Date.parse('2120-01-01T00:00:00Z')
  started.clock.jump(end - started.clock.now() - 15 * DAY)
  expect(await warnings(started)).toEqual([])
  started.clock.jump(2 * DAY)
  expect(await warnings(started)).toEqual(['the certificate of the mail listener ends on 2120-01-01'])
})

test('/healthz says that it has ended, and that it is gone', async () => {
  expect(await warnings(await startWith('expired.pem'))).toEqual([expect.stringMatching(/ ended on \d{4}-\d\d-\d\d$/)])
  await app?.close()
  expect(await warnings(await startWith('missing.pem'))).toEqual([
    'the certificate of the mail listener cannot be read any more',
  ])
})
