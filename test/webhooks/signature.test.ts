import { describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { type Attempt, deliveryHeaders, sign } from '../../src/webhooks/body/signature.ts'
import vectors from './vectors.json'

const encode = (text: string) => new TextEncoder().encode(text)

const attempt: Attempt = {
  secret: null,
  batchId: '0198c8f2-3f7a-7cc3-98a1-6f0f8f3f1f11',
  attempt: 2,
  body: encode('{"batchId":"1"}'),
  nowSeconds: 1767225600,
  version: '1.2.3',
}

describe('X-Signature', () => {
  test.each(vectors.xSignature)('of $body by $secret', ({ secret, body, signature }) => {
    expect(sign(secret, encode(body))).toBe(signature)
    expect(deliveryHeaders({ ...attempt, secret, body: encode(body) })['x-signature']).toBe(signature)
  })

  test('covers bytes, not text', () => {
    expect(sign('s', new Uint8Array([0xff]))).not.toBe(sign('s', new Uint8Array([0xfe])))
  })
})

describe('Standard Webhooks', () => {
  test('the second is the one that has begun: never one of the future', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const stamp = (nowSeconds: number) => deliveryHeaders({ ...attempt, secret, nowSeconds })['webhook-timestamp']
    expect([1767225600, 1767225600.001, 1767225600.999].map(stamp)).toEqual(Array(3).fill('1767225600'))
  })

  test.each(vectors.standardWebhooks)('signature of $body by $secret', ({ secret, id, timestamp, body, signature }) => {
    const headers = deliveryHeaders({ ...attempt, secret, batchId: id, nowSeconds: timestamp, body: encode(body) })
    expect(headers).toMatchObject({
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
      'x-signature': sign(secret, encode(body)),
    })
  })

  test('headers verify with the reference library', () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const body = '{"events":["ü€😀"]}'
    const headers = deliveryHeaders({ ...attempt, secret, nowSeconds: Date.now() / 1000, body: encode(body) })
    expect(new Webhook(secret).verify(body, headers)).toEqual({ events: ['ü€😀'] })
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
  })

  test.each(['plain', 'whsec_', 'whsec_a', 'whsec_abc', 'whsec_ab-_', 'WHSEC_YWJj', 'whsec_YWJj\n', ' whsec_YWJj'])(
    'headers are not sent for %j, which has not that form',
    (secret) => {
      const names = Object.keys(deliveryHeaders({ ...attempt, secret }))
      expect(names).toContain('x-signature')
      expect(names.filter((name) => name.startsWith('webhook-'))).toEqual([])
    },
  )
})

test('a delivery without a secret is not signed', () => {
  expect(deliveryHeaders(attempt)).toEqual({
    'content-type': 'application/json',
    'user-agent': 'frontdesk/1.2.3',
    'x-webhook-batch': attempt.batchId,
    'x-webhook-attempt': '2',
  })
})
