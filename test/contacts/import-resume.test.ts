import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { contactImports } from '../../src/db/schema.ts'
import { FolderFiles } from '../../src/files/folder.ts'
import type { FileName } from '../../src/files/names.ts'
import { startApp } from '../support/app.ts'
import { signedIn } from '../support/pages/console.ts'

/** More than is read in one go: some of it is taken in before the rest cannot be read. */
const LINES = 3_000

/** A store whose files end in the middle with an error while `failing` says so. */
class BreakingOff extends FolderFiles {
  constructor(
    dataDir: string,
    private readonly failing: () => boolean,
  ) {
    super(dataDir)
  }

  override async read(name: FileName): Promise<Blob | null> {
    const content = await super.read(name)
    // A store may give a stream, as those over the network do.
    return this.failing() && content ? (brokenOff(content) as unknown as Blob) : content
  }
}

async function begun(failing: () => boolean, lines = LINES) {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  const app = await startApp({ dataDir, replace: { files: new BreakingOff(dataDir, failing) } })
  const acme = await app.createTenant()
  const agent = await signedIn(app, acme, 'agent')
  const body = new FormData()
  body.append('csrf', await agent.csrf())
  const text = Array.from({ length: lines }, (_, index) => `line${index}@resume.test,${'x'.repeat(50)}`)
  body.append('file', new File([['email,name', ...text].join('\n')], 'lines.csv'))
  const path = (await agent.request('POST', '/console/contacts/imports', body)).headers.get('location') as string
  await agent.post(path, { hasHeadings: 'on', 'columns[0]': 'email', 'columns[1]': 'name' })
  const state = async () => {
    const [row] = await app.database.db.select().from(contactImports).where(eq(contactImports.tenantId, acme.tenantId))
    return row as typeof contactImports.$inferSelect
  }
  return { app, acme, state }
}

/** The first half of a file, and then nothing but an error. */
function brokenOff(content: Blob): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(new Uint8Array(await content.slice(0, content.size / 2).arrayBuffer()))
    },
    pull(controller) {
      controller.error(new Error('the disk is gone'))
    },
  })
}

test('what could not be read is tried again later, and goes on behind the lines that are done', async () => {
  let isBroken = false
  const { app, acme, state } = await begun(() => isBroken)
  isBroken = true
  await app.runDue()
  const half = await state()
  expect([half.state, half.failures]).toEqual(['running', 1])
  expect(half.doneLines).toBeWithin(1000, LINES)
  expect(await acme.events()).toHaveLength(half.created)
  isBroken = false
  await app.runDue()
  expect(await state()).toEqual(half)
  app.clock.advance(5_000)
  await app.runDue()
  expect(await state()).toMatchObject({ state: 'done', doneLines: LINES + 1, created: LINES, unchanged: 0, refused: 0 })
  expect(await acme.events()).toHaveLength(LINES)
  await app.close()
})

test('what can never be read fails in the end; what was taken in stays', async () => {
  let isBroken = false
  const { app, acme, state } = await begun(() => isBroken)
  isBroken = true
  await app.runDue()
  const { created } = await state()
  for (let waits = 0; waits < 6; waits++) {
    app.clock.advance(3_600_000)
    await app.runDue()
  }
  expect(await state()).toMatchObject({ state: 'failed', created, dueAt: null })
  expect(await acme.events()).toHaveLength(created)
  await app.close()
})

test('what another process has taken over is written no further by the first', async () => {
  const { app, acme, state } = await begun(() => false, 200)
  const { tenantId } = acme
  let taken = 0
  const transaction = app.database.transaction.bind(app.database)
  app.database.transaction = (async (work: Parameters<typeof transaction>[0]) => {
    const isStep = (await state()).attempts === 1 && taken++ === 3
    if (isStep) {
      const another = { attempts: 2 }
      await transaction((tx) => tx.update(contactImports).set(another).where(eq(contactImports.tenantId, tenantId)))
    }
    return transaction(work)
  }) as typeof transaction
  await app.runDue()
  const stopped = await state()
  expect([stopped.state, stopped.failures]).toEqual(['running', 0])
  expect(await acme.events()).toHaveLength(stopped.created)
  expect(stopped.created).toBeLessThan(200)
  app.clock.advance(60_000)
  await app.runDue()
  expect(await state()).toMatchObject({ state: 'done', created: 200, unchanged: 0 })
  expect(await acme.events()).toHaveLength(200)
  await app.close()
})
