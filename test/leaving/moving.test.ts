import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { linkAllEntries } from '../../src/audit/chain.ts'
import { chainFaults } from '../../src/audit/faults.ts'
import { chainKeyOf } from '../../src/audit/key.ts'
import { commandCaller } from '../../src/caller.ts'
import { openDatabase } from '../../src/db/index.ts'
import { searchedMessages } from '../../src/db/schema.ts'
import { prepareDemo } from '../../src/demo/index.ts'
import { FolderFiles } from '../../src/files/folder.ts'
import { createKey } from '../../src/keys/operations.ts'
import { scopes } from '../../src/kinds/scopes.ts'
import { openTicket } from '../../src/tickets/incoming/opening.ts'
import { apiRoutes } from '../support/api/routes.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { exported, imported, type Members, membersOf, recordsOf, scratch } from '../support/data/moving.ts'

let [source, target, folder] = [undefined, undefined, ''] as unknown as [TestApp, TestApp, string]
beforeAll(async () => {
  folder = scratch()
  const environment = { FRONTDESK_PUBLIC_RATE_LIMIT: '10000', FRONTDESK_BASE_URL: 'https://desk.acme.test' }
  ;[source, target] = [await startApp({ environment }), await startApp({ environment })]
})
afterAll(async () => {
  await source.close()
  await target.close()
})

const keyOf = (app: TestApp, tenantId: string) =>
  app.database.transaction((tx) =>
    createKey(tx, commandCaller(tenantId, app.clock.now()), { name: 'test', scopes, expiresAt: null }),
  )

/** Told of the installation, not of the tenant: its keys, and what its webhooks were sent. */
const OWN = [
  '/v1/me',
  '/v1/webhooks/:webhookId/deliveries',
  '/v1/webhooks/:webhookId/deliveries/:batchId',
  '/v1/events',
]

/** Every answer of the API to a GET, by its address: all pages of all lists, all records, the bytes of all files. */
async function allAnswers(app: TestApp, tenantId: string, files: Members): Promise<Map<string, string>> {
  const { key } = await keyOf(app, tenantId)
  const answers = new Map<string, string>()
  const ids = new Map<string, string[]>()
  const ask = async (path: string) => {
    const response = await fetch(app.url + path, { headers: { authorization: `Bearer ${key}` } })
    const hash = new Bun.CryptoHasher('sha256').update(await response.clone().arrayBuffer()).digest('hex')
    const type = response.headers.get('content-type') ?? ''
    answers.set(path, type.includes('json') ? await response.text() : `${response.status} ${type} ${hash}`)
    return type.includes('json') ? JSON.parse(answers.get(path) as string) : null
  }
  const filesOf = (kind: string) =>
    [...files.keys()].flatMap((name) => (name.startsWith(`files/${kind}/`) ? [name.split('/')[2] as string] : []))
  const routes = apiRoutes(app).filter(({ method, path }) => method === 'GET' && !OWN.includes(path))
  for (const { path } of routes.sort((one, other) => one.path.split(':').length - other.path.split(':').length)) {
    let paths = ['']
    for (const part of path.split('/').slice(1)) {
      paths = paths.flatMap((begun) => {
        if (!part.startsWith(':')) return [`${begun}/${part}`]
        const kind = begun.split('/').at(-1) as string
        const known = kind === 'attachments' || kind === 'uploads' ? filesOf(kind) : (ids.get(begun) ?? [])
        return known.map((id) => `${begun}/${id}`)
      })
    }
    for (const one of paths) {
      const all = one.endsWith('/responses') ? '&status=all' : ''
      for (let cursor: string | null = ''; cursor !== null; ) {
        const isFile = /\/(?:attachments|uploads)\/[^/]+$/.test(one)
        const query = isFile || path.endsWith('}') ? '' : `?limit=100${all}${cursor && `&cursor=${cursor}`}`
        let body = await ask(one + query)
        // What is no list takes no limit.
        if (body?.error === 'invalid_request') {
          answers.delete(one + query)
          body = await ask(one)
        }
        for (const item of body?.items ?? []) {
          const id = item.slug ?? item.id
          if (id !== undefined) ids.set(one, [...(ids.get(one) ?? []), String(id)])
        }
        cursor = body?.nextCursor ?? null
      }
    }
  }
  return answers
}

/** Cursors are bound to nothing but list and tenant, but for what stands in the address. */
const withoutCursor = (path: string) => path.replace(/&cursor=.*/, '')

