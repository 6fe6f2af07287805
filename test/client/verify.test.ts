import { describe, expect, test } from 'bun:test'
import { deliveryHeaders } from '../../src/webhooks/body/signature.ts'
import { clientLibrary } from '../support/api/client.ts'
import vectors from '../webhooks/vectors.json'

const { verify, FrontdeskError } = await clientLibrary()
const BODY = '{"batchId":"b1","events":[]}'
const bytes = (text: string) => new TextEncoder().encode(text)
const refusal = async (...given: [string, unknown, unknown]) => {
  const error = await verify(...given).catch((thrown: unknown) => thrown)
  return error instanceof FrontdeskError ? [error.code, error.status] : error
}
const INVALID = ['invalid_signature', 401]

describe('of a plain secret', () => {
  const signed = vectors.xSignature.filter(({ secret, body }) => body !== '' && !secret.startsWith('whsec_'))

  test.each(signed)('the signature under $secret is known, however body and headers come', async (vector) => {
    const { secret, body, signature } = vector
    const said = JSON.parse(body)
    const raw = bytes(body)
    for (const headers of [new Headers({ 'X-Signature': signature }), { 'x-signature': signature }]) {
      expect(await verify(secret, body, headers)).toEqual(said)
      expect(await verify(secret, raw, headers)).toEqual(said)
      expect(await verify(secret, raw.buffer, headers)).toEqual(said)
      expect(await verify(secret, Buffer.from(body), headers)).toEqual(said)
    }
    expect(await refusal(secret, `${body} `, { 'x-signature': signature })).toEqual(INVALID)
    expect(await refusal(`${secret}x`, body, { 'x-signature': signature })).toEqual(INVALID)
  })

  test.each([{}, { 'x-signature': '' }, { 'x-signature': '*' }, { 'x-signature': 'AAAA' }, { 'x-signature': [] }])(
    'none and broken ones are refused: %j',
    async (headers) => {
      expect(await refusal('topsecret', BODY, headers)).toEqual(INVALID)
    },
  )

  test('an empty one is a mistake of the receiver, and lets nothing through', async () => {
    expect(await refusal('', BODY, {})).toBeInstanceOf(TypeError)
  })
})

describe('of a secret of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const sent = (age: number, body = BODY) =>
    deliveryHeaders({
      secret,
      batchId: 'b1',
      attempt: 1,
      body: bytes(body),
      nowSeconds: Date.now() / 1000 - age,
      version: '0',
    })

  test('what the service sends is genuine for five minutes, on both sides', async () => {
    for (const age of [0, 290, -290])
      expect(await verify(secret, BODY, sent(age))).toEqual({ batchId: 'b1', events: [] })
    for (const age of [310, -310, 86_400]) expect(await refusal(secret, BODY, sent(age))).toEqual(INVALID)
  })

  test('one of several signatures is enough', async () => {
    const headers = sent(0)
    const several = { ...headers, 'webhook-signature': `v1,AAAA v1a,x ${headers['webhook-signature']}` }
    expect(await verify(secret, BODY, several)).toEqual({ batchId: 'b1', events: [] })
  })

  test('nothing that is signed can be changed or left out: body, time, id, and the headers themselves', async () => {
    const headers = sent(0)
    expect(await refusal(secret, `${BODY} `, headers)).toEqual(INVALID)
    expect(await refusal(secret, BODY, { ...headers, 'webhook-id': 'b2' })).toEqual(INVALID)
    const later = String(Number(headers['webhook-timestamp']) + 1)
    expect(await refusal(secret, BODY, { ...headers, 'webhook-timestamp': later })).toEqual(INVALID)
    expect(await refusal(secret, BODY, { ...headers, 'webhook-timestamp': '' })).toEqual(INVALID)
    expect(await refusal(secret, BODY, { ...headers, 'webhook-signature': '' })).toEqual(INVALID)
    // Else who has an old delivery could send it again without the time.
    expect(await refusal(secret, BODY, { 'x-signature': headers['x-signature'] })).toEqual(INVALID)
  })
})
