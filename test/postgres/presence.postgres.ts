import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '../../src/lib/ids.ts'
import type { TestApp } from '../support/app.ts'
import { startNodes } from '../support/processes/nodes.ts'

let nodes: Awaited<ReturnType<typeof startNodes>>
let here: TestApp
let there: TestApp
beforeAll(async () => {
  nodes = await startNodes(2)
  ;[here, there] = nodes.apps as [TestApp, TestApp]
})
afterAll(() => nodes.close())

const anna = { userId: newId(0), name: 'Anna' }
const ben = { userId: newId(0), name: 'Ben' }

/** Who somebody is told of, until it is these. */
function watching(app: TestApp, ticketId: string, person: typeof anna) {
  let look = () => {}
  const others = () => app.deps.presence.othersAt('t', ticketId, person.userId)
  const self = app.deps.presence.enter('t', ticketId, person, () => look())
  return {
    ...self,
    sees: (...expected: object[]) =>
      new Promise<void>((resolve) => {
        look = () => Bun.deepEquals(others(), expected) && resolve()
        look()
      }),
  }
}

test('who is at a ticket is known on every node, whoever came first, and so is that they have left', async () => {
  const ticketId = newId(0)
  const first = watching(here, ticketId, anna)
  const second = watching(there, ticketId, ben)
  await first.sees({ ...ben, isWriting: false })
  // Who came later is told who is there.
  await second.sees({ ...anna, isWriting: false })
  here.deps.presence.write('t', ticketId, anna)
  await second.sees({ ...anna, isWriting: true })
  second.leave()
  await first.sees()
  first.leave()
})

test('what is said is stored nowhere, and what another version says does no harm', async () => {
  const ticketId = newId(0)
  const first = watching(here, ticketId, anna)
  for (const text of ['', 'null', '{', '{"sign":"here"}', JSON.stringify({ node: 1 })]) there.database.talk?.tell(text)
  const second = watching(there, ticketId, ben)
  await first.sees({ ...ben, isWriting: false })
  expect(here.logged.filter((line) => line.includes('error'))).toEqual([])
  first.leave()
  second.leave()
})
