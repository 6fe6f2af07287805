import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { emptyFolder, executable, type Program, record, run } from '../support/processes/program.ts'

let program: Program
const cwd = emptyFolder()
const command = (...args: string[]) => record(program, args, { cwd })

beforeAll(async () => {
  program = await executable()
  await command('tenant', 'create', '--name', 'Acme')
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

test('report tickets prints what its command of section 24 says, of data that nobody serves', async () => {
  const inbox = await command('inbox', 'create', '--name', 'Help', '--channel', 'email', '--address', 'h@acme.test')
  const ticket = ['ticket', 'create', '--inbox', inbox.id, '--email', 'ada@acme.test', '--subject', 'S', '--text', 'T']
  await command(...ticket, '--tag', 'vip')
  const { ticketReference } = await command(...ticket)
  const { userId } = await command('user', 'create', '--email', 'robin@acme.test', '--role', 'agent')
  await command('ticket', 'reply', '--ticket', ticketReference, '--as', userId, '--text', 'Soon.')
  // Of now, so that what was made before midnight is of yesterday.
  const now = Date.now()
  const [yesterday, today] = [now - 86_400_000, now].map((at) => new Date(at).toISOString().slice(0, 10)) as [
    string,
    string,
  ]
  const report = await command('report', 'tickets', '--from', yesterday, '--to', today)
  const minutes = expect.any(Number)
  const figures = {
    opened: 2,
    closed: 0,
    firstAnswer: { count: 1, medianMinutes: minutes, p90Minutes: minutes, workingMedianMinutes: minutes },
    close: { count: 0, medianMinutes: null, p90Minutes: null, workingMedianMinutes: null },
    promises: { kept: 0, broken: 0 },
    satisfaction: { count: 0, average: null },
    byUser: [
      {
        user: { id: userId, name: 'robin@acme.test' },
        ...{ handled: 0, answers: 1, medianMinutes: null, satisfaction: null },
      },
    ],
    byTag: [{ tag: 'vip', opened: 1 }],
  }
  expect(report).toMatchObject({ period: { from: yesterday, to: today }, ...figures })
  expect(report.open.at(-1)?.count).toBe(2)
  expect(report.byHour.reduce((sum: number, { opened }: { opened: number }) => sum + opened, 0)).toBe(2)
  const { before, ...own } = report
  expect(Object.keys(before)).toEqual(Object.keys(own))
  const narrowed = await command('report', 'tickets', '--from', yesterday, '--to', today, '--tag', 'VIP')
  expect(narrowed.opened).toBe(1)
  const wrong = await run(program, ['report', 'tickets', '--from', today, '--to', today, '--inbox', 'x'], { cwd })
  expect(wrong).toMatchObject({ code: 1, stderr: 'frontdesk: inbox: there is no such inbox\n' })
})
