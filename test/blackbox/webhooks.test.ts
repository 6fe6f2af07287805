import { beforeAll, describe, expect, test } from 'bun:test'
import { testOfSqlite } from '../support/data/postgres.ts'
import { executable, refusing } from '../support/processes/program.ts'
import { addContact, dataOf, eventsOf, newSite, refused, start, subscribe } from '../support/processes/site.ts'
import { faultsOf, outboxOf } from '../support/webhooks/ledger.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { hang, reply } from '../support/webhooks/receiver.ts'

beforeAll(() => executable().then(() => {}))

describe('SIGTERM', () => {
  test('lets a delivery under way finish, and starts no other', async () => {
    const site = await newSite()
    const stopping = Promise.withResolvers<void>()
    const answered = reply(200)
    const receiver = await receiving([(socket) => stopping.promise.then(() => answered(socket))])
    // Long enough for the signal to come before the second delivery is due, however busy the machine.
    const service = await start(site, { FRONTDESK_WEBHOOK_WINDOW_MS: '5000' })
    const { id } = await subscribe(service, site, receiver.url)
    await addContact(service, site)
    await receiver.waitFor(1)
    await addContact(service, site)
    service.kill('SIGTERM')
    await refusing(service.url)
    stopping.resolve()
    expect(await service.exited).toMatchObject({ code: 0, stderr: '' })
    expect(receiver.requests).toHaveLength(1)

    const again = await start(site)
    await receiver.waitFor(2)
    await again.stop()
    expect(receiver.requests).toHaveLength(2)
    expect(faultsOf(receiver, id, await eventsOf(site))).toEqual([])
  })

  // Takes 30 s: CI and `bun run chaos` do it.
  test.if(!!process.env.CHAOS_KILLS || process.env.CI === 'true')(
    'does not wait for one that never ends: it is made again after the start, with the same bytes',
    async () => {
      const site = await newSite()
      const receiver = await receiving([hang()])
      const service = await start(site, { FRONTDESK_WEBHOOK_TIMEOUT_MS: '600000' })
      const { id } = await subscribe(service, site, receiver.url)
      await addContact(service, site)
      await receiver.waitFor(1)
      expect(await service.stop()).toMatchObject({ code: 0 })

      const again = await start(site)
      await receiver.waitFor(2)
      await again.stop()
      expect(receiver.requests[1]?.body).toEqual(receiver.requests[0]?.body as Uint8Array)
      expect(faultsOf(receiver, id, await eventsOf(site))).toEqual([])
    },
  )
})

testOfSqlite('a full disk is a 503 that stores nothing, and deliveries go on when there is room', async () => {
  const site = await newSite()
  const receiver = await receiving()
  const service = await start(site)
  const { id } = await subscribe(service, site, receiver.url)
  await addContact(service, site)
  await receiver.waitFor(1)
  const unstorable = Promise.withResolvers<void>()
  receiver.always((socket) => unstorable.promise.then(() => reply(200)(socket)))
  const acknowledged = [await addContact(service, site)]
  await receiver.waitFor(2)

  // The receiver answers while nothing can be stored.
  service.limitFileSize(1)
  unstorable.resolve()
  const answers = await Promise.all(Array.from({ length: 20 }, () => refused(service, site)))
  for (const { status, code, message } of answers) {
    expect([status, code]).toEqual([503, 'unavailable'])
    expect(message).toStartWith('nothing can be stored at the moment')
  }
  await Bun.sleep(400)
  expect((await fetch(`${service.url}/v1/me`, { headers: { authorization: `Bearer ${site.key}` } })).status).toBe(200)
  expect(receiver.requests).toHaveLength(2)

  service.limitFileSize('unlimited')
  acknowledged.push(await addContact(service, site))
  await receiver.waitFor(3)
  await service.stop()
  expect(receiver.requests).toHaveLength(3)
  const told = (await outboxOf(dataOf(site))).map(({ contactId }) => contactId)
  expect(told).toHaveLength(3)
  for (const contact of acknowledged) expect(told).toContain(contact.id)
  expect(faultsOf(receiver, id, await eventsOf(site))).toEqual([])
})
