import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calendarOfInbox } from '../../../src/calendars/read.ts'
import { readWeek } from '../../../src/calendars/week-text.ts'
import { automaticAnswersOf } from '../../../src/tickets/automatic/settings.ts'
import { startApp } from '../../support/app.ts'
import { createTestSource } from '../../support/chat/articles.ts'
import { updateSource } from '../../support/chat/settings.ts'
import { asBefore } from '../../support/data/earlier-version.ts'
import { createEmailInbox } from '../../support/tickets/tickets.ts'

const CHAT = 'Mon-Thu 09:00-12:00,13:00-17:00; Fri 09:00-12:00 America/Argentina/Buenos_Aires'
const MAIL = 'Mon,Wed 08:00-24:00 UTC'

test('hours of chats and inboxes from before there were calendars hold as they did', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  try {
    const before = await startApp({ dataDir })
    const acme = await before.createTenant()
    const open = await createTestSource(acme)
    await updateSource(acme, open.id, { language: 'de', awayText: 'Later.' })
    const source = await createTestSource(acme)
    await updateSource(acme, source.id, { language: 'de', awayText: 'Later.' })
    const inbox = await createEmailInbox(acme)
    const { tenantId } = acme.caller()
    await before.close()
    const key = readFileSync(join(dataDir, 'secret.key'))
    asBefore('hours_become_calendars', dataDir, (sqlite) => {
      sqlite.run('UPDATE chat_settings SET hours = ? WHERE source_id = ?', [CHAT, source.id])
      sqlite.run("INSERT INTO inbox_answers VALUES (?, ?, 0, '', 1, 'Away', ?)", [tenantId, inbox.id, MAIL])
    })

    writeFileSync(join(dataDir, 'secret.key'), key)
    const after = await startApp({ dataDir })
    const { db } = after.database
    const isAway = async (id: string) => (await after.request('GET', `/chat/${id}`)).text.includes('Later.')
    // A Friday, a minute before noon in Buenos Aires, and then.
    after.clock.advance(Date.parse('2026-11-27T14:59:00Z') - after.clock.now())
    expect([await isAway(source.id), await isAway(open.id)]).toEqual([false, false])
    after.clock.advance(60_000)
    expect([await isAway(source.id), await isAway(open.id)]).toEqual([true, false])
    expect(await automaticAnswersOf(db, tenantId, inbox.id)).toMatchObject({ answersOutOfHours: true, hours: MAIL })
    expect(await calendarOfInbox(db, tenantId, inbox.id)).toEqual({
      zone: 'UTC',
      hours: readWeek('Mon,Wed 08:00-24:00'),
      daysOff: [],
    })
    await after.close()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
