import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pastOf } from '../../src/db/versions.ts'
import { deedsOf } from '../../src/upgrade/deeds.ts'
import { type Description, describe as describeProgram } from '../../src/upgrade/description.ts'
import { forecast } from '../../src/upgrade/forecast.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { serverUrl } from '../support/data/postgres.ts'
import { emptyFolder, ownExecutable, record, run } from '../support/processes/program.ts'

describe('what an executable would do with a database', () => {
  let app: TestApp
  let own: Description
  let past: Awaited<ReturnType<typeof pastOf>>
  let engine: 'sqlite' | 'postgres'

  beforeAll(async () => {
    app = await startApp()
    await app.createTenant()
    own = await describeProgram({}, undefined)
    past = await pastOf(app.deps.config)
    engine = app.deps.config.databaseUrl ? 'postgres' : 'sqlite'
  })
  afterAll(async () => {
    await past.close()
    await app.close()
  })

  const withSteps = (steps: Description['steps']['sqlite']): Description => ({
    ...own,
    version: '9.9.9',
    steps: { ...own.steps, [engine]: steps },
  })

  test('its own version starts on it as it is', async () => {
    expect(past.hashes.length).toBeGreaterThan(50)
    expect(await forecast(own, engine, past)).toMatchObject({ outcome: 'nothing', why: null, steps: [] })
  })

  test('a later one says what it changes, and how many rows that goes over', async () => {
    const deeds = deedsOf(['CREATE TABLE `ideas` (`id` text)', 'CREATE INDEX `t_n` ON `tenants` (`name`)'])
    const later = withSteps([...own.steps[engine], { hash: 'later', deeds }])
    expect(await forecast(later, engine, past)).toEqual({
      version: '9.9.9',
      outcome: 'migrates',
      why: null,
      steps: [
        { does: 'adds the table ideas', rows: null },
        { does: 'indexes tenants', rows: 1 },
      ],
    })
  })

  test('an earlier one, one of another line and one that says nothing are refused', async () => {
    const earlier = await forecast(withSteps(own.steps[engine].slice(0, -2)), engine, past)
    expect(earlier).toMatchObject({
      outcome: 'refused',
      why: 'the database is newer: 2 of its migrations are unknown to it',
    })
    const other = own.steps[engine].map((step, index) => (index === 3 ? { ...step, hash: 'other' } : step))
    expect(await forecast(withSteps(other), engine, past)).toMatchObject({ outcome: 'refused', steps: [] })
    expect(await forecast(null, engine, past)).toMatchObject({ outcome: 'refused', version: null })
  })

  test('what a start would refuse of the configuration is said', async () => {
    const environment = { FRONTDESK_PROT: '80' }
    const described = await describeProgram(environment, undefined)
    const found = await forecast(described, engine, past)
    expect([found.outcome, found.why]).toEqual([
      'refused',
      'FRONTDESK_PROT: there is no such variable; did you mean FRONTDESK_PORT?',
    ])
  })
})

test('a table that is rebuilt is one thing that happens, whatever it takes', () => {
  const statements = [
    'PRAGMA foreign_keys=OFF;',
    'CREATE TABLE `__new_tickets` (`id` text)',
    'INSERT INTO `__new_tickets`("id") SELECT "id" FROM `tickets`',
    'DROP TABLE `tickets`',
    'ALTER TABLE `__new_tickets` RENAME TO `tickets`',
    'ALTER TABLE "contacts" ADD COLUMN "locale" text',
    'UPDATE contacts SET locale = NULL',
    'CREATE TRIGGER `t` AFTER INSERT ON `tickets` BEGIN SELECT 1; END',
  ]
  expect(deedsOf(statements)).toEqual([
    { does: 'rebuilds tickets', table: 'tickets', isByRows: true },
    { does: 'changes the columns of contacts', table: 'contacts', isByRows: false },
    { does: 'writes into contacts', table: 'contacts', isByRows: true },
  ])
})

describe('frontdesk upgrade --check', () => {
  test('asks the other executable, and changes nothing', async () => {
    const program = await ownExecutable()
    const [self = ''] = program.command
    const cwd = emptyFolder()
    const none = await run(program, ['upgrade', '--check', self], { cwd })
    // On PostgreSQL the tests' databases are migrated when they are made.
    const expected = serverUrl ? 'would start on the database' : 'would make the database'
    expect([none.code, none.stdout]).toEqual([0, expect.stringContaining(expected)])
    expect(existsSync(join(cwd, 'data'))).toBe(false)
    await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
    expect(await record(program, ['upgrade', '--check', self], { cwd })).toMatchObject({
      outcome: 'nothing',
      steps: [],
    })
    const environment = { FRONTDESK_SMTP_URL: 'http://wrong' }
    const wrong = await run(program, ['upgrade', '--check', self], { cwd, environment })
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('FRONTDESK_SMTP_URL: must be a URL')])
  })

  test('refuses what is no frontdesk, or cannot be run', async () => {
    const program = await ownExecutable()
    const cwd = emptyFolder()
    const script = join(cwd, 'other')
    const look = () => run(program, ['upgrade', '--check', script], { cwd })
    expect(await look()).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be run (ENOENT)') })
    writeFileSync(script, '#!/bin/sh\necho hello\n', { mode: 0o600 })
    expect(await look()).toMatchObject({ code: 1, stderr: expect.stringContaining('(EACCES): chmod +x') })
    chmodSync(script, 0o700)
    expect(await look()).toMatchObject({ code: 1, stderr: expect.stringContaining('or no frontdesk') })
  })
})
