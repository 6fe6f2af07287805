import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Parameter, Schema } from '../../src/docs/types.ts'
import {
  bodyOf,
  type DocumentedOperation,
  documentOf,
  keyedOperationsOf,
  resolved,
} from '../support/api/conformance.ts'
import { createTestGroup } from '../support/api/contacts.ts'
import { type Furnished, furnish, tellingIds } from '../support/api/furnished.ts'
import { idsIn, idsOf, makesItsRecord, type PathIds, pathWith, randomIds } from '../support/api/routes.ts'
import { snapshot } from '../support/api/snapshot.ts'
import { type Answer, startApp, type TestApp } from '../support/app.ts'

const app: TestApp = await startApp()
const document = await documentOf(app)
const operations = keyedOperationsOf(document).map((operation) => ({
  ...operation,
  path: operation.path.replace(/\{(\w+)\}/g, ':$1'),
}))

let own: Furnished
let others: Furnished

beforeAll(async () => {
  own = await furnish(await app.createTenant())
  const other = await app.createTenant('Other')
  others = await furnish(other)
  // Integer ids count within a tenant: this one is beyond those of the other tenant.
  let group = await createTestGroup(other)
  while (group.id < 10) group = await createTestGroup(other)
  others = {
    ...others,
    ids: { ...others.ids, groups: String(group.id) },
    references: { ...others.references, groupIds: group.id },
  }
})
afterAll(() => app.close())

type Request = { operation: DocumentedOperation; ids?: PathIds; query?: string; body?: unknown }

/** The answer, with every id that was sent replaced: an answer may repeat what it was asked for. So is the request's own. */
async function ask({ operation, ids = own.ids, query = '', body }: Request, ...sent: unknown[]) {
  const path = pathWith(operation.path, ids)
  const answer = await app.request(operation.method, path + query, { key: own.tenant.key, body })
  const names = [...sent.map(String), ...idsIn(operation.path).map((owner) => ids[owner] as string)]
  const hidden = [...names, answer.headers.get('x-request-id') as string].reduce(
    (text, id) => text.replaceAll(id, '…'),
    answer.text,
  )
  return { status: answer.status, text: hidden, headers: comparable(answer) }
}

function comparable({ headers }: Answer): Record<string, string> {
  const {
    date: _,
    'x-request-id': __,
    'ratelimit-remaining': ___,
    // It moves with the database's clock where several nodes count together.
    'ratelimit-reset': ____,
    'content-length': _____,
    ...rest
  } = Object.fromEntries(headers)
  return rest
}

describe('ids of another tenant in a path', () => {
  const withIds = operations.filter((operation) => operation.path.includes(':') && !makesItsRecord(operation))

  test.each(withIds.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s answers as for ids of nothing',
    async (_, operation) => {
      const before = await snapshot(app)
      const body = bodyOf(document, operation)
      const owners = idsIn(operation.path)
      // Each id foreign in turn, and all of them: the parent one's own and the child another's, and the other way round.
      for (const foreign of [...owners.map((owner) => [owner]), owners]) {
        // A slug names an article within its source: under one's own source there is no foreign one.
        if (foreign.join() === 'articles') continue
        const mixed = (strange: PathIds) =>
          idsOf((owner) => (foreign.includes(owner) ? strange : own.ids)[owner] as string)
        const asked = await ask({ operation, ids: mixed(others.ids), body })
        const random = await ask({ operation, ids: mixed(randomIds()), body })
        expect(asked).toEqual(random)
        expect(asked.status).toBe(404)
      }
      expect(await snapshot(app)).toEqual(before)
    },
  )
})

