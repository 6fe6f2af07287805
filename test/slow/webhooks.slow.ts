import { expect, test } from 'bun:test'
import { openDatabase } from '../../src/db/index.ts'
import { emit } from '../../src/events/outbox.ts'
import { samples } from '../../src/webhooks/body/samples.ts'
import { timesAsLong } from '../support/runs/compare.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { reply } from '../support/webhooks/receiver.ts'
import { addContacts, startDelivering, subscribe, WINDOW } from '../support/webhooks/webhooks.ts'

test('what another process wrote is sent about as soon as it is looked for, twice a second', async () => {
  const app = await startDelivering({ FRONTDESK_WEBHOOK_WINDOW_MS: '0' })
  const tenant = await app.createTenant()
  const receiver = await receiving()
  await subscribe(tenant, receiver)
  app.jobs.start()
  const elsewhere = await openDatabase({ dataDir: app.dataDir })
  const write = async () => {
    const before = receiver.requests.length
    await elsewhere.transaction((tx) =>
      emit(tx, tenant.caller(), 'contact.created_or_updated', samples['contact.created_or_updated']),
    )
    await receiver.waitFor(before + 1)
  }
  const times = await timesAsLong(write, () => Bun.sleep(500))
  await elsewhere.close()
  await app.close()
  expect(times).toBeLessThan(3)
})

test('twenty subscriptions are sent to in little more than the time of one', async () => {
  const apps = await Promise.all([20, 1].map((count) => slowReceivers(count)))
  const [twenty, one] = apps as [SlowReceivers, SlowReceivers]
  const times = await timesAsLong(twenty.deliver, one.deliver)
  for (const { app } of apps) await app.close()
  expect(times).toBeLessThan(8)
})

type SlowReceivers = Awaited<ReturnType<typeof slowReceivers>>

/** So many subscriptions whose receiver takes 200 ms to answer. */
async function slowReceivers(count: number) {
  const app = await startDelivering()
  const tenant = await app.createTenant()
  const receiver = await receiving()
  receiver.always(reply(200, { delayMs: 200 }))
  for (let i = 0; i < count; i++) await subscribe(tenant, receiver)
  const deliver = async () => {
    await addContacts(tenant)
    await app.runDue()
    app.clock.advance(WINDOW)
    await app.runDue()
  }
  return { app, deliver }
}
