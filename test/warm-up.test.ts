import { expect, test } from 'bun:test'
import { createApp } from '../src/app.ts'
import { auditEntries, events } from '../src/db/schema.ts'
import { warmUp } from '../src/warm-up.ts'
import { startApp } from './support/app.ts'

test('what the first request would wait for is done before: one route is compiled, and nothing is written', async () => {
  const service = await startApp()
  try {
    const app = createApp(service.deps)
    const before = app.routes.map(({ composed }) => composed)
    await warmUp(app, service.deps)
    const compiled = app.routes.filter(({ composed }, index) => composed !== before[index])
    expect(compiled.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/contacts/'])
    expect(await service.deps.database.db.select().from(events)).toEqual([])
    expect(await service.deps.database.db.select().from(auditEntries).orderBy(auditEntries.number)).toEqual([])
  } finally {
    await service.close()
  }
})
