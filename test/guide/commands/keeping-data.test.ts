import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LEFT_OUT } from '../../../src/leaving/exported.ts'
import { tenantTables } from '../../../src/leaving/tables.ts'
import { testOfSqlite } from '../../support/data/postgres.ts'
import { executable, record, run } from '../../support/processes/program.ts'
import { openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'
import { newDesk } from '../../support/tickets/desk.ts'

const program = await executable()
const CHAPTER = 'src/guide/keeping-data.md'
const [retention, leaving, moving] = codeOf(CHAPTER, 'sh', 'sh', 'sh')

describe('the chapter on keeping and deleting data', () => {
  let cwd: string
  let shell: Awaited<ReturnType<typeof openShell>>

  beforeAll(async () => {
    ;({ cwd } = await newDesk(program))
    const [tenant] = await record(program, ['tenant', 'list'], { cwd })
    shell = await openShell(program, { cwd, places: { TENANT: tenant.tenantId } })
  })
  afterAll(() => shell.close())

  test('sets for how long what is kept, and takes it back', async () => {
    const printed: string[] = []
    await shell.run(retention, { after: (_, text) => printed.push(text) })
    expect(printed[0]).toMatch(/^partial_responses +90$/m)
    expect(printed[1]).toMatch(/^days +730\ncount +0$/m)
    expect(await record(program, ['retention', 'show'], { cwd })).toContainEqual({ rule: 'closed_tickets', days: null })
  })

  testOfSqlite('moves a tenant to another installation', async () => {
    const [tenant] = await record(program, ['tenant', 'list'], { cwd })
    const printed: string[] = []
    await shell.run(moving, { after: (_, text) => printed.push(text) })
    expect(printed.join('')).toMatch(/^Left to do:\n- API keys/m)
    expect(await record(program, ['tenant', 'list'], { cwd })).toEqual([])
    const moved = ['tenant', 'list', '--data', 'NEW']
    expect(await record(program, moved, { cwd })).toEqual([tenant])
    // And back again.
    const back = await run(program, ['tenant', 'import', 'acme.tar'], { cwd })
    expect([back.code, back.stderr]).toEqual([0, ''])
    rmSync(join(cwd, 'acme.tar'))
  })

  test('takes a tenant along, and deletes it only where that is said', async () => {
    const [tenant] = await record(program, ['tenant', 'list'], { cwd })
    const { tenantId } = tenant
    const refused = await run(program, ['tenant', 'delete', '--tenant', tenantId], { cwd })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--yes: is needed')])
    await shell.run(leaving)
    expect(existsSync(join(cwd, 'manifest.json'))).toBe(true)
    expect(await record(program, ['tenant', 'list'], { cwd })).toEqual([])
    const gone = await run(program, ['tenant', 'delete', '--tenant', tenantId, '--yes'], { cwd })
    expect([gone.code, gone.stderr]).toEqual([1, 'frontdesk: tenant not found\n'])
  })

  test('names every kind of record that an export holds, and none that it does not', () => {
    const text = readFileSync(join(import.meta.dir, '../../..', CHAPTER), 'utf8')
    const table = text.slice(text.indexOf('| People and companies |'), text.indexOf('Fields are named as in the API'))
    const named = [...table.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    const exported = tenantTables().flatMap(({ name }) => (name in LEFT_OUT ? [] : [name]))
    expect(named.toSorted()).toEqual(exported.toSorted())
  })
})
