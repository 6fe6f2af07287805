import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { executable, record, run } from '../../support/processes/program.ts'
import { openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'
import { newDesk } from '../../support/tickets/desk.ts'

const program = await executable()
const [hours, calendars, invoices, promises] = codeOf('src/guide/working-hours.md', 'json', 'sh', 'json', 'sh')

describe('the chapter on working hours and promises', () => {
  let cwd: string
  let inboxId: string
  let shell: Awaited<ReturnType<typeof openShell>>

  beforeAll(async () => {
    ;({ cwd, inboxId } = await newDesk(program))
    shell = await openShell(program, { cwd, places: { INBOX: inboxId } })
    writeFileSync(join(cwd, 'hours.json'), hours.text)
    writeFileSync(join(cwd, 'invoices.json'), invoices.text)
  })
  afterAll(() => shell.close())

  test('sets calendars, which are shown as they were written', async () => {
    const printed: string[] = []
    await shell.run(calendars, { after: (_, text) => printed.push(text) })
    const given = JSON.parse(hours.text)
    expect(JSON.parse(printed[1] ?? '')).toEqual({
      ...given,
      hours: { ...given.hours, wed: [], thu: [], fri: [], sun: [] },
    })
    expect(await record(program, ['calendar', 'show'], { cwd })).toMatchObject({ zone: 'Europe/Copenhagen' })
    const refused = await run(program, ['calendar', 'set'], {
      cwd,
      stdin: '{"zone":"UTC","hours":{"mon":[["9","10:00"]]}}',
    })
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'frontdesk: hours.mon[0][0]: "9" must be a time such as 09:00\n',
    ])
  })

  test('makes promises, lists, replaces and deletes them', async () => {
    const made = await record(program, ['promise', 'create', 'invoices.json'], { cwd })
    expect(made).toEqual({ id: made.id, ...JSON.parse(invoices.text) })
    await record(program, ['promise', 'delete', '--promise', made.id], { cwd })
    const printed: string[] = []
    await shell.run(promises, {
      after(_, text) {
        if (printed.length === 0) shell.places.set('PROMISE', JSON.parse(text).id)
        printed.push(text)
      },
    })
    expect(printed[1]).toContain('Invoices')
    expect(await record(program, ['promise', 'list'], { cwd })).toEqual([])
    const refused = await run(program, ['promise', 'create', '-'], {
      cwd,
      stdin: '{"name":"x","targets":{"urgent":{"close":"soon"}}}',
    })
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'frontdesk: targets.urgent.close: must be a span such as 30m, 4h or 2d, of a year at most\n',
    ])
  })
})
