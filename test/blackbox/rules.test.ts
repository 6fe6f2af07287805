import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Reader } from '../../src/db/index.ts'
import { happeningQueue, messages, ruleRuns } from '../../src/db/schema.ts'
import { clientLibrary } from '../support/api/client.ts'
import { openDataOf } from '../support/data/postgres.ts'
import { emptyFolder, executable, type Program, type Running, record, serve } from '../support/processes/program.ts'

/** More are a matter of `bun run chaos`. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 20)

let program: Program
beforeAll(async () => {
  program = await executable()
})

const first = {
  name: 'First',
  on: 'ticket.created',
  then: [
    { do: 'note', text: 'first' },
    { do: 'add_tags', tags: ['seen'] },
  ],
}
const second = {
  name: 'Second',
  on: 'ticket.tagged',
  when: { all: [{ field: 'tag', is: 'seen' }] },
  then: [{ do: 'note', text: 'second' }],
}
const never = {
  name: 'Never',
  on: 'ticket.created',
  when: { all: [{ field: 'subject', is: 'something else' }] },
  then: [{ do: 'note', text: 'never' }],
}

/** A data folder with an inbox, a key and rules that commands made, each from a file or from what is piped in. */
async function newSite() {
  const cwd = emptyFolder()
  const command = (...args: string[]) => record(program, args, { cwd })
  await command('tenant', 'create', '--name', 'Acme')
  await command('inbox', 'create', '--name', 'Help', '--channel', 'email', '--address', 'help@acme.test')
  const { key } = await command('key', 'create', '--name', 'k', '--scopes', 'tickets:write,tickets:read')
  const ruleIds: string[] = []
  for (const [index, rule] of [first, second, never].entries()) {
    const file = join(cwd, `rule${index}.json`)
    await Bun.write(file, JSON.stringify(rule))
    ruleIds.push((await command('rule', 'create', file)).id)
  }
  return { cwd, key, command, ruleIds }
}

type Site = Awaited<ReturnType<typeof newSite>>

async function addTicket(service: Running, { key }: Site): Promise<string> {
  const desk = (await clientLibrary()).createClient({ baseUrl: service.url, key, retries: 0 })
  const { id } = await desk.createTicket({ email: 'ada@customer.test', subject: 'Hello', text: 'Hello' })
  return id
}

const readingData = async <T>({ cwd }: Site, read: (db: Reader) => Promise<T>) => {
  const database = await openDataOf(join(cwd, 'data'))
  try {
    return await read(database.db)
  } finally {
    await database.close()
  }
}

test(`${KILLS} kills at random while rules run: each sees each event once`, async () => {
  const site = await newSite()
  const acknowledged: string[] = []
  for (let kills = 0; kills < KILLS; kills++) {
    const service = await serve(program, { cwd: site.cwd })
    const write = async () => {
      for (;;) {
        const id = await addTicket(service, site).catch(() => null)
        if (id === null) return
        acknowledged.push(id)
      }
    }
    const before = acknowledged.length
    const writers = [write(), write()]
    // Not before something was acknowledged: a busy machine may take longer than any pause.
    while (acknowledged.length === before) await Bun.sleep(1)
    await Bun.sleep(Math.random() * 100)
    service.kill('SIGKILL')
    await service.exited
    await Promise.all(writers)
  }
  const service = await serve(program, { cwd: site.cwd })
  while ((await readingData(site, (db) => db.select().from(happeningQueue).limit(1))).length > 0) await Bun.sleep(50)
  await service.stop()

  const notes = await readingData(site, (db) => db.select().from(messages))
  const counts = new Map<string, string[]>()
  for (const { ticketId, state, text } of notes) {
    const own = counts.get(ticketId) ?? []
    if (state === 'note') own.push(text)
    counts.set(ticketId, own)
  }
  expect(acknowledged.filter((id) => !counts.has(id))).toEqual([])
  expect([...counts.values()].filter((texts) => texts.sort().join() !== 'first,second')).toEqual([])
  const runs = await readingData(site, (db) => db.select().from(ruleRuns))
  expect(runs.length).toBeLessThanOrEqual(1000)
})

test('commands make, change, order, try, show and delete rules', async () => {
  const { command, ruleIds, cwd } = await newSite()
  const names = async () => (await command('rule', 'list')).map(({ name }: { name: string }) => name)
  expect(await names()).toEqual(['First', 'Second', 'Never'])
  const [one, two, three] = ruleIds as [string, string, string]
  await command('rule', 'order', three, one, two)
  expect(await names()).toEqual(['Never', 'First', 'Second'])
  await Bun.write(join(cwd, 'change.json'), JSON.stringify({ name: 'Other' }))
  expect(await command('rule', 'update', '--rule', three, join(cwd, 'change.json'))).toMatchObject({ name: 'Other' })
  expect(await command('rule', 'disable', '--rule', one)).toMatchObject({ enabled: false, failing: false })
  expect(await command('rule', 'enable', '--rule', one)).toMatchObject({ enabled: true })
  expect(await command('rule', 'try', join(cwd, 'rule0.json'))).toEqual({ looked: 0, matched: 0, items: [] })
  expect(await command('rule', 'runs', '--rule', one)).toEqual([])
  await command('rule', 'delete', '--rule', two)
  expect(await names()).toEqual(['Other', 'First'])
})
