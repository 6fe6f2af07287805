import { beforeAll, expect, test } from 'bun:test'
import { emptyFolder, executable, type Program, record, run } from '../support/processes/program.ts'

let program: Program
beforeAll(async () => {
  program = await executable()
})

test('the command line shows and sets for how long what is kept', async () => {
  const cwd = emptyFolder()
  const command = (...args: string[]) => record(program, args, { cwd })
  await command('tenant', 'create', '--name', 'Acme')
  expect(await command('retention', 'show')).toEqual([
    { rule: 'partial_responses', days: 90 },
    { rule: 'responses', days: null },
    { rule: 'closed_tickets', days: null },
    { rule: 'contacts', days: null },
    { rule: 'audit', days: null },
    { rule: 'deliveries', days: 30 },
    { rule: 'raw_mails', days: 30 },
  ])
  expect(await command('retention', 'set', '--rule', 'contacts', '--days', '365')).toEqual({
    rule: 'contacts',
    days: 365,
    count: 0,
  })
  expect(await command('retention', 'set', '--rule', 'raw_mails', '--days', 'off')).toEqual({
    rule: 'raw_mails',
    days: null,
    count: 0,
  })
  const shown = await command('retention', 'show')
  expect(shown).toContainEqual({ rule: 'contacts', days: 365 })
  expect(shown).toContainEqual({ rule: 'raw_mails', days: null })
  for (const [rule, days, problem] of [
    ['everything', '30', 'rule: must be one of partial_responses, responses'],
    ['contacts', '0', 'days: must be between 1 and 36500'],
    ['contacts', 'never', 'days: must be between 1 and 36500'],
  ] as const) {
    const refused = await run(program, ['retention', 'set', '--rule', rule, '--days', days], { cwd })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(problem)])
  }
  expect(await command('retention', 'show')).toEqual(shown)
})
