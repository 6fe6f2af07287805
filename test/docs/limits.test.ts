import { afterAll, beforeAll, expect, test } from 'bun:test'
import { exampleOf } from '../../src/docs/examples.ts'
import type { Schema } from '../../src/docs/types.ts'
import type { QuestionType } from '../../src/forms/question-types/index.ts'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import { bodyOf, documentOf, operationsOf, resolved } from '../support/api/conformance.ts'
import { furnish } from '../support/api/furnished.ts'
import { type PathIds, pathWith } from '../support/api/routes.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { questionBody } from '../support/forms/questions.ts'

/** More than that no body holds, whatever a field of it may. */
const MAX_BODY = 1024 * 1024

type Fields = Readonly<Record<string, unknown>>

/** A text or a list of a request. */
interface Field {
  readonly operationId: string
  /** As a refusal names it. */
  readonly place: string
  readonly schema: Schema
  /** What else the body has there. */
  readonly example: unknown
  /** A body with this in the place. */
  readonly bodyWith: (value: unknown) => unknown
}

const app = await startApp({ environment: { FRONTDESK_RATE_LIMIT: '1000000', FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
const document = await documentOf(app)
const operations = operationsOf(document)

let acme: TestTenant
let ids: PathIds
let visitorToken: string
/** What fields of these names hold, where it is not they that are tried. */
const given: { fieldId?: string; resumeToken?: string } = {}
beforeAll(async () => {
  const furnished = await furnish(await app.createTenant())
  acme = furnished.tenant
  given.fieldId = (await acme.get('/v1/contact-fields')).body.items[0].id
  const begun = (await app.request('POST', `/f/${furnished.ids.f}/responses`, { body: { answers: [] } })).body
  given.resumeToken = begun.resumeToken
  const chat = await openChat(app, furnished.ids.sources as string)
  visitorToken = (await chat.visitor()).token
  await acme.perform((tx, caller) =>
    changeSettings(tx, caller, furnished.ids.forms as string, { hidden: ['campaign'] }),
  )
  ids = {
    ...furnished.ids,
    responses: begun.id,
    conversations: (await chat.start(visitorToken)).body.conversationId,
  }
})
afterAll(() => app.close())

/** A form with something to ask about, so that no condition is refused for what it names. */
const form = {
  title: 'Limits',
  questions: [{ type: 'textbox', friendlyId: 'COMMENT' }],
  variables: [{ name: 'POINTS', formula: '1' }],
}
const bodies: Record<string, unknown> = {
  createForm: form,
  updateForm: form,
  beginResponse: { answers: [] },
  continueResponse: { answers: [] },
}

/** What the objects of a form need beside the fields that are tried. */
const whole: Record<string, (fields: Fields) => Fields> = {
  ShowIfCreate: (fields) => ({ match: 'all', conditions: [{ hidden: 'campaign', op: 'answered' }], ...fields }),
  QuestionConditionCreate: (fields) => ({ question: 'COMMENT', ...compared(fields) }),
  HiddenFieldConditionCreate: (fields) => ({ hidden: 'campaign', ...compared(fields) }),
  VariableConditionCreate: (fields) => ({ variable: 'POINTS', op: 'is', value: 1, ...fields }),
  VariableCreate: (fields) => ({ name: 'TOTAL', formula: '1', ...fields }),
  EndCreate: (fields) => ('redirect' in fields ? fields : { thanks: 'Thanks', ...fields }),
}
const compared = (fields: Fields) => ({ op: Array.isArray(fields.value) ? 'one_of' : 'is', value: 'x', ...fields })

/** What is never too long: a variable is compared with numbers alone, and there is no twelfth contact field to name. */
const NEVER = ['VariableConditionCreate.value', 'QuestionCreateContactDetails.contactFields']

const known = new Set<unknown>()
const fields = operations.flatMap(({ operationId, method, path, requestBody }) => {
  const schema = requestBody?.content['application/json']?.schema
  const example = bodies[operationId] ?? bodyOf(document, { method, path })
  return schema ? [...fieldsIn({ operationId, place: '', schema, example, bodyWith: (body) => body })] : []
})

/** All texts and lists in a part of a body; those of a schema that several share once. */
function* fieldsIn(field: Field): Iterable<Field> {
  const schema = resolved<Schema>(document, field.schema)
  if (schema.title && known.has(schema.title)) return
  if (schema.title) known.add(schema.title)
  const members = (schema.oneOf ?? schema.anyOf ?? schema.allOf) as Schema[] | undefined
  for (const member of members ?? []) yield* fieldsIn({ ...field, schema: member })
  const types = [schema.type].flat()
  if (types.includes('string') && !schema.enum && !/^(uuid|date-time)$/.test(String(schema.format))) {
    yield { ...field, schema }
  }
  if (types.includes('array')) yield* listIn({ ...field, schema })
  if (types.includes('object')) yield* partsOf({ ...field, schema })
}

function* listIn(field: Field): Iterable<Field> {
  const items = field.schema.items as Schema
  const before = Array.isArray(field.example) ? field.example : []
  const example = before[0] ?? exampleIn(items)
  yield { ...field, example }
  yield* fieldsIn({
    ...field,
    schema: items,
    example,
    place: `${field.place}[${before.length}]`,
    bodyWith: (value) => field.bodyWith([...before, value]),
  })
}

function* partsOf({ schema, place, bodyWith, ...field }: Field): Iterable<Field> {
  const { title = '', additionalProperties: further } = schema as { title?: string; additionalProperties?: unknown }
  const properties = (schema.properties ?? {}) as Record<string, Schema>
  const shown = title.startsWith('QuestionCreate') ? questionOf(properties.type) : ((field.example ?? {}) as Fields)
  const needed = Object.fromEntries(
    ((schema.required ?? []) as string[]).map((name) => [name, shown[name] ?? exampleIn(properties[name] ?? {})]),
  )
  const complete = (tried: Fields): Fields => {
    const there = Object.fromEntries(Object.entries(given).filter(([name]) => name in properties))
    return whole[title]?.(tried) ?? { ...shown, ...needed, ...there, ...tried }
  }
  const parts = Object.entries(properties)
  if (typeof further === 'object') parts.push(['campaign', further as Schema])
  for (const [name, part] of parts) {
    if (NEVER.includes(`${title}.${name}`)) continue
    yield* fieldsIn({
      ...field,
      schema: part,
      example: shown[name],
      place: place ? `${place}.${name}` : name,
      bodyWith: (value) => bodyWith(complete({ [name]: value })),
    })
  }
}

/** Of what several schemas make together, the first says what it is. */
function exampleIn(schema: Schema): unknown {
  const [first = schema] = (schema.allOf ?? []) as Schema[]
  return exampleOf(first, document.components.schemas)
}

function questionOf(type: Schema | undefined): Fields {
  const [name] = (type?.enum ?? []) as QuestionType[]
  return name ? questionBody(name) : {}
}

test('every text and every list of a body has a limit in the document', () => {
  expect(fields.length).toBeGreaterThan(150)
  const unlimited = fields.filter(({ schema }) => limitOf(schema) === undefined)
  expect(unlimited.map(({ operationId, place }) => `${operationId} ${place}`)).toEqual([])
})

test.each(fields.map((field) => [field.operationId, field.place, limitOf(field.schema), field] as const))(
  '%s takes as much as the document says as %s, %i, and no more',
  async (_, place, limit = 0, field) => {
    const tooMuch = await refusalOf(field, limit + 1)
    if (limit >= MAX_BODY) return expect(tooMuch).toMatchObject({ param: 'body' })
    const { param, message } = tooMuch ?? {}
    expect({ param, isThere: `${place}.`.startsWith(`${param}.`) || place.startsWith(`${param}[`) }).toEqual({
      param,
      isThere: true,
    })
    // What is no longer than that may be refused all the same, but not for its length.
    const enough = await refusalOf(field, limit)
    expect(enough?.message).not.toBe(message)
  },
)

function limitOf(schema: Schema): number | undefined {
  return ([schema.type].flat().includes('array') ? schema.maxItems : schema.maxLength) as number | undefined
}

/** What is said of a body with so many characters or items in the place, or null where it is taken. */
async function refusalOf({ operationId, place, schema, example, bodyWith }: Field, length: number) {
  const operation = operations.find((one) => one.operationId === operationId)
  if (!operation) throw new Error(operationId)
  const isList = [schema.type].flat().includes('array')
  const value = isList ? Array.from({ length }, () => example) : textOf(length, schema)
  const path = pathWith(operation.path.replace(/\{(\w+)\}/g, ':$1'), ids)
  const keys: Record<string, string | null> = { public: null, visitor: visitorToken }
  const scope = operation['x-scope']
  const answer = await app.request(operation.method, path, {
    key: scope in keys ? (keys[scope] as string | null) : acme.key,
    body: bodyWith(value),
  })
  if (operationId === 'upsertContacts' && answer.status === 200) return ofBatch(answer.body.results, place)
  return answer.status < 400 ? null : (answer.body as { param?: string; message: string })
}

/** Of a batch each contact is refused by itself. */
function ofBatch(results: { error: { param: string; message: string } | null }[], place: string) {
  const [contact = ''] = /^contacts\[\d+\]/.exec(place) ?? []
  const error = results.at(-1)?.error
  return error ? { ...error, param: `${contact}.${error.param}` } : null
}

/** A text of that length of the form that the document asks for. */
function textOf(length: number, { pattern = '' }: Schema): string {
  const filled = (start: string, end = '', letter = 'x') =>
    start + letter.repeat(Math.max(0, length - start.length - end.length)) + end
  const candidates = [filled(''), filled('EUR', '', 'X'), filled('https://acme.test/'), filled('', '@acme.test')]
  const form = new RegExp(String(pattern), 'u')
  return candidates.find((text) => form.test(text)) ?? filled('')
}
