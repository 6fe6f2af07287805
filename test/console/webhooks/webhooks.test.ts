import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eventNames } from '../../../src/kinds/events.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { signedIn } from '../../support/pages/console.ts'
import { problemOn } from '../../support/pages/problem.ts'
import { countByClockOf } from '../../support/processes/nodes.ts'
import { NOBODYS_PORT } from '../../support/processes/ports.ts'
import { receiving } from '../../support/webhooks/outbound.ts'
import { redirect, reply } from '../../support/webhooks/receiver.ts'
import { addContacts, passWindow, startDelivering, subscribe } from '../../support/webhooks/webhooks.ts'

const HOSTILE = '"><script>alert(1)</script>'

let app: TestApp
let acme: TestTenant
let admin: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startDelivering()
  countByClockOf(app)
})
beforeEach(async () => {
  // Tests of sign-in limits are elsewhere.
  app.clock.advance(3_600_000)
  acme = await app.createTenant()
  admin = await signedIn(app, acme)
})
afterAll(() => app.close())

const fields = {
  name: 'CRM sync',
  url: 'https://hooks.acme.test/frontdesk',
  events: ['ticket.created', 'contact.created_or_updated'],
  secret: 'none',
}
const webhooksOf = async (tenant: TestTenant) => (await tenant.get('/v1/webhooks')).body.items
const deliveriesOf = async (id: string) => (await acme.get(`/v1/webhooks/${id}/deliveries`)).body.items
const textOf = (page: string) => page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

/** Makes all attempts that a batch has. */
async function giveUp() {
  await passWindow(app)
  for (let i = 0; i < 6; i++) {
    app.clock.advance(1_900_000)
    await app.runDue()
  }
}

describe('the list', () => {
  test('says what webhooks are for while there are none', async () => {
    const { status, text } = await admin.get('/console/webhooks')
    expect(status).toBe(200)
    expect(text).toContain('There are no webhooks yet.')
    expect(text).toContain('href="/console/webhooks/new"')
    expect(text).toMatch(/href="\/console\/webhooks"[^>]* aria-current="page"/)
    expect(text).not.toContain('<table')
  })

  test('shows how each is doing, the tenant’s own alone', async () => {
    const [fine, broken] = [await receiving([]), await receiving([reply(404)])]
    await subscribe(acme, fine, { name: 'Well' })
    await subscribe(acme, broken, { name: 'Ill' })
    await subscribe(acme, fine, { name: 'Resting', active: false })
    await subscribe(await app.createTenant(), fine, { name: 'Foreign' })
    await addContacts(acme)
    await passWindow(app)
    const { text } = await admin.get('/console/webhooks')
    const row = (name: string) => textOf(text.split('<tr>').find((part) => part.includes(`>${name}<`)) ?? '')
    expect(row('Well')).toMatch(/Active 1 0 \w+ \d+, 2026/)
    expect(row('Ill')).toContain('Failing Active Refused (404) 1 1 Never')
    expect(row('Resting')).toContain('Paused 1 0 Never')
    expect(text).not.toContain('Foreign')
  })

  test('is not for agents, and neither is anything below it', async () => {
    const agent = await signedIn(app, acme, 'agent')
    expect((await agent.get('/console/webhooks')).status).toBe(403)
    expect((await agent.get('/console/account')).text).not.toContain('/console/webhooks')
  })
})

