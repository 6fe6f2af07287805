import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { OpenApiDocument, Schema } from '../../src/docs/types.ts'
import { documentOf, schemaFaults } from '../support/api/conformance.ts'
import { type Answer, startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'

let app: TestApp
let acme: TestTenant
let source: string
let document: OpenApiDocument

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '1000' } })
  acme = await app.createTenant()
  source = (await createTestSource(acme)).id
  document = await documentOf(app)
})
afterAll(() => app.close())

/** Whether the document lets a body through. */
function isDocumented(path: string, method: string, body: object): boolean {
  const content = document.paths[path]?.[method]?.requestBody?.content['application/json']
  return schemaFaults(document, content?.schema as Schema, body).length === 0
}

/** A request whose body holds a text in one place. */
interface Place {
  path: string
  method: 'post' | 'put'
  body(text: string): object
  /** Where it is sent. */
  to?(): string
}

const question = (fields: (text: string) => object): Place => ({
  path: '/v1/forms',
  method: 'post',
  body: (text) => ({ title: 'Survey', questions: [fields(text)] }),
})

const places = {
  email: { path: '/v1/contacts', method: 'post', body: (email) => ({ email }) },
  url: { path: '/v1/webhooks', method: 'post', body: (url) => ({ name: 'CRM', url, events: ['ticket.created'] }) },
  canonicalUrl: {
    path: '/v1/livechat/sources/{sourceId}/articles/{slug}',
    method: 'put',
    body: (canonicalUrl) => ({ canonicalUrl }),
    to: () => `/v1/livechat/sources/${source}/articles/a`,
  },
  friendlyId: question((friendlyId) => ({ type: 'numeric', friendlyId })),
  option: question((option) => ({ type: 'choose_one', options: ['Yes', option] })),
  otherText: question((otherText) => ({ type: 'choose_one', options: ['Yes', 'No'], otherText })),
  trueLabel: question((trueLabel) => ({ type: 'binary', trueLabel })),
  scale: question((text) => ({ type: 'likert', scales: [{ text, opposingText: 'Agree' }] })),
  contactLabel: question((label) => ({ type: 'contact_details', contactFields: [{ field: 'email', label }] })),
  currency: question((currency) => ({ type: 'payment', amount: 100, currency })),
  visitorEmail: {
    path: '/chat/{sourceId}/visitors',
    method: 'post',
    body: (email) => ({ email }),
    to: () => `/chat/${source}/visitors`,
  },
  asked: {
    path: '/chat/{sourceId}/ask',
    method: 'post',
    body: (text) => ({ question: text }),
    to: () => `/chat/${source}/ask`,
  },
} satisfies Record<string, Place>

const longLabel = 'x'.repeat(501)
const emails = {
  right: [
    'ada@acme.test',
    'ünï.çødé@third.test',
    'a@bücher.test',
    ' spaced@acme.test ',
    'a.b+c@d-e.f0',
    "o'neill@x.test",
    '用户@例子.广告',
  ],
  wrong: [
    '',
    'ada',
    'a@b',
    'a b@c.test',
    'a@-b.test',
    'a@b-.test',
    'a@b..test',
    'a@b_c.test',
    '"x"@b.test',
    'x@[1.2.3.4]',
    'a@b.test.',
    '<a@b.test>',
    'a@b@c.test',
    'a,b@c.test',
  ],
}
const labels = { right: ['No', ' x ', '0', '=1'], wrong: ['', ' ', '\t', longLabel] }

const cases: Record<keyof typeof places, { right: string[]; wrong: string[] }> = {
  email: emails,
  visitorEmail: { ...emails, wrong: emails.wrong.filter((text) => text !== '') },
  url: {
    right: [
      'https://hooks.acme.test/a',
      'HTTPS://hooks.acme.test',
      'https://bücher.test/ü?x=1#y',
      'https://acme.test:8443/',
    ],
    wrong: [
      '',
      'hooks.acme.test',
      'http://acme.test/',
      'ftp://acme.test/',
      'https://',
      'https:///x',
      'https://a:b@acme.test/',
      'https://acme.test/a b',
      ' https://acme.test/',
    ],
  },
  canonicalUrl: {
    right: ['https://acme.test/a', 'http://acme.test', 'HTTP://bücher.test/ü'],
    wrong: ['', 'acme.test', 'javascript:alert(1)', 'https://', 'https:///x', 'https://acme.test/a b'],
  },
  friendlyId: {
    right: ['SEATS', 'SEAT_COUNT', 'A1_2'],
    wrong: ['', 'seats', 'SEAT COUNT', '_A', 'A_', 'A__B', '1A', 'Ä', 'A'.repeat(65)],
  },
  option: labels,
  otherText: labels,
  trueLabel: labels,
  scale: labels,
  contactLabel: labels,
  currency: { right: ['EUR', 'JPY'], wrong: ['', 'eur', 'EURO', 'E1R'] },
  asked: { right: ['How?', ' x '], wrong: ['', ' ', '\n'] },
}

describe('what the document lets through is what is taken', () => {
  test.each(Object.keys(cases) as (keyof typeof places)[])('%s', async (name) => {
    const place: Place = places[name]
    const send = (text: string): Promise<Answer> =>
      app.request(place.method.toUpperCase(), place.to?.() ?? place.path, { key: acme.key, body: place.body(text) })
    for (const text of cases[name].right) {
      expect([text, isDocumented(place.path, place.method, place.body(text)), (await send(text)).status < 300]).toEqual(
        [text, true, true],
      )
    }
    for (const text of cases[name].wrong) {
      expect([text, isDocumented(place.path, place.method, place.body(text)), (await send(text)).status]).toEqual([
        text,
        false,
        400,
      ])
    }
  })
})
