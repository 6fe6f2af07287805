import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { answersTo, createPublished, type TestForm } from '../support/forms/collecting.ts'
import { respondent } from '../support/forms/hosted.ts'
import { translate } from '../support/forms/translated.ts'
import { type StandInSession, sign, signedEvent, startStripe, stripeError } from '../support/servers/stripe.ts'

const stripe = await startStripe()
const app = await startApp({
  environment: {
    ...stripe.environment,
    FRONTDESK_PUBLIC_RATE_LIMIT: '100000',
    FRONTDESK_BASE_URL: 'https://desk.test',
  },
})
afterAll(async () => {
  await app.close()
  stripe.stop()
})

const seats = { type: 'numeric', text: 'Seats', friendlyId: 'SEATS' }
const tickets = { type: 'payment', text: '<b>Tickets</b> &amp; more', currency: 'EUR', formula: '{SEATS} * 1200' }

let acme: TestTenant
let form: TestForm
beforeEach(async () => {
  acme = await app.createTenant()
  form = await createPublished(acme, [seats, tickets], 'Concert')
  stripe.requests.length = 0
})

interface Begun {
  id: string
  resumeToken: string
}

async function answer(of: TestForm, values: unknown[], complete = true): Promise<Begun> {
  const { status, body } = await respondent(app, of).begin(values, complete)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

function checkout({ id, resumeToken }: Begun, of = form, more = {}) {
  return app.request('POST', `/f/${of.launchCode}/responses/${id}/checkout`, { body: { resumeToken, ...more } })
}

/** Completes a response and opens its payment page. */
async function owing(values: unknown[] = [3, {}], of = form): Promise<{ begun: Begun; session: StandInSession }> {
  const begun = await answer(of, values)
  return { begun, session: stripe.at((await checkout(begun, of)).body.url) }
}

async function notify(type: string, session: object) {
  const { body, headers } = await signedEvent(app.clock, `checkout.session.${type}`, session)
  return app.request('POST', '/stripe/webhook', { body, headers })
}

async function paymentsOf({ id }: Begun, of = form, tenant = acme) {
  const { body } = await tenant.get(`/v1/forms/${of.id}/responses/${id}`)
  return body.answers
    .filter(({ type }: { type: string }) => type === 'payment')
    .map(({ value }: { value: object }) => value)
}

const pending = { amount: 3600, currency: 'EUR', status: 'pending', reference: null }

describe('a response that owes something', () => {
  test('is paid on a page of Stripe’s, and read back as paid', async () => {
    const { begun, session } = await owing()
    expect(await paymentsOf(begun)).toEqual([pending])
    app.clock.advance(60_000)
    stripe.pay(session)
    expect(await notify('completed', session)).toMatchObject({ status: 200, body: { received: true } })
    expect(await paymentsOf(begun)).toEqual([{ ...pending, status: 'paid', reference: session.payment_intent }])
  })

  test('is asked for as it was stored at completion', async () => {
    const { begun } = await owing()
    const metadata = { tenantId: acme.tenantId, responseId: begun.id, questionId: String(form.questionIds[1]) }
    const { fields, headers } = stripe.asked()[0] as (typeof stripe.requests)[number]
    expect(fields).toMatchObject({
      mode: 'payment',
      client_reference_id: begun.id,
      success_url: `https://desk.test/f/${form.launchCode}?paid=true&response=${begun.id}`,
      cancel_url: `https://desk.test/f/${form.launchCode}?paid=false`,
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][unit_amount]': '3600',
      'line_items[0][price_data][product_data][name]': 'Tickets & more',
      'adaptive_pricing[enabled]': 'false',
      ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata[${name}]`, value])),
    })
    expect(headers.get('x-stripe-client-telemetry')).toBeNull()
  })

  test('leads back to the page in the language in which it was asked, where the form has several', async () => {
    await translate(acme, form, 'de', { title: 'Konzert' })
    const body = { answers: answersTo(form, [3, {}]), complete: true, language: 'de' }
    const begun = (await app.request('POST', `/f/${form.launchCode}/responses`, { body })).body as Begun
    await checkout(begun)
    const { fields } = stripe.asked().at(-1) as (typeof stripe.requests)[number]
    expect(fields).toMatchObject({
      success_url: `https://desk.test/f/${form.launchCode}?paid=true&response=${begun.id}&lang=de`,
      cancel_url: `https://desk.test/f/${form.launchCode}?paid=false&lang=de`,
    })
  })

  test('moves updatedAt when it is paid, for who polls, and fires an event of its own', async () => {
    const { begun, session } = await owing()
    const before = (await acme.events()).length
    app.clock.advance(60_000)
    const since = new Date(app.clock.now()).toISOString()
    await notify('completed', stripe.pay(session))
    const { items } = (await acme.get(`/v1/forms/${form.id}/responses?since=${since}`)).body
    expect(items).toEqual([expect.objectContaining({ id: begun.id, updatedAt: since, status: 'complete' })])
    expect(items[0].submittedAt).not.toBe(since)
    const [paid, ...others] = (await acme.events()).slice(before)
    const response = (await acme.get(`/v1/forms/${form.id}/responses/${begun.id}`)).body
    expect(paid).toMatchObject({ event: 'payment.paid', payload: { response, reference: expect.any(String) } })
    expect(others).toEqual([])
  })

  test('of a bank transfer is paid when the money has come, not when it was promised', async () => {
    const { begun, session } = await owing()
    Object.assign(session, { status: 'complete', url: null })
    await notify('completed', session)
    expect(await paymentsOf(begun)).toEqual([pending])
    expect(await checkout(begun)).toMatchObject({ status: 409, body: { error: 'conflict' } })
    await notify('async_payment_succeeded', stripe.pay(session))
    expect(await paymentsOf(begun)).toMatchObject([{ status: 'paid' }])
  })

  test('can be paid anew when the transfer failed', async () => {
    const { begun, session } = await owing()
    Object.assign(session, { status: 'complete', url: null })
    await notify('async_payment_failed', session)
    const { status, body } = await checkout(begun)
    expect(status).toBe(200)
    expect(stripe.at(body.url).id).not.toBe(session.id)
  })

  test('without a text is named after its form', async () => {
    const untitled = await createPublished(acme, [{ type: 'payment', amount: 100, currency: 'USD' }], 'Fees <2026>')
    await owing([{}], untitled)
    expect(stripe.asked()[0]?.fields['line_items[0][price_data][product_data][name]']).toBe('Fees <2026>')
  })

  test('from another origin can be paid too', async () => {
    const path = `/f/${form.launchCode}/responses/x/checkout`
    const preflight = await app.request('OPTIONS', path)
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect((await app.request('POST', path, { body: {} })).headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('asking again', () => {
  test('gives the same page', async () => {
    const begun = await answer(form, [3, {}])
    const first = await checkout(begun)
    expect((await checkout(begun)).body).toEqual(first.body)
    expect(stripe.asked()).toHaveLength(1)
  })

  test('at the same time gives the same page', async () => {
    const begun = await answer(form, [3, {}])
    const answers = await Promise.all([1, 2, 3, 4].map(() => checkout(begun)))
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1)
    expect(new Set(stripe.asked().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  })

  test('gives a new page once the first has expired, whether Stripe told so or not', async () => {
    const { begun, session } = await owing()
    Object.assign(session, { status: 'expired', url: null })
    const second = stripe.at((await checkout(begun)).body.url)
    await notify('expired', second)
    const third = stripe.at((await checkout(begun)).body.url)
    expect(new Set([session.id, second.id, third.id]).size).toBe(3)
  })

  test('finds a payment that Stripe’s event has not told of', async () => {
    const { begun, session } = await owing()
    stripe.pay(session)
    expect(await checkout(begun)).toMatchObject({ status: 422, body: { message: 'there is nothing to pay' } })
    expect(await paymentsOf(begun)).toMatchObject([{ status: 'paid', reference: session.payment_intent }])
  })

  test('makes a new page where Stripe does not know the first', async () => {
    const { begun, session } = await owing()
    stripe.fail(() => stripeError(404, 'invalid_request_error', 'resource_missing'))
    expect(stripe.at((await checkout(begun)).body.url).id).not.toBe(session.id)
  })
})

describe('what there is to pay', () => {
  test('are all payments of one currency together, and another currency after that', async () => {
    const fees = await createPublished(acme, [
      { type: 'payment', text: 'Entry', amount: 500, currency: 'EUR' },
      { type: 'payment', text: 'Visa', amount: 700, currency: 'USD' },
      { type: 'payment', text: 'Lunch', amount: 250, currency: 'EUR' },
    ])
    const { begun, session } = await owing([{}, {}, {}], fees)
    expect(session).toMatchObject({ amount_total: 750, currency: 'eur' })
    await notify('completed', stripe.pay(session))
    expect((await paymentsOf(begun, fees)).map(({ status }: { status: string }) => status)).toEqual([
      'paid',
      'pending',
      'paid',
    ])
    const second = stripe.at((await checkout(begun, fees)).body.url)
    expect(second).toMatchObject({ amount_total: 700, currency: 'usd' })
    await notify('completed', stripe.pay(second))
    expect(await checkout(begun, fees)).toMatchObject({ status: 422 })
  })

  test.each([
    ['a formula that gives 0', { formula: '{SEATS} * 1200' }, 0],
    ['a formula that gives 0 once it is rounded', { formula: '{SEATS} * 1200' }, 1e-7],
    ['a formula that gives less than nothing, and 0 once it is rounded', { formula: '0 - {SEATS}' }, 0.5],
    ['a fixed amount of 0', { amount: 0 }, 3],
  ])('is nothing for %s: it is not due', async (_, settings, count) => {
    const free = await createPublished(acme, [seats, { type: 'payment', currency: 'EUR', ...settings }])
    const begun = await answer(free, [count, {}])
    expect(await paymentsOf(begun, free)).toEqual([{ amount: 0, currency: 'EUR', status: 'not_due', reference: null }])
    expect(await checkout(begun, free)).toMatchObject({
      status: 422,
      body: { error: 'unprocessable', message: 'there is nothing to pay' },
    })
    expect(stripe.requests).toEqual([])
  })

  test.each([
    [0.5 / 1200, 1],
    [1.49 / 1200, 1],
    [1.5 / 1200, 2],
  ])('is rounded half up to the smallest unit: %p of 1200 is %p', async (count, expected) => {
    const begun = await answer(form, [count, {}])
    expect(await paymentsOf(begun)).toEqual([{ ...pending, amount: expected }])
  })

  test('cannot be less than nothing: such a completion is a 400 that names the question', async () => {
    const refund = await createPublished(acme, [seats, { type: 'payment', currency: 'EUR', formula: '0 - {SEATS}' }])
    const { status, body } = await respondent(app, refund).begin([0.51, {}], true)
    expect([status, body]).toEqual([
      400,
      problem(
        'invalid_request',
        `answers[1] (question ${refund.questionIds[1]}): the formula gives a negative amount, -1`,
      ),
    ])
  })

  test('does not include what is not due', async () => {
    const fees = await createPublished(acme, [
      { type: 'payment', text: 'Entry', amount: 0, currency: 'EUR' },
      { type: 'payment', text: 'Lunch', amount: 250, currency: 'EUR' },
    ])
    const { begun, session } = await owing([{}, {}], fees)
    await notify('completed', stripe.pay(session))
    expect(await paymentsOf(begun, fees)).toMatchObject([
      { status: 'not_due', reference: null },
      { status: 'paid', reference: session.payment_intent },
    ])
  })

  test.each([
    ['no payment was answered', [seats, tickets], [3]],
    ['no payment is asked for', [seats], [3]],
    ['no amount is known', [{ type: 'payment', currency: 'EUR' }], [{}]],
    ['no currency is known', [{ type: 'payment', amount: 100 }], [{}]],
  ])('is nothing where %s', async (_, questions, values) => {
    const other = await createPublished(acme, questions)
    expect(await checkout(await answer(other, values), other)).toMatchObject({ status: 422 })
    expect(stripe.requests).toEqual([])
  })

  test.each([
    ['JPY', 500, 500],
    ['ISK', 500, 50_000],
    ['UGX', 500, 50_000],
    ['MGA', 500, 5],
    ['KWD', 5_000, 5_000],
  ])('is counted as Stripe counts %s', async (currency, amount, expected) => {
    const fee = await createPublished(acme, [{ type: 'payment', amount, currency }])
    expect((await owing([{}], fee)).session.amount_total).toBe(expected)
  })
})

describe('refused is', () => {
  test('an amount that the client sends', async () => {
    const cheap = await respondent(app, form).begin([3, { amount: 1 }], true)
    expect(cheap.status).toBe(400)
    const begun = await answer(form, [3, {}])
    for (const more of [{ amount: 1 }, { currency: 'JPY' }, { url: 'https://evil.test' }]) {
      expect((await checkout(begun, form, more)).status).toBe(400)
    }
    expect(stripe.requests).toEqual([])
  })

  test('a wrong token, another form, another tenant’s form and an unknown response, all alike', async () => {
    const begun = await answer(form, [3, {}])
    const sibling = await createPublished(acme, [seats, tickets])
    const foreign = await createPublished(await app.createTenant('Other'), [seats, tickets])
    const refusals = await Promise.all([
      checkout({ ...begun, resumeToken: 'x' }),
      checkout(begun, sibling),
      checkout(begun, foreign),
      checkout({ ...begun, id: 'r_nobody' }),
    ])
    for (const { status, body } of refusals) {
      expect([status, body]).toEqual([404, problem('not_found', 'response not found')])
    }
    expect(stripe.requests).toEqual([])
  })

  test('a response that is not complete', async () => {
    const begun = await answer(form, [3, {}], false)
    expect(await checkout(begun)).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(stripe.requests).toEqual([])
  })

  test('a payment that Stripe does not take, in plain words', async () => {
    const begun = await answer(form, [3, {}])
    stripe.fail(() => stripeError(400, 'invalid_request_error', 'amount_too_small'))
    expect(await checkout(begun)).toMatchObject({
      status: 422,
      body: { error: 'unprocessable', message: 'this amount cannot be paid online' },
    })
    expect(app.logged.at(-1)).toContain('amount_too_small')
    expect((await checkout(begun)).status).toBe(200)
  })

  test('an amount below Stripe’s smallest coin', async () => {
    const fee = await createPublished(acme, [{ type: 'payment', amount: 150, currency: 'MGA' }])
    expect(await checkout(await answer(fee, [{}]), fee)).toMatchObject({ status: 422 })
  })
})

describe('when Stripe fails', () => {
  const down = () => stripeError(500, 'api_error')

  test.each([
    ['answers errors', [down, down]],
    ['does not know the key', [() => stripeError(401, 'invalid_request_error')]],
  ])('%s, it is a 502, nothing is lost, and trying again works', async (_, failures) => {
    const begun = await answer(form, [3, {}])
    stripe.fail(...failures)
    const failed = await checkout(begun)
    expect(failed).toMatchObject({ status: 502, body: { error: 'delivery_failed' } })
    expect(failed.text).not.toContain('stand-in')
    expect(app.logged.join('')).not.toContain('sk_test_')
    const session = stripe.at((await checkout(begun)).body.url)
    await notify('completed', stripe.pay(session))
    expect(await paymentsOf(begun)).toMatchObject([{ status: 'paid' }])
    const keys = stripe.asked().map(({ headers }) => headers.get('idempotency-key'))
    // An error that was answered would be answered again under the same key.
    expect(keys.at(-1)).not.toBe(keys[0] as string)
  })
})

describe('an event', () => {
  test('told many times marks once', async () => {
    const { begun, session } = await owing()
    stripe.pay(session)
    await Promise.all([1, 2, 3].map(() => notify('completed', session)))
    const { updatedAt } = (await acme.get(`/v1/forms/${form.id}/responses/${begun.id}`)).body
    app.clock.advance(60_000)
    expect((await notify('completed', session)).status).toBe(200)
    await notify('expired', session)
    expect((await acme.get(`/v1/forms/${form.id}/responses/${begun.id}`)).body).toMatchObject({ updatedAt })
    expect(await paymentsOf(begun)).toMatchObject([{ status: 'paid', reference: session.payment_intent }])
  })

  test.each([
    ['less', { amount_total: 1 }],
    ['another currency', { currency: 'jpy' }],
    ['no amount', { amount_total: null }],
  ])('of %s than was asked for marks nothing, and is logged', async (_, changed) => {
    const { begun, session } = await owing()
    expect((await notify('completed', { ...stripe.pay(session), ...changed })).status).toBe(200)
    expect(await paymentsOf(begun)).toEqual([pending])
    expect(app.logged.at(-1)).toContain('not what was asked for')
  })

  test('is believed for its session alone, whatever its metadata names', async () => {
    const victim = await app.createTenant('Victim')
    const theirForm = await createPublished(victim, [seats, tickets])
    const theirs = await owing([3, {}], theirForm)
    const ours = await owing()
    const metadata = theirs.session.metadata
    await notify('completed', { ...stripe.pay(ours.session), metadata, client_reference_id: theirs.begun.id })
    await notify('completed', { ...ours.session, id: 'cs_of_another_program', metadata })
    expect(await paymentsOf(theirs.begun, theirForm, victim)).toEqual([pending])
    expect(await paymentsOf(ours.begun)).toMatchObject([{ status: 'paid' }])
  })

  test.each([
    ['an unknown session', 'checkout.session.completed', { id: 'cs_unknown', payment_status: 'paid' }],
    ['an unknown session that expired', 'checkout.session.expired', { id: 'cs_unknown' }],
    ['something else', 'customer.created', { id: 'cus_1' }],
  ])('about %s is taken and ignored', async (_, type, object) => {
    const { body, headers } = await signedEvent(app.clock, type, object)
    expect(await app.request('POST', '/stripe/webhook', { body, headers })).toMatchObject({ status: 200 })
  })

  test('that is not signed, signed by another, altered, old or ahead of time is a 400 and marks nothing', async () => {
    const { begun, session } = await owing()
    const event = await signedEvent(app.clock, 'checkout.session.completed', stripe.pay(session))
    const foreign = await signedEvent(app.clock, 'checkout.session.completed', session, 'whsec_other')
    const send = (body: string, headers: Record<string, string>) =>
      app.request('POST', '/stripe/webhook', { body, headers })
    const refusals = [
      await send(event.body, {}),
      await send(event.body, { 'stripe-signature': 'v1=,t=' }),
      await send(foreign.body, foreign.headers),
      await send(event.body.replace('3600', '3601'), event.headers),
      await send('', event.headers),
    ]
    app.clock.advance(301_000)
    refusals.push(await send(event.body, event.headers))
    app.clock.advance(-602_000)
    refusals.push(await send(event.body, event.headers))
    const message = 'stripe-signature: does not sign this body, or not within 5 minutes of now'
    for (const { status, body } of refusals) expect([status, body]).toEqual([400, problem('invalid_request', message)])
    expect(await paymentsOf(begun)).toEqual([pending])
  })

  test('may be signed by a clock that is up to 5 minutes ahead, or behind', async () => {
    for (const seconds of [300, -300]) {
      const { begun, session } = await owing()
      const clock = { now: () => app.clock.now() + seconds * 1000 }
      const { body, headers } = await signedEvent(clock, 'checkout.session.completed', stripe.pay(session))
      expect(await app.request('POST', '/stripe/webhook', { body, headers })).toMatchObject({ status: 200 })
      expect(await paymentsOf(begun)).toMatchObject([{ status: 'paid' }])
    }
  })

  test.each([
    ['paid', 'body: is not an event'],
    ['{"object":"v2.core.event","type":"v1.thin"}', 'body: is not an event'],
    ['null', 'body: must be an object'],
    ['[]', 'body: must be an object'],
    ['"checkout.session.completed"', 'body: must be an object'],
    ['{}', 'type: must be a string'],
    ['{"type":{},"data":{"object":{"id":"cs_1"}}}', 'type: must be a string'],
    ['{"type":"checkout.session.completed"}', 'data: must be an object'],
    ['{"type":"checkout.session.completed","data":null}', 'data: must be an object'],
    ['{"type":"checkout.session.completed","data":{}}', 'data.object: must be an object'],
    ['{"type":"customer.created"}', 'data: must be an object'],
    [
      '{"type":"checkout.session.completed","data":{"object":{"payment_status":"paid"}}}',
      'data.object.id: must be a string',
    ],
    ['{"type":"checkout.session.expired","data":{"object":{"id":["cs_1"]}}}', 'data.object.id: must be a string'],
    ['{"type":"checkout.session.expired","data":{"object":{"id":{}}}}', 'data.object.id: must be a string'],
  ])('that is %s is a 400 although it is signed', async (body, message) => {
    const { headers } = await sign(app.clock, body)
    const answer = await app.request('POST', '/stripe/webhook', { body, headers })
    expect([answer.status, answer.body]).toEqual([400, problem('invalid_request', message)])
  })

  test('about one of our sessions, with anything else that Stripe never sends, marks nothing and is no fault', async () => {
    const { begun, session } = await owing()
    for (const odd of [{ payment_status: {} }, { amount_total: '3600' }, { payment_intent: 3 }, { currency: null }]) {
      const { status } = await notify('completed', { ...session, payment_status: 'paid', amount_total: 1, ...odd })
      expect(status).toBe(200)
    }
    expect(await paymentsOf(begun)).toEqual([pending])
  })

  test('over 1 MiB is a 413', async () => {
    expect((await app.request('POST', '/stripe/webhook', { body: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(413)
  })
})

test('where Stripe does not answer, it is a 502, and trying again under the same key cannot make two pages', async () => {
  const begun = await answer(form, [3, {}])
  stripe.lose(2)
  expect(await checkout(begun)).toMatchObject({ status: 502, body: { error: 'delivery_failed' } })
  expect((await checkout(begun)).status).toBe(200)
  expect(new Set(stripe.asked().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
})

describe('without a key of Stripe’s', () => {
  test('payments stay pending, the checkout says so, and there is no webhook', async () => {
    const plain = await startApp()
    const tenant = await plain.createTenant()
    const fee = await createPublished(tenant, [{ type: 'payment', amount: 100, currency: 'EUR' }])
    const { id, resumeToken } = (await respondent(plain, fee).begin([{}], true)).body
    const path = `/f/${fee.launchCode}/responses/${id}/checkout`
    expect(await plain.request('POST', path, { body: { resumeToken } })).toMatchObject({
      status: 422,
      body: { error: 'unprocessable', message: 'payments are not taken online here' },
    })
    expect(await paymentsOf({ id, resumeToken }, fee, tenant)).toMatchObject([{ status: 'pending' }])
    const { body, headers } = await signedEvent(plain.clock, 'checkout.session.completed', { id: 'cs_1' })
    expect((await plain.request('POST', '/stripe/webhook', { body, headers })).status).toBe(404)
    await plain.close()
  })
})

test('a response paid on two pages is marked once, and the log says so', async () => {
  const { begun, session } = await owing()
  await notify('expired', session)
  const second = stripe.at((await checkout(begun)).body.url)
  await notify('completed', stripe.pay(second))
  await notify('completed', stripe.pay(session))
  expect(await paymentsOf(begun)).toMatchObject([{ reference: second.payment_intent }])
  expect(app.logged.at(-1)).toContain('paid twice')
})
