import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { listConnections } from '../../../src/channels/email/mailboxes/operations.ts'
import { mailboxes } from '../../../src/db/schema.ts'
import { AppError } from '../../../src/errors.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { hasDovecot, type ImapServer, startImapServer } from '../../support/mail/imap-server.ts'
import { createConnected, keepingLetterbox, mailOf, watching } from '../../support/mail/mailboxes.ts'
import { type MailServer, startMailServer } from '../../support/mail/server.ts'
import { until } from '../../support/patience.ts'

let app: TestApp
let smtp: MailServer
let imap: ImapServer
let acme: TestTenant
let kept: ReturnType<typeof keepingLetterbox>
let watch: ReturnType<typeof watching>

const signIn = {
  authOptional: true,
  allowInsecureAuth: true,
  onAuth: (_: unknown, __: unknown, done: (error: null, answer: { user: string }) => void) => done(null, { user: 'x' }),
}

beforeAll(async () => {
  app = await startApp()
  smtp = await startMailServer(signIn)
})
beforeEach(async () => {
  if (!hasDovecot) return
  imap = await startImapServer()
  acme = await app.createTenant()
  kept = keepingLetterbox()
  watch = watching(app, kept.letterbox)
})
afterEach(async () => {
  if (!hasDovecot) return
  await watch.stop()
  await app.database.transaction((tx) => tx.delete(mailboxes))
  await imap.close()
})
afterAll(async () => {
  await smtp.close()
  await app.close()
})

const connect = (more = {}) => createConnected(app, acme, { imap, smtp }, more)
const taken = (...subjects: string[]) => until(() => Bun.deepEquals(kept.subjects, subjects), watch.look)
const seen = (...mails: [string, boolean][]) => until(async () => Bun.deepEquals(await imap.mails(), mails))

async function connection() {
  const [only] = [...(await listConnections(app.database.db, acme.tenantId)).values()]
  return only
}
const connected = () => until(async () => (await connection())?.state === 'connected', watch.look)

describe.skipIf(!hasDovecot)('mail', () => {
  test('is taken as it comes, and marked as seen', async () => {
    await connect()
    await connected()
    imap.deliver(mailOf('One'))
    await taken('One')
    imap.deliver(mailOf('Two'))
    await taken('One', 'Two')
    await seen(['One', true], ['Two', true])
  })

  test('that lay there before is left alone', async () => {
    imap.deliver(mailOf('Old'))
    await connect()
    imap.deliver(mailOf('New'))
    await taken('New')
    await seen(['Old', false], ['New', true])
  })

  test('that lay there before is taken when all of it is asked for', async () => {
    imap.deliver(mailOf('Old'))
    imap.deliver(mailOf('Newer'))
    await connect({ old: 'all' })
    await taken('Old', 'Newer')
  })

  test('that lay there before is taken from a day on', async () => {
    imap.deliver(mailOf('Of February'), { at: new Date('2026-02-10T09:00:00Z') })
    imap.deliver(mailOf('Of that day, early'), { at: new Date('2026-02-20T07:59:59Z') })
    imap.deliver(mailOf('Of that day, late'), { at: new Date('2026-02-20T08:00:00Z') })
    await connect({ old: '2026-02-20T08:00:00.000Z' })
    await taken('Of that day, late')
    // From then on whatever comes is new, moved here from another folder too.
    imap.deliver(mailOf('Moved here'), { at: new Date('2026-02-10T10:00:00Z') })
    await taken('Of that day, late', 'Moved here')
  })

  test('is not marked as seen while it cannot be stored, and taken later', async () => {
    await connect()
    await connected()
    kept.failWith(() => new AppError('unavailable', 'the disk is full'))
    imap.deliver(mailOf('One'))
    await until(() => app.logged.some((line) => line.includes('the disk is full')), watch.look)
    expect(await imap.mails()).toEqual([['One', false]])
    expect((await connection())?.state).toBe('connected')
    kept.failWith(null)
    expect(kept.subjects).toEqual([])
    app.clock.advance(10_000)
    await taken('One')
    await seen(['One', true])
  })

  test('that never can be taken keeps none of the others from coming', async () => {
    await connect()
    await connected()
    kept.failWith((subject) => (subject === 'Poison' ? new Error('a bug') : null))
    imap.deliver(mailOf('Poison'))
    imap.deliver(mailOf('Behind it'))
    await until(
      () => kept.subjects.includes('Behind it'),
      () => {
        app.clock.advance(10_000)
        return watch.look()
      },
    )
    expect(kept.refused).toEqual([
      {
        header: expect.stringContaining('UID 1'),
        reason: 'could not be fetched from the mailbox, where it still is (UID 1)',
      },
    ])
    await seen(['Poison', false], ['Behind it', true])
  })

  test('over 25 MiB is left where it is', async () => {
    await connect()
    await connected()
    imap.deliver(mailOf('Huge', { text: `${'x'.repeat(998)}\r\n`.repeat(26 * 1024 + 220) }))
    imap.deliver(mailOf('Small'))
    await taken('Small')
    expect(kept.refused).toEqual([
      {
        header: expect.stringContaining('Subject: Huge'),
        reason: 'is larger than 25 MiB, and still in the mailbox (UID 1)',
      },
    ])
    await seen(['Huge', false], ['Small', true])
  })

  test('is looked for where the server does not tell of it', async () => {
    await imap.close()
    imap = await startImapServer({ capability: 'IMAP4rev1 LITERAL+ UIDPLUS' })
    await watch.stop()
    watch = watching(app, kept.letterbox, { pollMs: 50 })
    await connect()
    await connected()
    imap.deliver(mailOf('One'))
    await taken('One')
  })
})