describe('creating', () => {
  test('explains every event', async () => {
    const { text } = await admin.get('/console/webhooks/new')
    for (const event of eventNames) expect(text).toContain(`<code>${event}</code>`)
    expect(text).toContain('A form was answered')
  })

  test('makes a secret, shows it once, and deliveries are signed with it', async () => {
    const receiver = await receiving([])
    const answer = await admin.post('/console/webhooks', { ...fields, url: receiver.url, secret: 'make' })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const secret = /value="(whsec_[\w+/=]{44})" readonly/.exec(answer.text)?.[1] as string
    expect(secret).toBeDefined()
    const [{ id, ...webhook }] = await webhooksOf(acme)
    expect(webhook).toEqual({
      name: fields.name,
      url: receiver.url,
      active: true,
      events: fields.events,
      hasSecret: true,
    })
    for (const path of ['', `/${id}`, `/${id}/edit`]) {
      expect((await admin.get(`/console/webhooks${path}`)).text).not.toContain(secret)
    }
    await addContacts(acme)
    await passWindow(app)
    const [request] = receiver.requests
    const signed = new Bun.CryptoHasher('sha256', secret).update(request?.body as Uint8Array).digest('base64')
    expect(request?.headers['x-signature']).toBe(signed)
  })

  test('takes a secret of one’s own, or none', async () => {
    // It is needed where it was chosen: it is neither optional nor asked of everybody.
    const { text: empty } = await admin.get('/console/webhooks/new')
    expect(empty).toMatch(/<label for="field-ownSecret">[^<]+<\/label><input(?![^>]* required)/)
    const own = await admin.post('/console/webhooks', { ...fields, secret: 'own', ownSecret: ' hush hush ' })
    expect(own.text).toContain('value=" hush hush " readonly')
    const none = await admin.post('/console/webhooks', { ...fields, ownSecret: 'typed and not meant' })
    expect([none.status, none.headers.get('location')]).toEqual([
      303,
      `/console/webhooks/${(await webhooksOf(acme))[0].id}`,
    ])
    expect((await admin.follow(none)).text).toContain('The webhook was created.')
    expect((await webhooksOf(acme)).map(({ hasSecret }: { hasSecret: boolean }) => hasSecret)).toEqual([false, true])
  })

  test.each([
    ['name', { name: ' ' }, 'Must be 1 to 255 characters.'],
    ['name', { name: 'x'.repeat(256) }, 'Must be 1 to 255 characters.'],
    ['url', { url: '' }, 'Must be 1 to 2,048 characters.'],
    ['url', { url: 'ftp://acme.test' }, 'Must start with https://'],
    ['url', { url: 'https://user:pass@acme.test' }, 'Must not contain a user name or password.'],
    ['events', { events: [] }, 'Choose at least one event.'],
    ['events', { events: ['no.such_event'] }, 'Choose at least one event.'],
    ['ownSecret', { secret: 'own', ownSecret: '' }, 'Enter the secret, or let one be made.'],
    ['ownSecret', { secret: 'own', ownSecret: 'x'.repeat(1001) }, 'A secret has at most 1,000 characters.'],
  ])('refuses a bad %s beside it, and keeps what was typed but for secrets', async (name, changes, text) => {
    const answer = await admin.post('/console/webhooks', { ...fields, ...changes })
    expect(answer.status).toBe(400)
    expect(problemOn(answer.text)).toEqual([`field-${name}`, expect.stringContaining(`: ${text}`)])
    expect(answer.text).toMatch(new RegExp(`id="field-${name}-(error|note)"`))
    if (name !== 'url') expect(answer.text).toContain(`value="${fields.url}"`)
    if (name !== 'events') expect(answer.text).toMatch(/value="ticket.created" checked/)
    if (name === 'ownSecret') expect(answer.text).not.toContain('xxx')
    expect(await webhooksOf(acme)).toEqual([])
  })

  test('what people type is text', async () => {
    const receiver = await receiving([])
    const url = `${receiver.url}?${encodeURI('<script>')}&a=b`
    await admin.post('/console/webhooks', { ...fields, name: HOSTILE, url })
    const [{ id }] = await webhooksOf(acme)
    for (const path of ['', `/${id}`, `/${id}/edit`]) {
      const { text } = await admin.get(`/console/webhooks${path}`)
      expect(text).not.toContain('<script>')
      expect(text).toContain('&lt;script&gt;')
    }
  })

  test('a private address is refused where none may be called', async () => {
    const strict = await startDelivering({ FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'false' })
    const tenant = await strict.createTenant()
    const person = await signedIn(strict, tenant)
    const answer = await person.post('/console/webhooks', { ...fields, url: 'https://10.0.0.1/hook' })
    expect([answer.status, await webhooksOf(tenant)]).toEqual([400, []])
    expect(answer.text).toContain('Must not point to a private or reserved address: nothing')
    await strict.close()
  })
})

