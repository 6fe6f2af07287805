import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Media, OpenApiDocument } from '../../../src/http/docs/types.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { conformance, type DocumentedOperation, documentOf, operationsOf } from '../../support/conformance.ts'
import { furnish } from '../../support/furnished.ts'
import { pathWith } from '../../support/routes.ts'

let app: TestApp
let document: OpenApiDocument

beforeAll(async () => {
  app = await startApp()
  document = await documentOf(app)
})
afterAll(() => app.close())

/** What "Try it out" would send: each example, or no body. */
function bodiesOf({ requestBody }: DocumentedOperation): unknown[] {
  const media = requestBody?.content['application/json'] as Media | undefined
  if (!media) return [undefined]
  return media.examples ? Object.values(media.examples).map(({ value }) => value) : [media.example]
}

test('"Try it out" works: every operation takes its example and answers as documented', async () => {
  const faultsOf = conformance(document)
  for (const operation of operationsOf(document)) {
    for (const body of bodiesOf(operation)) {
      const { tenant, ids } = await furnish(await app.createTenant())
      const path = pathWith(operation.path.replace(/\{(\w+)\}/g, ':$1'), ids)
      const answer = await app.request(operation.method, path, { key: tenant.key, body })
      expect(faultsOf(operation, answer)).toEqual([])
      if (answer.status >= 300) throw new Error(`${operation.operationId}: ${answer.status} ${answer.text}`)
    }
  }
}, 30_000)
