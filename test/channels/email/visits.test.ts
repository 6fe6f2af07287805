import { expect, test } from 'bun:test'
import { MAIL_LIMITS } from '../../../src/channels/email/listener/limits.ts'
import { Visits } from '../../../src/channels/email/listener/visits.ts'
import { clientAddresses } from '../../../src/lib/network/client-address.ts'

const clientOf = clientAddresses([])

function visiting(limits: Partial<typeof MAIL_LIMITS>) {
  const visits = new Visits({ ...MAIL_LIMITS, ...limits })
  let count = 0
  /** Whether there is room for a connection from there; if so, it begins. */
  const visit = (address: string): string | null => {
    const client = clientOf(address, null)
    if (!visits.hasRoom(client, false)) return null
    const id = String(++count)
    visits.begin({ id, hangUp: () => {} }, client, false)
    return id
  }
  return { visits, visit }
}

test('connections of IPv6 are counted by the /64, and ten times as many by the /48', () => {
  const { visits, visit } = visiting({ connectionsPerNetwork: 2 })
  expect(visit('2001:db8:1:1::1')).not.toBeNull()
  expect(visit('2001:db8:1:1:ffff::2')).not.toBeNull()
  expect(visit('2001:db8:1:1::3')).toBeNull()
  for (let network = 2; network <= 10; network++) {
    for (const host of [1, 2]) expect(visit(`2001:db8:1:${network}::${host}`)).not.toBeNull()
  }
  expect(visit('2001:db8:1:11::1')).toBeNull()
  expect(visit('2001:db8:2::1')).not.toBeNull()
  visits.endAll()
  expect(visits.size).toBe(0)
})

test('a connection that ended leaves room, and is counted out once', () => {
  const { visits, visit } = visiting({ connectionsPerNetwork: 1 })
  const first = visit('192.0.2.1') as string
  expect(visit('::ffff:192.0.2.1')).toBeNull()
  visits.end(first)
  visits.end(first)
  expect(visit('192.0.2.1')).not.toBeNull()
  expect(visit('192.0.2.1')).toBeNull()
  visits.endAll()
})

test('where all places are taken by mails that come in, there is no room', () => {
  const { visits, visit } = visiting({ connections: 1 })
  const only = visits.get(visit('192.0.2.1') as string)
  if (!only) throw new Error('it never began')
  only.isTaking = true
  expect(visit('192.0.2.2')).toBeNull()
  only.isTaking = false
  expect(visit('192.0.2.2')).not.toBeNull()
  visits.endAll()
})