describe('a webhook', () => {
  test('is edited; its secret stays, goes, or is another', async () => {
    const receiver = await receiving([])
    const id = await subscribe(acme, receiver, { secret: 'hush' })
    const edit = (changes: object) =>
      admin.post(`/console/webhooks/${id}/edit`, { ...fields, active: 'on', ...changes })
    const page = await admin.get(`/console/webhooks/${id}/edit`)
    expect(page.text).toContain('value="contact.created_or_updated" checked')
    expect(page.text).not.toContain('value="ticket.created" checked')
    expect(page.text).not.toContain('hush')
    const kept = await edit({ secret: 'keep' })
    expect([kept.status, kept.headers.get('location')]).toEqual([303, `/console/webhooks/${id}`])
    expect((await webhooksOf(acme))[0]).toMatchObject({
      name: 'CRM sync',
      url: fields.url,
      hasSecret: true,
      active: true,
    })
    expect((await edit({ secret: 'make' })).text).toContain('value="whsec_')
    await edit({ secret: 'none' })
    expect((await webhooksOf(acme))[0].hasSecret).toBe(false)
    const refused = await edit({ url: 'nonsense' })
    expect([refused.status, (await webhooksOf(acme))[0].url]).toEqual([400, fields.url])
    expect(refused.text).toContain('value="nonsense"')
    await admin.post(`/console/webhooks/${id}/edit`, fields)
    expect((await webhooksOf(acme))[0].active).toBe(false)
  })

  test('is paused, and sends what waited once it goes on', async () => {
    const receiver = await receiving([])
    const id = await subscribe(acme, receiver, { secret: 'hush' })
    await addContacts(acme)
    await app.runDue()
    const paused = await admin.follow(await admin.post(`/console/webhooks/${id}/pause`))
    expect(paused.text).toContain('The webhook is paused.')
    expect(textOf(paused.text)).toContain('Waiting 1 delivery')
    await passWindow(app)
    expect(receiver.requests).toHaveLength(0)
    const resumed = await admin.follow(await admin.post(`/console/webhooks/${id}/resume`))
    expect(resumed.text).toContain('is active again')
    await app.runDue()
    expect(receiver.requests).toHaveLength(1)
    expect(receiver.requests[0]?.headers['x-signature']).toBeDefined()
  })

  test('gets what happened since a time once more, and says while it does', async () => {
    const receiver = await receiving([])
    const id = await subscribe(acme, receiver)
    await addContacts(acme)
    await passWindow(app)
    const path = `/console/webhooks/${id}`
    const unclear = await admin.post(`${path}/replay`, { since: 'noon' })
    expect([unclear.status, unclear.text.includes('Enter a date and a time.')]).toEqual([400, true])
    const since = new Date(app.clock.now() - 60_000).toISOString().slice(0, 16)
    const begun = await admin.follow(await admin.post(`${path}/replay`, { since }))
    expect(begun.text).toMatch(/\d+ events? (is|are) sent again/)
    expect(begun.text).toContain('Events are being sent again.')
    const again = await admin.post(`${path}/replay`, { since })
    expect([again.status, again.text.includes('already')]).toEqual([409, true])
    await app.runDue()
    expect(receiver.requests.length).toBeGreaterThan(1)
    expect((await admin.get(path)).text).toContain('Send again since')
  })

  test('is deleted, and its history stays', async () => {
    const receiver = await receiving([])
    const id = await subscribe(acme, receiver, { name: 'Old one' })
    await addContacts(acme)
    await passWindow(app)
    expect((await admin.get(`/console/webhooks/${id}/edit`)).text).toContain('Deliveries to Old one stop at once')
    const answer = await admin.post(`/console/webhooks/${id}/delete`)
    expect((await admin.follow(answer)).text).toContain('The webhook was deleted.')
    expect(await webhooksOf(acme)).toEqual([])
    const history = await admin.get(`/console/webhooks/${id}`)
    expect(textOf(history.text)).toContain('Deleted')
    expect(history.text).not.toMatch(/\/(test|pause|resume|edit|redeliver)"/)
    const [batch] = await deliveriesOf(id)
    const { text } = await admin.get(`/console/webhooks/${id}/deliveries/${batch.id}`)
    expect(text).not.toContain('/redeliver"')
    for (const action of ['edit', 'pause', 'resume', 'test', 'delete', `deliveries/${batch.id}/redeliver`]) {
      expect([action, (await admin.post(`/console/webhooks/${id}/${action}`, fields)).status]).toEqual([action, 404])
    }
  })
})

describe('a test', () => {
  test('shows what the receiver answered, as text', async () => {
    const receiver = await receiving([reply(202, { body: HOSTILE })])
    const id = await subscribe(acme, receiver)
    const { status, text } = await admin.post(`/console/webhooks/${id}/test`)
    expect(status).toBe(200)
    expect(text).toContain('The receiver accepted it')
    expect(text).toContain('<span class="badge good">202</span>')
    expect(textOf(text)).toMatch(/Duration [\d,]+ ms/)
    expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)')
    expect(text).not.toContain('<script>')
    expect(await deliveriesOf(id)).toEqual([])
  })

  test.each([
    ['a path that is not there', reply(404), '404', 'There is nothing at this address (404).'],
    ['a redirect', redirect('/elsewhere'), '302', 'redirects are not followed'],
    ['a fault', reply(500), '500', 'The receiver has a fault of its own (500).'],
    ['a wrong secret', reply(401), '401', 'The receiver did not let us in (401).'],
    ['anything else', reply(422), '422', 'The receiver did not accept what was sent (422).'],
  ])('says what to do about %s', async (_, script, status, why) => {
    const receiver = await receiving([script])
    const { text } = await admin.post(`/console/webhooks/${await subscribe(acme, receiver)}/test`)
    expect(text).toContain(`<span class="badge bad">${status}</span>`)
    expect(text).toContain('The receiver did not accept it')
    expect(text).toContain(why)
  })

  test('says so when nobody listens', async () => {
    const nobody = { url: `http://127.0.0.1:${NOBODYS_PORT}/hook` }
    const { text } = await admin.post(`/console/webhooks/${await subscribe(acme, nobody)}/test`)
    expect(text).toContain('No connection')
    expect(text).toContain('Check that the receiver runs')
    expect(text).not.toContain('What it answered')
  })

  test('is one in five seconds, whichever way it is asked for', async () => {
    const receiver = await receiving([])
    const id = await subscribe(acme, receiver)
    await acme.post(`/v1/webhooks/${id}/test`)
    const refused = await admin.post(`/console/webhooks/${id}/test`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    expect(refused.text).toContain('Please wait 5 seconds.')
    expect(receiver.requests).toHaveLength(1)
    app.clock.advance(5_000)
    expect((await admin.post(`/console/webhooks/${id}/test`)).status).toBe(200)
  })
})

describe('the history', () => {
  test('leads from a failing webhook to its reason, its mending, and a delivery', async () => {
    const [wrong, right] = [await receiving([]), await receiving([])]
    wrong.always(reply(404))
    const id = await subscribe(acme, wrong, { name: 'CRM', secret: 'hush' })
    await addContacts(acme)
    await giveUp()
    expect(wrong.requests).toHaveLength(6)

    expect((await admin.get('/console/webhooks')).text).toContain('<span class="badge bad">Failing</span>')
    const failing = await admin.get(`/console/webhooks/${id}`)
    expect(failing.text).toContain('Why deliveries fail')
    expect(failing.text).toContain('There is nothing at this address (404). Check the path of the URL.')
    const path = /href="(\/console\/webhooks\/[^"]+\/deliveries\/[^"]+)"/.exec(failing.text)?.[1] as string
    const delivery = await admin.get(path)
    expect(delivery.text.match(/Refused \(404\)/g)).toHaveLength(7)
    expect(delivery.text).toContain('No more attempts are made by themselves.')

    await admin.post(`/console/webhooks/${id}/edit`, {
      name: 'CRM',
      url: right.url,
      events: 'contact.created_or_updated',
      secret: 'keep',
      active: 'on',
    })
    const answer = await admin.post(`${path}/redeliver`)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
    expect((await admin.follow(answer)).text).toContain('The delivery will be made again, with the same body.')
    await app.runDue()
    expect(right.requests.map(({ body }) => body)).toEqual([wrong.requests[0]?.body as Uint8Array])
    const mended = await admin.get(path)
    expect(mended.text).toContain('<span class="badge good">Delivered</span>')
    expect(mended.text).toContain('Delivered (200)')
    for (const page of ['/console/webhooks', `/console/webhooks/${id}`]) {
      expect((await admin.get(page)).text).not.toContain('Failing')
    }
  })

  test('tries again now what would be tried later, and nothing else', async () => {
    const receiver = await receiving([reply(503)])
    const id = await subscribe(acme, receiver)
    await addContacts(acme)
    await passWindow(app)
    const [batch] = await deliveriesOf(id)
    const path = `/console/webhooks/${id}/deliveries/${batch.id}`
    expect((await admin.get(path)).text).toContain('Try again now')
    const early = await admin.post(`${path}/redeliver`)
    expect([early.status, early.text.includes('This delivery is still on its way.')]).toEqual([409, true])
    await admin.post(`${path}/retry`)
    await app.runDue()
    expect(receiver.requests).toHaveLength(2)
    const again = await admin.post(`${path}/retry`)
    expect([again.status, again.text.includes('does not wait for an attempt')]).toEqual([409, true])
    expect((await admin.get(path)).text).not.toContain('Try again now')
    await app.runDue()
    expect(receiver.requests).toHaveLength(2)
  })

  test('waits while the webhook is paused: nothing of it is tried', async () => {
    const receiver = await receiving([reply(503)])
    const id = await subscribe(acme, receiver)
    await addContacts(acme)
    await passWindow(app)
    await admin.post(`/console/webhooks/${id}/pause`)
    const [batch] = await deliveriesOf(id)
    const { text } = await admin.get(`/console/webhooks/${id}/deliveries/${batch.id}`)
    expect(text).toContain('The webhook is paused: resume it, and this one is sent again.')
    expect(text).not.toContain('wait for the next attempt')
    expect((await admin.post(`/console/webhooks/${id}/deliveries/${batch.id}/retry`)).status).toBe(409)
    await app.runDue()
    expect(receiver.requests).toHaveLength(1)
  })

  test('shows the very body that was sent, readable and to the byte', async () => {
    const receiver = await receiving([])
    const id = await subscribe(acme, receiver)
    await acme.post('/v1/contacts', { email: 'eve@acme.test', name: HOSTILE })
    await app.runDue()
    const [open] = await deliveriesOf(id)
    const path = `/console/webhooks/${id}/deliveries/${open.id}`
    expect((await admin.get(path)).text).toContain('The body is written once the batch is complete.')
    expect((await admin.get(`${path}/body`)).status).toBe(404)
    expect((await admin.post(`${path}/retry`)).status).toBe(409)
    await app.runDue()
    expect(receiver.requests).toEqual([])
    await passWindow(app)
    const sent = new TextDecoder().decode(receiver.requests[0]?.body)
    const { text } = await admin.get(path)
    expect(text).toContain(Bun.escapeHTML(sent))
    expect(text).toContain(Bun.escapeHTML(JSON.stringify(JSON.parse(sent), null, 2)))
    expect(text).not.toContain('<script>')
    const file = await admin.get(`${path}/body`)
    expect(file.text).toBe(sent)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${open.id}.json"`,
      'x-content-type-options': 'nosniff',
    })
  })

  test('is filtered by state and goes on to older deliveries', async () => {
    const receiver = await receiving([])
    const id = await subscribe(acme, receiver)
    for (let i = 0; i < 52; i++) {
      await addContacts(acme)
      await passWindow(app)
    }
    await addContacts(acme)
    await app.runDue()
    const links = (text: string) => [...text.matchAll(/<th scope="row"><a href="([^"]+)"/g)].map(([, link]) => link)
    const nextOf = (text: string) => /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    for (const [query, count] of [
      ['', 53],
      ['?status=delivered', 52],
    ] as const) {
      const first = await admin.get(`/console/webhooks/${id}${query}`)
      const second = await admin.get(nextOf(first.text) as string)
      expect(links(first.text)).toHaveLength(50)
      expect(new Set([...links(first.text), ...links(second.text)]).size).toBe(count)
      expect(nextOf(second.text)).toBeUndefined()
      expect(second.text).toContain('>Newest</a>')
    }
    const collecting = await admin.get(`/console/webhooks/${id}?status=collecting`)
    expect(links(collecting.text)).toHaveLength(1)
    expect(collecting.text).toContain('<option value="collecting" selected>')
    expect((await admin.get(`/console/webhooks/${id}?status=failed`)).text).toContain('no deliveries in this state')
    expect(links((await admin.get(`/console/webhooks/${id}?status=nonsense`)).text)).toHaveLength(50)
    expect((await admin.get(`/console/webhooks/${id}?cursor=nonsense`)).status).toBe(400)
  })

  test('is the tenant’s own, and a delivery belongs to its webhook', async () => {
    const receiver = await receiving([])
    const [id, sibling] = [await subscribe(acme, receiver), await subscribe(acme, receiver)]
    await addContacts(acme)
    await passWindow(app)
    const [batch] = await deliveriesOf(id)
    const other = await signedIn(app, await app.createTenant())
    const paths = [`/${id}`, `/${id}/edit`, `/${id}/deliveries/${batch.id}`, `/${id}/deliveries/${batch.id}/body`]
    for (const path of paths) expect([path, (await other.get(`/console/webhooks${path}`)).status]).toEqual([path, 404])
    for (const action of ['/edit', '/pause', '/test', '/delete', `/deliveries/${batch.id}/redeliver`]) {
      expect((await other.post(`/console/webhooks/${id}${action}`, fields)).status).toBe(404)
    }
    for (const page of ['', '/body']) {
      expect((await admin.get(`/console/webhooks/${sibling}/deliveries/${batch.id}${page}`)).status).toBe(404)
    }
    for (const action of ['redeliver', 'retry']) {
      expect((await admin.post(`/console/webhooks/${sibling}/deliveries/${batch.id}/${action}`)).status).toBe(404)
    }
    expect(receiver.requests).toHaveLength(2)
  })
})
