import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { auditEntries } from '../../src/db/schema.ts'
import type { ChatSettingsChanges } from '../../src/livechat/settings.ts'
import { findChatSource, lookOf } from '../../src/livechat/source.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { renewSecret, updateSource } from '../support/chat/settings.ts'
import { refusalOf } from '../support/refusal.ts'
import { createChatInbox, createEmailInbox } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let sourceId: string

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  sourceId = (await createTestSource(acme)).id
})
afterAll(() => app.close())

const actions = async () =>
  (await app.database.db.select().from(auditEntries).orderBy(auditEntries.number))
    .filter(({ recordId }) => recordId === sourceId)
    .map(({ action, fields }) => [action, fields])

const nothing = {
  origins: null,
  hours: null,
  emailInboxId: null,
  awayText: null,
  hidesWhenAway: false,
  accent: null,
  language: null,
}

describe('settings of a chat', () => {
  test('are those that were named, until they are cleared', async () => {
    expect(await updateSource(acme, sourceId, {})).toEqual(nothing)
    const inbox = await createEmailInbox(acme)
    const changes = {
      origins: ['https://www.Acme.test', ' http://localhost:8080 ', 'https://www.acme.test/'],
      hours: 'mon-fri 09:00-17:00 UTC',
      emailInboxId: inbox.id.toUpperCase(),
      awayText: ' Back on Monday. ',
      hidesWhenAway: true,
      accent: '#0A7D4F',
      language: 'de-at',
    }
    const set = {
      origins: ['https://www.acme.test', 'http://localhost:8080'],
      hours: 'Mon-Fri 09:00-17:00 UTC',
      emailInboxId: inbox.id,
      awayText: 'Back on Monday.',
      hidesWhenAway: true,
      accent: '#0a7d4f',
      language: 'de-AT',
    }
    expect(await updateSource(acme, sourceId, changes)).toEqual(set)
    expect(await updateSource(acme, sourceId, { hours: null })).toEqual({ ...set, hours: null })
    const cleared = Object.fromEntries(Object.keys(nothing).map((name) => [name, null]))
    expect(await updateSource(acme, sourceId, cleared)).toEqual(nothing)
  })

  test.each<[ChatSettingsChanges, string]>([
    [
      { origins: ['acme.test'] },
      'origins[0]: "acme.test" must be a site such as https://www.acme.test, without a path',
    ],
    [{ origins: ['https://a.test', 'https://a.test/b'] }, 'origins[1]: "https://a.test/b" must be a site such as'],
    [{ origins: ['ftp://a.test'] }, 'origins[0]: "ftp://a.test" must be a site such as'],
    [{ origins: ['https://u:p@a.test'] }, 'origins[0]: "https://u:p@a.test" must be a site such as'],
    [{ origins: ['https://*.a.test'] }, 'origins[0]: "https://*.a.test" must be a site such as'],
    [{ origins: ['https://a.test;script-src'] }, 'must be a site such as'],
    [{ origins: ["https://a.test; script-src 'unsafe-inline'"] }, 'must be a site such as'],
    [{ origins: Array(21).fill('https://a.test') }, 'origins: at most 20 items are allowed'],
    [{ hours: 'always' }, 'hours: must be like Mon-Fri 09:00-17:00 Europe/Berlin'],
    [{ accent: 'red' }, 'accent: must be a colour such as #0a7d4f'],
    [{ language: 'x y' }, 'language: must be a language tag such as de or pt-BR'],
    [{ awayText: 'x'.repeat(1001) }, 'awayText: must be at most 1000 characters'],
    [{ emailInboxId: 'x' }, 'emailInboxId: there is no such inbox'],
  ])('that break a rule are refused (%#)', async (changes, message) => {
    expect(await refusalOf(updateSource(acme, sourceId, changes))).toContain(message)
  })

  test('name no inbox of another channel or tenant, and are no other tenant’s', async () => {
    const chat = await createChatInbox(acme)
    expect(await refusalOf(updateSource(acme, sourceId, { emailInboxId: chat.id }))).toContain('must be an email inbox')
    const other = await app.createTenant()
    const theirs = await createEmailInbox(other)
    expect(await refusalOf(updateSource(acme, sourceId, { emailInboxId: theirs.id }))).toContain(
      'there is no such inbox',
    )
    expect(await refusalOf(updateSource(other, sourceId, { language: 'de' }))).toContain('source not found')
  })

  test('are in the audit log by their names, and only where something changed', async () => {
    await updateSource(acme, sourceId, { language: 'de', accent: '#000000' })
    await updateSource(acme, sourceId, { language: 'de' })
    await renewSecret(app, acme, sourceId)
    expect(await actions()).toEqual([
      ['source.created', null],
      ['source.settings_changed', 'accent,language'],
      ['source.secret_renewed', null],
    ])
  })

  test('are not in the answers of /v1, and the secret is nowhere in the clear', async () => {
    const secret = await renewSecret(app, acme, sourceId)
    expect(secret).toMatch(/^cs_[\w-]{43}$/)
    const { items } = (await acme.get('/v1/livechat/sources')).body
    expect(Object.keys(items[0])).toEqual(['id', 'name', 'inboxId', 'createdAt'])
    const rows = JSON.stringify(await app.database.db.select().from(auditEntries).orderBy(auditEntries.number))
    expect(rows).not.toContain(secret)
  })
})

test('whether somebody is there follows the clock, and a change holds at once', async () => {
  const look = async (at: string) => lookOf(await findChatSource(app.database.db, sourceId), Date.parse(at))
  const [monday, sunday] = ['2026-03-02T12:00:00Z', '2026-03-01T12:00:00Z']
  expect(await look(sunday)).toEqual({
    name: 'Help centre',
    isOpen: true,
    awayText: null,
    hidesWhenAway: false,
    language: 'en',
    accent: null,
  })
  await updateSource(acme, sourceId, { hours: 'Mon-Fri 09:00-17:00 UTC', language: 'ja' })
  expect(await look(monday)).toMatchObject({ isOpen: true, language: 'ja' })
  expect(await look(sunday)).toMatchObject({ isOpen: false })
  expect(await refusalOf(findChatSource(app.database.db, Bun.randomUUIDv7()))).toContain('source not found')
})
