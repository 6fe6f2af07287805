import { afterAll, expect, test } from 'bun:test'
import { emptyFolder, executable, record, serve } from '../support/processes/program.ts'
import { signedEvent, startStripe } from '../support/servers/stripe.ts'

const stripe = await startStripe()
afterAll(() => stripe.stop())

test('the executable takes a payment', async () => {
  const program = await executable()
  const cwd = emptyFolder()
  const { tenantId } = await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
  const user = ['user', 'create', '--tenant', tenantId, '--email', 'a@acme.test', '--role', 'admin', '--billable']
  await record(program, user, { cwd })
  const scopes = ['--scopes', 'forms:read,forms:write,responses:read']
  const { key } = await record(program, ['key', 'create', '--tenant', tenantId, '--name', 'test', ...scopes], { cwd })
  const service = await serve(program, { cwd, environment: stripe.environment })

  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return response.json()
  }
  const question = { type: 'payment', text: 'Fee', amount: 500, currency: 'EUR' }
  const form = await call('POST', '/v1/forms', { title: 'Fees', active: true, questions: [question] })
  await record(program, ['form', 'publish', '--tenant', tenantId, '--form', form.id], { cwd })
  const answers = [{ questionId: form.pages[0].questions[0].id, value: {} }]
  const hosted = `/f/${form.launchCode}/responses`
  const { id, resumeToken } = await call('POST', hosted, { answers, complete: true })
  const { url } = await call('POST', `${hosted}/${id}/checkout`, { resumeToken })
  const session = stripe.pay(stripe.at(url))
  const event = await signedEvent({ now: Date.now }, 'checkout.session.completed', session)
  expect(await call('POST', '/stripe/webhook', event.body, event.headers)).toEqual({ received: true })
  const paid = { amount: 500, currency: 'EUR', status: 'paid', reference: session.payment_intent }
  expect((await call('GET', `/v1/forms/${form.id}/responses/${id}`)).answers[0].value).toEqual(paid)
  await service.stop()
})
