import { afterAll, beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import { gt, lte, or } from 'drizzle-orm'
import { commandCaller } from '../../../src/caller.ts'
import type { Database } from '../../../src/db/index.ts'
import { reportMails } from '../../../src/db/schema.ts'
import { formatTime } from '../../../src/lib/time.ts'
import { createPromise } from '../../../src/promises/operations.ts'
import { parsePromise } from '../../../src/promises/parse.ts'
import { addReportMail } from '../../../src/reports/mails/subscriptions.ts'
import { openTicket } from '../../../src/tickets/incoming/opening.ts'
import { createUser } from '../../../src/users/accounts.ts'
import { openDataOf, testOfSqlite } from '../../support/data/postgres.ts'
import { type MailServer, startMailServer } from '../../support/mail/server.ts'
import { until } from '../../support/patience.ts'
import { executable, serve } from '../../support/processes/program.ts'
import { type Desk, newDesk } from '../../support/tickets/desk.ts'

/** `bun run chaos` asks for more. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 5)
const READERS = 12
const DAY = 86_400_000
/** Longer than the test takes. */
const LONG = 5 * 60_000

/* On SQLite alone: among several nodes what one of them had taken is another's once its lease is over, after a minute. */

let desk: Desk
let mailServer: MailServer
const readers = Array.from({ length: READERS }, (_, index) => `reader${index}@acme.test`)
/** Whose mail the server began to read: it may have it, whatever became of the sender. */
const begun = new Set<string>()
/** Told each time that it begins with another's. */
let onBegun = () => {}

beforeAll(async () => {
  desk = await newDesk(await executable())
  const wait = () => Bun.sleep(Math.random() * 20)
  mailServer = await startMailServer({
    onRcptTo: (_address, _session, done) => void wait().then(() => done()),
    onDataStart: ({ envelope }) => {
      for (const { address } of envelope.rcptTo) begun.add(address)
      onBegun()
    },
    beforeTaken: wait,
  })
})
afterAll(() => mailServer.close())

const start = () => serve(desk.program, { cwd: desk.cwd, environment: { FRONTDESK_SMTP_URL: mailServer.url } })
async function withData<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDataOf(join(desk.cwd, 'data'))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
const mailsTo = (reader: string) => mailServer.mails.filter(({ envelope }) => envelope.to.includes(reader)).length

/** Has half of the readers get the report of the week and half that of what is overdue, of which there is some. */
async function subscribe(): Promise<void> {
  const targets = { normal: { firstAnswer: '1m' } }
  await withData((database) =>
    database.transaction(async (tx) => {
      // Of last week, whatever day it is.
      const caller = commandCaller(desk.tenantId, Date.now() - 7 * DAY)
      await createPromise(tx, caller, parsePromise({ name: 'Usual', targets }))
      await openTicket(tx, caller, {
        inboxId: desk.inboxId,
        email: 'ada@customer.test',
        subject: 'Hello',
        text: 'Hello?',
      })
      for (const [index, email] of readers.entries()) {
        const user = await createUser(tx, caller, { email, role: 'agent', billable: false, passwordHash: 'none' })
        await addReportMail(tx, caller, { user: user.userId, kind: index % 2 === 0 ? 'week' : 'overdue' })
      }
    }),
  )
}

/** Morning comes: all reports are due. Or only those that were taken: the lease of who had them is over. */
const makeDue = (which: 'all' | 'taken') =>
  withData(({ transaction }) =>
    transaction((tx) =>
      tx
        .update(reportMails)
        .set({ dueAt: formatTime(Date.now() - 1000) })
        .where(which === 'all' ? undefined : gt(reportMails.attempts, 0)),
    ),
  )

/** Whether reports are due by themselves soon, at seven, or another week begins, at midnight. */
function isTurning(): boolean {
  const [now, soon] = [0, LONG].map((ms) => new Date(Date.now() + ms).getUTCHours())
  return now !== soon && (soon === 7 || soon === 0)
}

/** Those that wait for no other morning. */
const left = () =>
  withData(({ db }) =>
    db
      .select({ id: reportMails.id })
      .from(reportMails)
      .where(or(gt(reportMails.attempts, 0), lte(reportMails.dueAt, formatTime(Date.now())))),
  )

testOfSqlite(
  `reports that are mailed in the morning come once, though the service is killed ${KILLS} times while it sends them`,
  async () => {
    await until(() => !isTurning())
    await subscribe()
    for (let kills = 0; kills < KILLS; kills++) {
      begun.clear()
      mailServer.mails.length = 0
      await makeDue('all')
      const dying = await start()
      const enough = Math.floor((kills * READERS) / KILLS)
      // At that moment: whoever looks now and then may find that all have theirs.
      onBegun = () => {
        if (begun.size > enough) dying.kill('SIGKILL')
      }
      onBegun()
      await dying.exited
      onBegun = () => {}
      const mayHaveLeft = new Set(begun)
      await makeDue('taken')
      const service = await start()
      await until(async () => (await left()).length === 0)
      await service.stop()
      for (const reader of readers) {
        if (mayHaveLeft.has(reader)) expect([reader, mailsTo(reader) <= 1]).toEqual([reader, true])
        else expect([reader, mailsTo(reader)]).toEqual([reader, 1])
      }
      // What was being sent when it died is two at most.
      const lost = readers.filter((reader) => mailsTo(reader) === 0)
      expect(lost.length).toBeLessThanOrEqual(2)
      expect(mayHaveLeft.size).toBeLessThan(READERS)
    }
    const subjects = new Set(mailServer.mails.map(({ subject }) => subject))
    expect([...subjects].sort()).toEqual(['One ticket is overdue', 'Support last week: one ticket'])
  },
)
