import { beforeEach, expect, test } from 'bun:test'
import type { Ticket } from '../../../src/tickets/model.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { complete, createPublished } from '../../support/forms/collecting.ts'
import type { signedIn } from '../../support/pages/console.ts'
import { setUpAgent } from '../../support/pages/fixtures.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

const WHO = { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] }

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let ticket: Ticket

setUpAgent((fixture) => ({ app, acme, agent } = fixture))
beforeEach(async () => {
  ticket = await createTicket(acme, { email: 'ada@acme.test' })
})

const panel = async () => /<aside.*<\/aside>/s.exec((await agent.get(`/console/tickets/${ticket.id}`)).text)?.[0] ?? ''
/** The responses that stand beside the ticket: form, and what stands below it. */
const responsesOn = async () =>
  [
    ...(await panel()).matchAll(
      /<a href="\/console\/responses\/[^"]*" dir="auto">([^<]*)<\/a><span class="facts">(.*?)<time/g,
    ),
  ].map(([, title, facts = '']) => `${title}: ${facts.replace(/<[^>]*>/g, '')}`)
async function answer(title: string, questions: object[], values: unknown[]) {
  app.clock.advance(1000)
  const form = await createPublished(acme, [WHO, ...questions], title)
  return complete(acme, form, [{ email: 'ada@acme.test' }, ...values])
}

test('shows what the customer answered in forms, newest first, with how content they were', async () => {
  expect(await panel()).not.toContain('Responses')
  await answer('Points', [{ type: 'likert', scaleStart: 0, scaleEnd: 4 }], [[{ scale: 0, value: 1 }]])
  await answer('Stars <3', [{ type: 'star_rating' }, { type: 'likert' }], [4, [{ scale: 0, value: 5 }]])
  await answer('Words', [{ type: 'textbox' }], ['Fine'])
  const { response } = await answer('Net', [{ type: 'star_rating' }, { type: 'nps' }], [1, 9])
  expect(await responsesOn()).toEqual(['Net: NPS 9', 'Words: ', 'Stars &lt;3: 4 of 5 stars', 'Points: Score 25%'])
  expect((await agent.get(`/console/responses/${response.id}`)).status).toBe(200)
  await answer('Fifth', [{ type: 'textbox' }], ['F'])
  await answer('Sixth', [{ type: 'nps' }], [2])
  expect((await responsesOn()).map((line) => line.split(':')[0])).toEqual([
    'Sixth',
    'Fifth',
    'Net',
    'Words',
    'Stars &lt;3',
  ])
})

test('shows no responses of anybody else', async () => {
  const form = await createPublished(acme, [WHO, { type: 'nps' }], 'Changed')
  await complete(acme, form, [{ email: 'ada@acme.test' }, 3])
  await complete(acme, form, [{ email: 'bob@acme.test' }, 10])
  expect(await responsesOn()).toEqual(['Changed: NPS 3'])
  const stranger = await app.createTenant()
  await createTicket(stranger, { email: 'ada@acme.test' })
  await complete(stranger, await createPublished(stranger, [WHO, { type: 'nps' }]), [{ email: 'ada@acme.test' }, 5])
  expect(await responsesOn()).toEqual(['Changed: NPS 3'])
  await acme.delete(`/v1/forms/${form.id}`)
  expect(await responsesOn()).toEqual(['Changed: NPS 3'])
})

test('says neither reference nor when it began: those stand above the thread', async () => {
  const text = await panel()
  expect(text).not.toContain(ticket.ticketReference)
  expect(text).not.toContain('Opened')
  expect(text).toContain('<dd>Support</dd>')
})
