import { expect, test } from 'bun:test'
import { eventTypes } from '../../../src/kinds/events.ts'
import { startReceiver } from '../../support/receiver.ts'
import { codeOf } from '../../support/text-blocks.ts'
import { addContacts, envelopeOf, passWindow, startDelivering, subscribe } from '../../support/webhooks.ts'

test('the chapter on receiving webhooks shows a batch as it comes', async () => {
  const [shown] = codeOf('src/guide/receiving-webhooks.md', 'json', 'js', 'python', 'go', 'php', 'java')
  const app = await startDelivering()
  const receiver = await startReceiver()
  const acme = await app.createTenant()
  await subscribe(acme, receiver)
  await addContacts(acme)
  await passWindow(app)
  const sent = envelopeOf((await receiver.waitFor(1))[0])
  const batch = JSON.parse(shown.text)
  expect(Object.keys(batch)).toEqual(Object.keys(sent))
  expect(Object.keys(batch.events[0])).toEqual(Object.keys(sent.events[0]))
  const [{ event, eventType }] = batch.events
  expect(eventType).toBe(eventTypes[event as keyof typeof eventTypes])
  await receiver.close()
  await app.close()
})
