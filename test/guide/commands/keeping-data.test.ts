import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { newDesk } from '../../support/desk.ts'
import { executable, record } from '../../support/program.ts'
import { openShell } from '../../support/shell.ts'
import { codeOf } from '../../support/text-blocks.ts'

const program = await executable()
const [retention] = codeOf('src/guide/keeping-data.md', 'sh')

describe('the chapter on keeping and deleting data', () => {
  let cwd: string
  let shell: Awaited<ReturnType<typeof openShell>>

  beforeAll(async () => {
    ;({ cwd } = await newDesk(program))
    shell = await openShell(program, { cwd })
  })
  afterAll(() => shell.close())

  test('sets for how long what is kept, and takes it back', async () => {
    const printed: string[] = []
    await shell.run(retention, { after: (_, text) => printed.push(text) })
    expect(printed[0]).toMatch(/^partial_responses +90$/m)
    expect(printed[1]).toMatch(/^days +730\ncount +0$/m)
    expect(await record(program, ['retention', 'show'], { cwd })).toContainEqual({ rule: 'closed_tickets', days: null })
  })
})
