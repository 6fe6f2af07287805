import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../support/app.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { respondent } from '../support/forms/hosted.ts'
import { signedEvent, startStripe } from '../support/servers/stripe.ts'

const stripe = await startStripe()
let app: TestApp
beforeAll(async () => {
  app = await startApp({ environment: { ...stripe.environment, FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
afterAll(async () => {
  await app.close()
  stripe.stop()
})

async function owing() {
  const tenant = await app.createTenant()
  const form = await createPublished(tenant, [{ type: 'payment', amount: 3000, currency: 'EUR' }])
  const { body } = await respondent(app, form).begin([{}], true)
  const path = `/f/${form.launchCode}/responses/${body.id}/checkout`
  const open = () => app.request('POST', path, { body: { resumeToken: body.resumeToken } })
  const payment = async () => {
    const { answers } = (await tenant.get(`/v1/forms/${form.id}/responses/${body.id}`)).body
    return answers[0].value
  }
  return { open, payment, session: stripe.at((await open()).body.url) }
}

async function notify(type: string, session: object) {
  const { body, headers } = await signedEvent(app.clock, `checkout.session.${type}`, session)
  expect((await app.request('POST', '/stripe/webhook', { body, headers })).status).toBe(200)
}

test('a payment that Stripe tells of again, and of a session that ends after it, stays as it was, without alarm', async () => {
  const { open, payment, session } = await owing()
  stripe.pay(session)
  await notify('completed', session)
  const paid = await payment()
  expect(paid).toMatchObject({ status: 'paid', reference: session.payment_intent })
  app.clock.advance(60_000)
  const logged = app.logged.length
  for (const type of ['completed', 'expired', 'async_payment_failed', 'async_payment_succeeded', 'completed']) {
    await notify(type, session)
    expect(await payment()).toEqual(paid)
  }
  expect(app.logged.slice(logged).filter((line) => line.includes('"error"'))).toEqual([])
  expect((await open()).status).toBe(422)
})

test('a payment without an intent of its own is referred to by its session, one that comes whole by its id', async () => {
  const [bare, whole] = [await owing(), await owing()]
  await notify('completed', { ...stripe.pay(bare.session), payment_intent: null })
  expect(await bare.payment()).toMatchObject({ status: 'paid', reference: bare.session.id })
  await notify('completed', {
    ...stripe.pay(whole.session),
    payment_intent: { id: 'pi_whole', object: 'payment_intent' },
  })
  expect(await whole.payment()).toMatchObject({ status: 'paid', reference: 'pi_whole' })
})