describe('ids of another tenant in a body', () => {
  const fields = operations.flatMap((operation) =>
    referencesIn(operation).map((reference) => ({ operation, ...reference })),
  )

  test('are looked for in every field that is one', () => {
    expect(fields.map(({ operation, name }) => `${operation.operationId} ${name}`)).toContainAllValues([
      'createForm workspaceId',
      'createTicket inboxId',
      'createTicket contactId',
      'setTicketAssignee userId',
      'setTicketAssignee teamId',
      'createContact organisationId',
      'createContact groupIds',
      'updateContact organisationId',
      'updateContact groupIds',
      'upsertContact organisationId',
      'upsertContact groupIds',
    ])
  })

  test.each(fields.map((field) => [field.operation.operationId, field.name, field] as const))(
    '%s %s: refused as an id of nothing is, and one’s own is taken',
    async (_, name, { operation, isList, isInteger }) => {
      const before = await snapshot(app)
      // A ticket is somebody's who is named by one of the two.
      const instead = name === 'contactId' ? { email: undefined } : {}
      const bodyWith = (id: unknown) => ({
        ...(bodyOf(document, operation) as object),
        ...instead,
        [name]: isList ? [id] : id,
      })
      const foreign = referenceOf(others, name)
      const nothing = isInteger ? 999_999 : Bun.randomUUIDv7()
      const asked = await ask({ operation, body: bodyWith(foreign) }, foreign)
      const random = await ask({ operation, body: bodyWith(nothing) }, nothing)
      expect(asked).toEqual(random)
      expect([asked.status, JSON.parse(asked.text).message]).toEqual([
        400,
        expect.stringMatching(new RegExp(`^${name}`)),
      ])
      expect(await snapshot(app)).toEqual(before)
      const mine = await ask({ operation, body: bodyWith(referenceOf(own, name)) })
      expect(mine.status).not.toBe(400)
    },
  )
})

describe('ids of another tenant in a filter', () => {
  const filters = operations.flatMap((operation) =>
    operation.parameters
      .map((parameter) => resolved<Parameter>(document, parameter))
      .filter((parameter) => parameter.in === 'query' && parameter.schema.format === 'uuid')
      .map(({ name }) => ({ operation, name })),
  )

  test.each(filters.map((filter) => [filter.operation.operationId, filter.name, filter] as const))(
    '%s %s: finds nothing, as an id of nothing does, and one’s own finds something',
    async (_, name, { operation }) => {
      const foreign = referenceOf(others, name)
      const nothing = Bun.randomUUIDv7()
      const asked = await ask({ operation, query: `?${name}=${foreign}` }, foreign)
      expect(asked).toEqual(await ask({ operation, query: `?${name}=${nothing}` }, nothing))
      expect([asked.status, JSON.parse(asked.text)]).toEqual([200, { items: [], nextCursor: null }])
      const mine = await ask({ operation, query: `?${name}=${referenceOf(own, name)}` })
      expect(JSON.parse(mine.text).items).not.toBeEmpty()
    },
  )
})

test('lists, read whole, hold nothing of another tenant', async () => {
  const foreign = [others.tenant.tenantId, others.tenant.keyId, ...tellingIds(others)]
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const { text } = await ask({ operation })
    expect(foreign.filter((id) => text.includes(id))).toEqual([])
  }
})

function referenceOf({ references }: Furnished, name: string): string | number {
  const id = references[name]
  if (id === undefined) throw new Error(`no id for ${name}: add one to test/support/api/furnished.ts`)
  return id
}

/** The fields of an operation's body that name something by its id. */
function referencesIn({ operationId, requestBody }: DocumentedOperation) {
  // Its answer to a foreign id is a result: test/contacts/batch.test.ts.
  if (operationId === 'upsertContacts') return []
  const schema = requestBody && resolved<Schema>(document, requestBody.content['application/json']?.schema ?? {})
  return Object.entries((schema?.properties ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
    // test/contacts/custom-fields.test.ts
    if (name === 'customValues') return []
    const isList = [field.type].flat().includes('array')
    const item = resolved<Schema>(document, (isList ? field.items : field) as Schema)
    const isInteger = [item.type].flat().includes('integer') && /Ids?$/.test(name)
    if (item.format === 'uuid' || isInteger) return [{ name, isList, isInteger }]
    if (/"format":"uuid"/.test(JSON.stringify(item)))
      throw new Error(`${operationId}: teach this test ids inside ${name}`)
    return []
  })
}
