import { beforeAll, describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { MAX_EVENTS } from '../../../src/webhooks/batches/collecting.ts'
import { executable, type Running } from '../../support/processes/program.ts'
import {
  addContact,
  dataOf,
  eventsOf,
  hasWaiting,
  newSite,
  type Site,
  start,
  subscribe,
} from '../../support/processes/site.ts'
import { faultsOf, outboxOf } from '../../support/webhooks/ledger.ts'
import { listening, receiving } from '../../support/webhooks/outbound.ts'
import { type Receiver, reply, reset } from '../../support/webhooks/receiver.ts'

/** `bun run check:slow` and `bun run chaos` ask for more. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 20)
const SUBSCRIPTIONS = 3

beforeAll(() => executable().then(() => {}))

async function killed(service: Running): Promise<void> {
  service.kill('SIGKILL')
  await service.exited
}

describe('kill -9', () => {
  test('while a batch collects: it is sent after the start', async () => {
    const site = await newSite()
    const receiver = await receiving()
    const service = await start(site, { FRONTDESK_WEBHOOK_WINDOW_MS: '300' })
    const { id } = await subscribe(service, site, receiver.url)
    await addContact(service, site)
    await killed(service)
    expect(receiver.requests).toHaveLength(0)
    await sentAgain(site, receiver, id, 1)
  })

  test('when the connection is there and nothing is sent: the attempt is made again', async () => {
    const site = await newSite()
    const connected = Promise.withResolvers<void>()
    const hold = (socket: Socket) => {
      socket.pause()
      connected.resolve()
    }
    await interrupted(site, hold, connected.promise)
  })

  test('in the middle of the body: the attempt is made again', async () => {
    const site = await newSite()
    const half = Promise.withResolvers<void>()
    const readHalf = (socket: Socket) => {
      socket.once('data', (chunk) => {
        socket.pause()
        const length = Number(/content-length: (\d+)/i.exec(chunk.toString('latin1'))?.[1])
        if (length > chunk.length) half.resolve()
        else half.reject(new Error(`all ${length} bytes came at once`))
      })
    }
    await interrupted(site, readHalf, half.promise, MAX_EVENTS)
  })

  test('after the 2xx and before the commit: the same batch comes again, with the same bytes', async () => {
    const site = await newSite()
    const receiver = await receiving()
    const service = await start(site)
    const { id } = await subscribe(service, site, receiver.url)
    const ok = reply(200)
    receiver.next(async (socket) => {
      process.kill(service.pid, 'SIGSTOP')
      await ok(socket)
      process.kill(service.pid, 'SIGKILL')
    })
    await addContact(service, site)
    await service.exited
    expect(receiver.requests).toHaveLength(1)
    await sentAgain(site, receiver, id, 2)
    expect(receiver.requests[1]?.body).toEqual(receiver.requests[0]?.body as Uint8Array)
  })

  /** Kills the service at `moment` of a delivery to `peer`, and lets it deliver elsewhere after that. */
  async function interrupted(site: Site, peer: (socket: Socket) => void, moment: Promise<void>, contacts = 1) {
    let isKilled = false
    // The service may try the same address again before it hears of the other one, and would wait there for good.
    const url = await listening((socket) => (isKilled ? socket.destroy() : peer(socket)))
    // Several go as soon as they are as many as a batch may hold, however long it takes to make them.
    const service = await start(site, { FRONTDESK_WEBHOOK_WINDOW_MS: contacts > 1 ? '600000' : '20' })
    const { id } = await subscribe(service, site, url)
    // Several of them make a body that no single read can hold, however late it comes: three bytes a character.
    const fields = contacts > 1 ? { name: '名'.repeat(255), lastName: '姓'.repeat(255) } : {}
    await Promise.all(Array.from({ length: contacts }, () => addContact(service, site, fields)))
    await moment
    await killed(service)
    isKilled = true
    const receiver = await receiving()
    const again = await start(site)
    await subscribe(again, site, receiver.url, id)
    await receiver.waitFor(1)
    // What was not given out before the kill is sent, too.
    while (await hasWaiting(again, site, id)) await Bun.sleep(10)
    await again.stop()
    expect(faultsOf(receiver, id, await eventsOf(site))).toEqual([])
  }

  async function sentAgain(site: Site, receiver: Receiver, id: string, requests: number) {
    const again = await start(site)
    await receiver.waitFor(requests)
    await again.stop()
    expect(receiver.requests).toHaveLength(requests)
    expect(faultsOf(receiver, id, await eventsOf(site))).toEqual([])
  }
})

test(`${KILLS} kills at random lose nothing that was acknowledged, keep the order and change no byte`, async () => {
  const site = await newSite()
  const receiver = await receiving()
  receiver.always((socket) => {
    const chance = Math.random()
    const script = chance < 0.05 ? reply(500) : chance < 0.1 ? reset() : reply(200, { delayMs: Math.random() * 10 })
    return script(socket)
  })
  const acknowledged: string[] = []
  const subscriptions: string[] = []
  for (let kills = 0; kills < KILLS; kills++) {
    const service = await start(site)
    while (subscriptions.length < SUBSCRIPTIONS) subscriptions.push((await subscribe(service, site, receiver.url)).id)
    const writers = Array.from({ length: 4 }, () => writeUntilKilled(service, site, acknowledged))
    // Every other time not before something was acknowledged: a busy machine may take longer than any pause.
    const before = acknowledged.length
    while (kills % 2 === 0 && acknowledged.length === before) await Bun.sleep(1)
    await Bun.sleep(Math.random() * 60)
    await killed(service)
    await Promise.all(writers)
  }
  const service = await start(site)
  for (const id of subscriptions) while (await hasWaiting(service, site, id)) await Bun.sleep(50)
  await service.stop()

  const outbox = await outboxOf(dataOf(site))
  const told = new Set(outbox.map(({ contactId }) => contactId))
  expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS / 2)
  expect(acknowledged.filter((id) => !told.has(id))).toEqual([])
  for (const id of subscriptions) expect(faultsOf(receiver, id, await eventsOf(site))).toEqual([])
})

async function writeUntilKilled(service: Running, site: Site, acknowledged: string[]): Promise<void> {
  for (;;) {
    const contact = await addContact(service, site).catch(() => null)
    if (!contact) return
    acknowledged.push(contact.id)
  }
}
