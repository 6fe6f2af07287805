import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp, openApiDocument } from '../../src/app.ts'
import { documentedPath } from '../../src/docs/paths.ts'
import type { Answer, OpenApiDocument, Parameter, Schema } from '../../src/docs/types.ts'
import { questionTypeNames } from '../../src/forms/question-types/index.ts'
import { errorWords } from '../../src/http/answers/errors.ts'
import { scopes } from '../../src/kinds/scopes.ts'
import { documentOf, keyedOperationsOf, operationsOf, resolved } from '../support/api/conformance.ts'
import { apiRoutes, makesItsRecord } from '../support/api/routes.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let document: OpenApiDocument

beforeAll(async () => {
  app = await startApp()
  document = await documentOf(app)
})
afterAll(() => app.close())

describe('the OpenAPI document', () => {
  test('has an operation for every route, and a route for every operation', () => {
    const collection = createApp(app.deps).routes.filter(
      // What a page shows is no part of the API.
      ({ method, path }) =>
        /^\/f\/:launchCode\/(?!(logo|cover|backgroundImage|fontFile)$).|^\/chat\/:sourceId\/(visitors|conversations|attachments|uploads|ask$)/.test(
          path,
        ) && method !== 'OPTIONS',
    )
    const routes = [...apiRoutes(app), ...collection].map(({ method, path }) => `${method} ${documentedPath(path)}`)
    expect(
      operationsOf(document)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual(routes.sort())
  })

  test('is OpenAPI 3.1, says where the service is, and takes both key headers', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers).toEqual([{ url: app.url, 'x-internal': false }])
    expect(document.security).toEqual([{ bearer: [] }, { apiKey: [] }])
    expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer', 'apiKey', 'visitor'])
  })

  test('is the same without a service', async () => {
    expect(JSON.parse(JSON.stringify(openApiDocument(app.deps.config)))).toEqual(document)
  })

  test('describes every tag, operation and parameter', () => {
    for (const { name, description } of document.tags)
      expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)])
    for (const operation of operationsOf(document)) {
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
      expect(operation.tags).toBeArrayOfSize(1)
      for (const parameter of operation.parameters) {
        expect(resolved<Parameter>(document, parameter).description).toMatch(/\.$/)
      }
    }
  })

  test('says of every operation which scope it needs, and that a key without it gets a 403', () => {
    const undescribed = keyedOperationsOf(document).filter((operation) => {
      const scope = operation['x-scope']
      // Which events a key may read depends on its scopes.
      if (operation.operationId === 'listEvents') return !('403' in operation.responses)
      if (scope === 'none') return '403' in operation.responses || !operation.description.includes('Needs no scope.')
      return (
        !(scopes as readonly string[]).includes(scope) ||
        !operation.description.includes(`Needs scope \`${scope}\`.`) ||
        !JSON.stringify(resolved(document, operation.responses[403] ?? {})).includes(scope)
      )
    })
    expect(undescribed).toEqual([])
  })

  test('names the errors that every operation, every id, every body and every POST can meet', () => {
    for (const { method, path, responses, requestBody, parameters, security } of operationsOf(document)) {
      const expected = security ? ['400', '429', '500'] : ['400', '401', '429', '500']
      if (path.includes('{') && !makesItsRecord({ path })) expected.push('404')
      if (requestBody) expected.push('413')
      if (method === 'POST') expected.push('409')
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(expected))
      const named = parameters.map((parameter) => resolved<Parameter>(document, parameter).name)
      expect(named.includes('Idempotency-Key')).toBe(method === 'POST')
    }
  })

  test('says how large a body may be, with a key and without', () => {
    const limits = operationsOf(document).flatMap(({ operationId, path, responses, requestBody }) => {
      const tooLarge = responses[413] && resolved(document, responses[413]).content?.['application/json']?.example
      if (!requestBody) return []
      const limit = (tooLarge as { message: string } | undefined)?.message
      return [[operationId, limit === `body: must be at most ${path.startsWith('/v1/') ? '1 MiB' : '256 KiB'}`]]
    })
    expect(limits.filter(([, isRight]) => !isRight)).toEqual([
      ['uploadFile', false],
      ['uploadChatFile', false],
    ])
  })

  test('says of what is refused for now that it can be sent again, and when', () => {
    for (const { operationId, method, responses } of operationsOf(document)) {
      const waiting = method === 'GET' ? ['429'] : ['429', '503']
      const named = waiting.map((status) => {
        const answer = responses[status] && resolved(document, responses[status])
        return answer && 'Retry-After' in (answer.headers ?? {})
      })
      expect([operationId, named]).toEqual([operationId, waiting.map(() => true)])
    }
  })

  test('describes every field of every schema', () => {
    const undescribed = schemasOf(document).flatMap(([place, schema]) =>
      Object.entries((schema.properties ?? {}) as Record<string, Schema>)
        .filter(([, field]) => !isDescribed(field))
        .map(([name]) => `${place}.${name}`),
    )
    expect(undescribed).toEqual([])
  })

  test('gives an example of every body and of every answer that has one', () => {
    for (const { path, requestBody, responses } of operationsOf(document)) {
      const media = [requestBody, ...Object.values(responses).map((answer) => resolved(document, answer))].flatMap(
        (holder) => Object.values(holder && 'content' in holder ? (holder.content ?? {}) : {}),
      )
      for (const { example, examples } of media) expect([path, example ?? examples]).toEqual([path, expect.anything()])
    }
  })

  test('holds no keyword of ours or of OpenAPI 3.0, and none that generators stumble over', () => {
    const unknown = ['documented', 'rule', 'namedExamples', 'const', '$id', '$schema', 'nullable', 'example']
    const found = schemasOf(document).filter(
      ([, schema]) =>
        unknown.some((keyword) => keyword in schema) ||
        ('pattern' in schema && 'enum' in schema) ||
        (schema.enum as unknown[] | undefined)?.includes(null) ||
        Object.values((schema.properties ?? {}) as Record<string, Schema>).some((field) => 'default' in field),
    )
    expect(found.map(([place]) => place)).toEqual([])
  })

  test('says of every answer which headers it has', () => {
    const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
    for (const { operationId, responses, security } of operationsOf(document)) {
      for (const [status, answer] of Object.entries(responses)) {
        const expected = ['X-Request-Id', ...(security || status === '401' ? [] : limits)]
        const named = Object.keys(resolved(document, answer).headers ?? {})
        const missing = expected.filter((header) => !named.includes(header))
        const strange = security ? limits.filter((header) => named.includes(header)) : []
        expect([operationId, status, missing, strange]).toEqual([operationId, status, [], []])
      }
    }
  })

  test('names its operations as the methods of a client', () => {
    expect(operationsOf(document).map(({ operationId }) => operationId)).toEqual([
      'getMe',
      'listWorkspaces',
      'listForms',
      'createForm',
      'getForm',
      'updateForm',
      'deleteForm',
      'closeForm',
      'publishForm',
      'listResponses',
      'getResponse',
      'deleteResponse',
      'listAllResponses',
      'downloadUpload',
      'listContacts',
      'createContact',
      'upsertContacts',
      'getContact',
      'updateContact',
      'deleteContact',
      'upsertContact',
      'subscribeContact',
      'unsubscribeContact',
      'listOrganisations',
      'createOrganisation',
      'getOrganisation',
      'updateOrganisation',
      'deleteOrganisation',
      'listGroups',
      'createGroup',
      'getGroup',
      'updateGroup',
      'deleteGroup',
      'listContactFields',
      'listInboxes',
      'listTickets',
      'createTicket',
      'getTicket',
      'listTicketMessages',
      'replyToTicket',
      'addNoteToTicket',
      'setTicketStatus',
      'setTicketTags',
      'setTicketAssignee',
      'setTicketPriority',
      'listTags',
      'listTeams',
      'listUsers',
      'downloadAttachment',
      'listLivechatSources',
      'listArticles',
      'getArticle',
      'upsertArticle',
      'deleteArticle',
      'askQuestion',
      'listWebhooks',
      'createWebhook',
      'getWebhook',
      'updateWebhook',
      'deleteWebhook',
      'testWebhook',
      'replayEvents',
      'listDeliveries',
      'redeliverBatch',
      'listEvents',
      'getFormDefinition',
      'beginResponse',
      'continueResponse',
      'payResponse',
      'mailResponseLink',
      'uploadFile',
      'createVisitor',
      'listConversations',
      'startConversation',
      'listChatMessages',
      'writeChatMessage',
      'uploadChatFile',
      'downloadChatAttachment',
    ])
  })

  test('knows every word of `error`, and the contact that an email belongs to', () => {
    const { Problem, Conflict } = document.components.schemas as Record<string, { properties: Record<string, Schema> }>
    expect(Problem?.properties.error?.enum).toEqual([...new Set(errorWords().map(({ word }) => word))])
    expect(Problem?.properties.error?.enum).toEqual(
      expect.arrayContaining([
        'invalid_request',
        'insufficient_scope',
        'not_found',
        'conflict',
        'unprocessable',
        'unprocessable_entity',
        'delivery_failed',
        'internal_error',
      ]),
    )
    expect(Conflict?.properties.error?.enum).toEqual(['conflict'])
    expect(Conflict?.properties.contactId).toMatchObject({ type: 'string', format: 'uuid' })
    for (const { responses } of operationsOf(document)) {
      const conflict = responses[409] && resolved(document, responses[409]).content?.['application/json']?.schema
      if (conflict) expect(conflict).toEqual({ $ref: '#/components/schemas/Conflict' })
    }
  })

  test('has a question to create of each type, with the fields of that type alone', () => {
    const { QuestionCreate, ...schemas } = document.components.schemas
    const { oneOf, discriminator } = QuestionCreate as {
      oneOf: { $ref: string }[]
      discriminator: { propertyName: string; mapping: Record<string, string> }
    }
    expect(discriminator.propertyName).toBe('type')
    expect(Object.keys(discriminator.mapping)).toEqual([...questionTypeNames])
    expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator.mapping))
    const fieldsOf = (name: string) => schemas[name] as { required: string[]; properties: Record<string, Schema> }
    expect(Object.keys(fieldsOf('QuestionCreateNps').properties)).toEqual([
      'type',
      'text',
      'required',
      'friendlyId',
      'showIf',
    ])
    expect(fieldsOf('QuestionCreateNps').required).toEqual(['type'])
    expect(fieldsOf('QuestionCreateMatrix').required).toEqual(['type', 'rowHeadings', 'columnHeadings'])
    expect(fieldsOf('QuestionCreateChooseOne').required).toEqual(['type', 'options'])
  })

  test('has formats and patterns where there are any', () => {
    const fieldOf = (schema: string, field: string) =>
      (document.components.schemas[schema] as { properties: Record<string, Schema> }).properties[field]
    expect(fieldOf('Contact', 'email')?.pattern).toBeString()
    expect(fieldOf('CreateContact', 'email')?.pattern).toBeString()
    expect(fieldOf('Webhook', 'url')?.format).toBe('uri')
    expect(fieldOf('CreateWebhook', 'url')?.pattern).toBeString()
    // These refuse what is not ASCII.
    expect(JSON.stringify(document)).not.toContain('"format":"email"')
    const upload = document.paths['/v1/uploads/{uploadId}']?.get?.responses[200] as Answer
    expect(Object.keys(upload.content ?? {})).toEqual(['*/*'])
    const sent = document.paths['/f/{launchCode}/uploads']?.post?.requestBody
    expect(Object.keys(sent?.content ?? {})).toEqual(['multipart/form-data'])
  })
})