/** Of an export: what has to be the same wherever the tenant is. */
function lasting(members: Members): Record<string, unknown> {
  const kinds = [...members.keys()].filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -6))
  return Object.fromEntries(
    kinds.map((kind) => {
      const records = recordsOf(members, kind).map(({ number, ...record }) => {
        if (kind === 'users') return { ...record, providerIssuer: null }
        if (kind === 'webhooks') return { ...record, active: null, hasSecret: null }
        if (kind === 'chat_settings') return { ...record, hasSecret: null }
        if (kind === 'mailboxes') return { ...record, state: null, problem: null, detail: null, since: null }
        if (kind === 'alerts') return { ...record, mailNumber: null }
        return ['rules', 'form_revisions'].includes(kind) ? { ...record, number } : record
      })
      // What the exports themselves note.
      return [
        kind,
        kind === 'audit_entries' ? records.filter(({ action }) => !/^(?:tenant|key)\./.test(action)) : records,
      ]
    }),
  )
}

const filesIn = (members: Members) =>
  [...members].flatMap(([name, content]) => (name.startsWith('files/') ? [[name, Bun.hash(content).toString()]] : []))

describe('the demo’s tenant, moved to another installation', () => {
  let tenantId: string
  let [before, after] = [new Map(), new Map()] as [Members, Members]
  let launchCode: string | null
  beforeAll(async () => {
    const { database, deps, dataDir, clock } = source
    const demo = await prepareDemo(database, { dataDir, files: deps.files, secrets: deps.secrets }, clock.now())
    ;({ tenantId, launchCode } = demo)
    await source.runDue()
    const file = await exported(source, tenantId, folder)
    before = membersOf(file)
    await imported(target, file)
    await linkAllEntries(target.database, chainKeyOf(target.deps.secrets))
    after = membersOf(await exported(target, tenantId, folder))
  })

  test('has every record and every file that it had', () => {
    expect(lasting(after)).toEqual(lasting(before))
    expect(filesIn(after)).toEqual(filesIn(before))
    expect(filesIn(before).length).toBeGreaterThan(50)
  })

  test('answers as before, whatever it is asked', async () => {
    const [was, is] = [await allAnswers(source, tenantId, before), await allAnswers(target, tenantId, before)]
    expect([...is.keys()].map(withoutCursor)).toEqual([...was.keys()].map(withoutCursor))
    expect(was.size).toBeGreaterThan(300)
    const cursorless = (text: string) => text.replace(/"nextCursor":"[^"]*"/, '"nextCursor":"…"')
    const values = [...was].map(([path, text], index) => [path, text, [...is.values()][index] as string] as const)
    const others = values.filter(([, one, other]) => cursorless(one) !== cursorless(other)).map(([path]) => path)
    expect(others).toEqual([])
    expect([...was].filter(([, text]) => text.startsWith('{"error')).map(([path]) => path)).toEqual([])
  })

  test('has an audit log of its own there, unbroken', async () => {
    const trust = { key: chainKeyOf(target.deps.secrets), chains: 'sealed', drops: true } as const
    expect(await chainFaults(target.database.db, tenantId, trust)).toEqual([])
    expect(recordsOf(after, 'audit_entries').at(-1)).toMatchObject({ action: 'tenant.imported', recordId: tenantId })
  })

  test('goes on: numbers follow, what was said is found, answers and responses come in', async () => {
    const { key } = await keyOf(target, tenantId)
    const call = (method: string, path: string, body?: unknown) =>
      target.request(method, path, { key, ...(body ? { body } : {}) })
    const last = Math.max(...recordsOf(before, 'tickets').map(({ sequentialNumber }) => sequentialNumber))
    const [inbox] = recordsOf(before, 'inboxes')
    const made = await target.database.transaction((tx) =>
      openTicket(tx, commandCaller(tenantId, target.clock.now()), {
        inboxId: inbox.id,
        email: 'ada@moved.test',
        name: null,
        subject: 'Moved house',
        text: 'Zyzzyva lives elsewhere.',
      }),
    )
    expect((await call('GET', `/v1/tickets/${made.id}`)).body.sequentialNumber).toBe(last + 1)
    expect((await call('POST', `/v1/tickets/${made.id}/replies`, { html: '<p>Welcome.</p>' })).status).toBe(201)
    await target.runDue()
    const found = await target.database.db
      .select({ id: searchedMessages.messageId })
      .from(searchedMessages)
      .where(eq(searchedMessages.tenantId, tenantId))
    expect(found.length).toBe(recordsOf(before, 'messages').length + 2)
    const page = await target.request('GET', `/f/${launchCode}`)
    expect(page.status).toBe(200)
    const begun = await target.request('POST', `/f/${launchCode}/responses`, { body: { answers: [], complete: false } })
    expect(begun.status).toBe(201)
  })

  test('moves on into a file database, and back from it, with all it has', async () => {
    const dataDir = scratch()
    const database = await openDatabase({ dataDir })
    try {
      const files = new FolderFiles(dataDir)
      const file = await exported(target, tenantId, folder)
      const place = { database, deps: { files }, dataDir, clock: target.clock } as unknown as TestApp
      await imported(place, file)
      const there = membersOf(await exported(place, tenantId, folder))
      expect(lasting(there)).toEqual(lasting(membersOf(file)))
      expect(filesIn(there)).toEqual(filesIn(membersOf(file)))
    } finally {
      await database.close()
    }
  })
})
