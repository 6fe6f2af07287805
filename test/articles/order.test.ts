import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'

/** Articles of the demo, in the order of their names. */
const FOLDER = join(import.meta.dir, '../../src/demo/articles')
const NAMES = [
  'api-keys-and-webhooks',
  'connect-a-calendar',
  'deposits-and-payments',
  'emails-to-guests',
  'forms-on-your-website',
  'getting-started',
  'invite-your-team',
  'invoices-and-billing',
  'privacy',
  'refunds-and-cancellations',
  'reports-and-exports',
  'series-and-classes',
]

let app: TestApp
let tenant: TestTenant
let path: string

beforeAll(async () => {
  app = await startApp()
  tenant = await app.createTenant()
  path = `/v1/livechat/sources/${(await createTestSource(tenant)).id}/articles`
  for (const name of NAMES) {
    const content = await Bun.file(join(FOLDER, `${name}.md`)).text()
    const title = /^# (.+)$/m.exec(content)?.[1] ?? name
    app.clock.advance(1_000)
    await tenant.put(`${path}/${name}`, { title, content })
  }
})
afterAll(() => app.close())

/** Every engine finds these, in this order. */
const found: Record<string, string[]> = {
  refund: ['refunds-and-cancellations'],
  cancel: ['refunds-and-cancellations', 'series-and-classes', 'reports-and-exports', 'getting-started'],
  invoice: ['invoices-and-billing', 'invite-your-team'],
  payment: ['deposits-and-payments', 'reports-and-exports', 'invoices-and-billing'],
  form: ['forms-on-your-website', 'deposits-and-payments'],
  'api key': ['api-keys-and-webhooks'],
  web: ['forms-on-your-website', 'api-keys-and-webhooks', 'getting-started'],
  your: [
    'invite-your-team',
    'forms-on-your-website',
    'reports-and-exports',
    'refunds-and-cancellations',
    'privacy',
    'invoices-and-billing',
    'getting-started',
    'emails-to-guests',
    'deposits-and-payments',
    'api-keys-and-webhooks',
  ],
  'how to connect': ['connect-a-calendar', 'getting-started'],
  e: [
    'reports-and-exports',
    'emails-to-guests',
    'series-and-classes',
    'privacy',
    'invoices-and-billing',
    'invite-your-team',
    'getting-started',
    'forms-on-your-website',
    'deposits-and-payments',
    'connect-a-calendar',
    'api-keys-and-webhooks',
  ],
  calendar: ['connect-a-calendar', 'getting-started'],
  'guest email': ['emails-to-guests', 'invite-your-team'],
  deposit: ['deposits-and-payments', 'getting-started'],
  series: ['series-and-classes'],
  'R\u00e9ports': ['reports-and-exports'],
  'privacy data': ['privacy'],
  'invite team': ['invite-your-team', 'getting-started'],
  webhooks: ['api-keys-and-webhooks'],
  'a b c': [
    'series-and-classes',
    'refunds-and-cancellations',
    'invoices-and-billing',
    'connect-a-calendar',
    'reports-and-exports',
    'privacy',
    'deposits-and-payments',
    'api-keys-and-webhooks',
    'invite-your-team',
    'getting-started',
    'forms-on-your-website',
    'emails-to-guests',
  ],
  'GETTING started': ['getting-started'],
  "customers' data": [],
  '1': ['getting-started', 'forms-on-your-website', 'connect-a-calendar', 'api-keys-and-webhooks'],
}

describe('every engine finds the same articles in the same order', () => {
  for (const [query, slugs] of Object.entries(found)) {
    test(JSON.stringify(query), async () => {
      const pages: string[] = []
      let cursor = ''
      do {
        const { body } = await tenant.get(`${path}?limit=2&query=${encodeURIComponent(query)}${cursor}`)
        pages.push(...body.items.map(({ slug }: { slug: string }) => slug))
        cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
      } while (cursor)
      expect(pages).toEqual(slugs)
    })
  }
})