function isDescribed(schema: Schema): boolean {
  return ['description', 'examples', 'enum', '$ref', 'anyOf', 'oneOf'].some((keyword) => keyword in schema)
}

/** Every schema of the document, however deep, with where it stands. */
function schemasOf(document: OpenApiDocument): [place: string, schema: Schema][] {
  const named = Object.entries(document.components.schemas)
  const inline = operationsOf(document).flatMap(({ operationId, parameters, responses }) => [
    ...parameters.map((parameter) => [operationId, resolved<Parameter>(document, parameter).schema] as const),
    ...Object.entries(responses).flatMap(([status, answer]) =>
      Object.values(resolved(document, answer).content ?? {}).map(
        ({ schema }) => [`${operationId} ${status}`, schema] as const,
      ),
    ),
  ])
  return [...named, ...inline].flatMap(([place, schema]) => within(place, schema))
}

function within(place: string, schema: Schema): [string, Schema][] {
  const inner = [
    ...Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(
      ([name, field]) => [`${place}.${name}`, field] as const,
    ),
    ...(schema.items ? [[`${place}[]`, schema.items as Schema] as const] : []),
    ...((schema.anyOf ?? schema.oneOf ?? []) as Schema[]).map(
      (member, index) => [`${place}|${index}`, member] as const,
    ),
  ]
  return [[place, schema], ...inner.flatMap(([at, field]) => within(at, field))]
}