describe.skipIf(!hasDovecot)('a mailbox', () => {
  test('whose server was gone is read on from where it stopped', async () => {
    const { inboxId } = await connect()
    await connected()
    await imap.stop()
    const isGone = async () => (await connection())?.error === 'the host takes no connections on this port'
    await until(isGone, () => {
      app.clock.advance(1_000)
      return watch.look()
    })
    expect(await connection()).toMatchObject({ state: 'failing' })
    expect((await app.request('GET', '/healthz')).body.warnings).toEqual([
      `the mailbox of inbox ${inboxId} cannot be reached: the host takes no connections on this port`,
    ])
    imap.deliver(mailOf('Meanwhile'))
    await imap.start()
    app.clock.advance(5 * 60_000)
    await taken('Meanwhile')
    expect(await connection()).toMatchObject({ state: 'connected', error: null })
    app.clock.advance(1_000)
    expect((await app.request('GET', '/healthz')).body.warnings).toEqual([])
  })

  test('whose server stays away is tried less and less often, every five minutes at least', async () => {
    const { inboxId } = await connect()
    await imap.stop()
    const waits: number[] = []
    for (let i = 0; i < 12; i++) {
      let wait: number | null = null
      // While an attempt is under way, it is asked again soon.
      await until(async () => {
        wait = await watch.look()
        return wait !== null && wait > 1_000
      })
      waits.push(wait ?? 0)
      app.clock.advance(wait ?? 0)
    }
    expect(waits.slice(0, 9)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300].map((seconds) => seconds * 1000))
    expect(new Set(waits.slice(8))).toEqual(new Set([300_000]))
    const said = app.logged.filter((line) => line.includes('a mailbox cannot be reached') && line.includes(inboxId))
    expect(said).toHaveLength(1)
  })

  test('that numbers its mails anew gives those alone that are new', async () => {
    imap.deliver(mailOf('Before it was connected'), { at: new Date('2026-03-01T08:59:00Z') })
    imap.deliver(mailOf('Long before', { date: 'Sun, 01 Feb 2026 09:00:00 +0000' }), {
      at: new Date('2026-02-01T09:00:00Z'),
    })
    await connect()
    await connected()
    imap.deliver(mailOf('One'), { at: new Date('2026-03-01T10:00:00Z') })
    await taken('One')
    await watch.stop()
    await imap.renumber()
    imap.deliver(mailOf('Two'), { at: new Date('2026-03-01T11:00:00Z') })
    watch = watching(app, kept.letterbox)
    // The one that was taken comes again: it is known by its Message-ID.
    await taken('One', 'One', 'Two')
    imap.deliver(mailOf('Three'), { at: new Date('2026-03-01T12:00:00Z') })
    await taken('One', 'One', 'Two', 'Three')
  })

  test('that is connected anew with another password loses nothing that came meanwhile', async () => {
    const { inboxId } = await connect()
    await connected()
    await watch.stop()
    imap.deliver(mailOf('Meanwhile'))
    await connect({ inboxId })
    watch = watching(app, kept.letterbox)
    await taken('Meanwhile')
  })

  test('is let go of when it is disconnected, and taken up when it is connected, without a restart', async () => {
    const { inboxId } = await connect()
    await connected()
    const own = eq(mailboxes.inboxId, inboxId)
    await app.database.transaction((tx) => tx.delete(mailboxes).where(own))
    await until(async () => (await watch.look()) === null)
    imap.deliver(mailOf('To nobody'))
    await connect({ inboxId })
    await connected()
    imap.deliver(mailOf('To somebody'))
    await taken('To somebody')
  })
})
