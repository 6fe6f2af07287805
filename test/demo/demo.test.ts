import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { commandCaller } from '../../src/caller.ts'
import { messages, notifications, tenants } from '../../src/db/schema.ts'
import { type Demo, prepareDemo } from '../../src/demo/index.ts'
import { formRecordOf } from '../../src/forms/operations.ts'
import { questionsOf } from '../../src/forms/pages.ts'
import { closeForm } from '../../src/forms/publishing.ts'
import { completeAnswer, numberLookup, questionTypeNames } from '../../src/forms/question-types/index.ts'
import { getSettings } from '../../src/forms/settings/operations.ts'
import { textSheets } from '../../src/forms/texts/read.ts'
import { createInbox } from '../../src/inboxes/operations.ts'
import { settled } from '../support/api/event-log.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { refusalOf } from '../support/refusal.ts'

let app: TestApp
let demo: Demo

beforeAll(async () => {
  app = await startApp()
  demo = await prepare(app)
})
afterAll(() => app.close())

const prepare = ({ database, deps, clock }: TestApp) =>
  prepareDemo(database, { ...deps.config, files: deps.files, secrets: deps.secrets }, clock.now())

/** Every item of a list, over all of its pages. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
async function all(path: string, of = app, key = demo.key): Promise<any[]> {
  const items = []
  for (let cursor = ''; ; ) {
    const page = await of.request('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100${cursor}`, { key })
    if (page.status !== 200) throw new Error(`${path}: ${page.text}`)
    items.push(...page.body.items)
    if (!page.body.nextCursor) return items
    cursor = `&cursor=${page.body.nextCursor}`
  }
}

const read = async (path: string, of = app, key = demo.key) => (await of.request('GET', path, { key })).body
const readEach = (path: string, items: { id: string }[], of = app, key = demo.key) =>
  Promise.all(items.map(({ id }) => read(`${path}/${id}`, of, key)))

/** Forms as read, each with all of its responses. */
async function formsWithResponses(of = app, key = demo.key) {
  const forms = await readEach('/v1/forms', await all('/v1/forms', of, key), of, key)
  return Promise.all(
    forms.map(async (form) => ({ form, responses: await all(`/v1/forms/${form.id}/responses?status=all`, of, key) })),
  )
}

/** How many of `items` there are of each kind. */
const count = <T>(items: readonly T[], kind: (item: T) => unknown) => {
  const counts: Record<string, number> = {}
  for (const item of items) counts[String(kind(item))] = (counts[String(kind(item))] ?? 0) + 1
  return counts
}

const authorType = ({ author }: { author: { type: string } }) => author.type

describe('the demo tenant', () => {
  test.each([
    ['/v1/contacts', 300],
    ['/v1/contacts?unsubscribed=true', 15],
    ['/v1/organisations', 40],
    ['/v1/groups', 6],
    ['/v1/workspaces', 2],
    ['/v1/forms', 9],
    ['/v1/inboxes', 3],
    ['/v1/tickets', 60],
    ['/v1/livechat/sources', 1],
  ])('%s has at least %d items', async (path, least) => {
    expect((await all(path)).length).toBeGreaterThanOrEqual(least)
  })

  test('has contacts with organisations, groups, custom values and every way of arriving', async () => {
    const contacts = await all('/v1/contacts')
    const sources = count(contacts, ({ source }) => source)
    expect(Object.keys(sources).sort()).toEqual(['api', 'email', 'form', 'import', 'livechat', 'manual'])
    const having = (what: string) => contacts.filter((contact) => contact[what]?.length).length
    for (const what of ['organisationId', 'groups', 'customValues', 'phone']) {
      expect(having(what)).toBeGreaterThan(100)
    }
    const groups = await all('/v1/groups')
    expect(groups.filter(({ consentWording }) => consentWording).length).toBeGreaterThan(3)
    for (const { contactCount } of [...groups, ...(await all('/v1/organisations'))]) {
      expect(contactCount).toBeGreaterThan(0)
    }
  })

  test('has threads with a picture, a document and a table, as they were sent', async () => {
    const tickets = await readEach('/v1/tickets', await all('/v1/tickets'))
    const attached = tickets.flatMap(({ messages }) => messages).flatMap(({ attachments }) => attachments)
    const types = new Set(attached.map(({ contentType }) => contentType))
    expect([...types].sort()).toEqual(['application/pdf', 'image/jpeg', 'image/png', 'text/csv'])
    for (const { id, fileName, contentType, size } of attached) {
      const { status, headers, text } = await app.request('GET', `/v1/attachments/${id}`, { key: demo.key })
      expect([status, headers.get('content-type'), headers.get('content-length')]).toEqual([
        200,
        contentType,
        `${size}`,
      ])
      if (fileName === 'bookings.csv') expect(text.trim().split('\r\n')).toHaveLength(45)
    }
  })

  test('has articles that search finds', async () => {
    const [source] = await all('/v1/livechat/sources')
    const articles = await all(`/v1/livechat/sources/${source.id}/articles`)
    expect(articles.length).toBe(24)
    const found = await all(`/v1/livechat/sources/${source.id}/articles?query=deposit`)
    expect(found[0].title).toBe('Deposits and payments')
  })

  test('has forms of every question type: published and not, active and closed, and one in the trash', async () => {
    const forms = await readEach('/v1/forms', await all('/v1/forms'))
    const types = forms.flatMap(({ pages }) => questionsOf(pages).map(({ type }) => type))
    expect([...new Set(types)].sort()).toEqual([...questionTypeNames].sort())
    const kinds = count(forms, ({ status, publishedAt }) => `${status}, ${publishedAt ? 'published' : 'unpublished'}`)
    expect(Object.keys(kinds).sort()).toEqual([
      'active, published',
      'active, unpublished',
      'inactive, published',
      'inactive, unpublished',
    ])
    expect(forms.map(({ title }) => title)).not.toContain('Pricing survey (old)')
  })

  test('told of partial responses when they were left alone, months ago, and not as it is made', async () => {
    await settled(app, demo)
    const { items } = await read('/v1/events?types=response.partial&limit=100')
    expect(items.length).toBeGreaterThan(20)
    for (const { timestamp, payload } of items) {
      const since = Date.parse(timestamp) - Date.parse(payload.response.startedAt)
      expect(Math.floor(since / 1000)).toBe(5 * 60)
    }
  })

  test('has a few thousand responses: every complete one keeps the rules of its form', async () => {
    const answered = await formsWithResponses()
    const responses = answered.flatMap((form) => form.responses)
    expect(responses.length).toBeGreaterThan(2_000)
    expect(Object.keys(count(responses, ({ status }) => status)).sort()).toEqual(['complete', 'partial'])
    expect(responses.filter(({ contactId }) => contactId).length).toBeGreaterThan(500)
    for (const { form, responses } of answered) {
      const questions = questionsOf(form.pages)
      for (const { id, status, answers } of responses) {
        if (status === 'partial') continue
        const values = new Map<number, unknown>(
          answers.map(({ questionId, value }: { questionId: number; value: unknown }) => [questionId, value]),
        )
        const number = numberLookup(questions, values)
        for (const question of questions) {
          const stored = values.get(question.id) ?? null
          const again = completeAnswer(question, stored, `${form.title}, ${id}`, { upload: () => null, number })
          expect(again).toEqual(stored)
        }
      }
    }
  })

  test('has answers of every question type, and files that can be downloaded', async () => {
    const answered = await formsWithResponses()
    const answers = answered.flatMap(({ responses }) => responses.flatMap((response) => response.answers))
    expect([...new Set(answers.map(({ type }) => type))].sort()).toEqual([...questionTypeNames].sort())
    const files = answers.filter(({ type }) => type === 'file_upload' || type === 'signature')
    expect(files.length).toBeGreaterThan(10)
    for (const { contentType, size, url } of files.flatMap(({ value }) => value)) {
      const file = await fetch(app.url + url, { headers: { authorization: `Bearer ${demo.key}` } })
      expect([file.status, file.headers.get('content-type')]).toEqual([200, contentType])
      expect((await file.arrayBuffer()).byteLength).toBe(size)
    }
  })

  test('is liked more than not', async () => {
    const [satisfaction] = (await formsWithResponses()).filter(({ form }) => form.title === 'How are we doing?')
    const scores: number[] = satisfaction?.responses.flatMap(({ answers }) =>
      answers.flatMap(({ type, value }: { type: string; value: number }) => (type === 'nps' ? [value] : [])),
    ) as number[]
    const share = (test: (score: number) => boolean) => scores.filter(test).length / scores.length
    const nps = 100 * (share((score) => score >= 9) - share((score) => score <= 6))
    expect(nps).toBeGreaterThan(5)
    expect(nps).toBeLessThan(50)
  })

  test('has tickets in every status and priority, on both channels, with threads of both sides', async () => {
    const tickets = await all('/v1/tickets')
    expect(Object.keys(count(tickets, ({ status }) => status)).sort()).toEqual(['closed', 'open', 'pending', 'spam'])
    expect(Object.keys(count(tickets, ({ priority }) => priority)).sort()).toEqual(['high', 'low', 'normal', 'urgent'])
    expect(Object.keys(count(tickets, ({ channel }) => channel)).sort()).toEqual(['email', 'livechat'])
    const now = new Date(app.clock.now()).toISOString()
    expect(tickets.filter(({ snoozedUntil }) => snoozedUntil > now).length).toBeGreaterThan(0)
    const threads = await readEach('/v1/tickets', tickets)
    for (const { messages, messageCount } of threads) expect(messages).toHaveLength(messageCount)
    const authors = threads.map(({ messages }) => Object.keys(count(messages, authorType)).sort())
    expect(authors.filter((types) => types.join() === 'agent,contact').length).toBeGreaterThan(20)
    const notes = await app.database.db.select().from(messages).where(eq(messages.state, 'note'))
    expect(notes.length).toBeGreaterThan(5)
    expect(notes.every(({ authorName }) => authorName)).toBe(true)
  })

  test('has a desk at work: tags and teams, a question to its admin, an answer that came back and a chat under way', async () => {
    const tickets = await all('/v1/tickets')
    expect(new Set(tickets.flatMap(({ tags }) => tags)).size).toBeGreaterThan(8)
    expect([...new Set(tickets.map(({ team }) => team?.name))].sort()).toEqual(['Billing', 'Support', undefined])
    const robins = tickets.filter(({ assignee, status }) => assignee?.name === 'Robin Adeyemi' && status === 'open')
    expect(robins.map(({ channel }) => channel).sort()).toEqual(['email', 'livechat'])
    const rows = await app.database.db.select().from(messages)
    expect(rows.filter(({ error }) => error !== null).map(({ state }) => state)).toEqual(['public'])
    expect(rows.filter(({ text }) => text?.startsWith('@Robin Adeyemi ')).map(({ state }) => state)).toEqual(['note'])
    const chat = await read(`/v1/tickets/${robins.find(({ channel }) => channel === 'livechat').id}`)
    expect(chat.messages.map(authorType)).toEqual(['contact', 'agent', 'contact'])
    expect(Date.parse(chat.updatedAt)).toBeGreaterThan(app.clock.now() - 5 * 60_000)
  })

  test('begins with the ticket and the numbers that the README shows', async () => {
    const readme = await Bun.file(join(import.meta.dir, '../../README.md')).text()
    const [newest] = (await read('/v1/tickets?status=open&limit=1')).items
    const { ticketReference, sequentialNumber, channel, subject } = newest
    expect(readme).toContain(`"ticketReference":"${ticketReference}","sequentialNumber":${sequentialNumber}`)
    expect([channel, readme.includes(`"subject":"${subject}"`)]).toEqual(['livechat', true])
    // A mail comes in next and is answered, then a chat.
    const [mailed, chatted] = [1, 2].map((more) => `T-${sequentialNumber + more}`)
    for (const text of [`"ticketReference":"${mailed}"`, `--ticket ${mailed} `, `answers \`${chatted}\``])
      expect(readme).toContain(text)
    // The form that is made there has the page and the question that come next.
    const ids = (await formsWithResponses()).flatMap(({ form }) => questionsOf(form.pages).map(({ id }) => id))
    expect(readme).toContain(`"questionId":${Math.max(...ids) + 1}`)
  })

  test('has a paused subscription that took what happened in the last day', async () => {
    const [webhook] = await all('/v1/webhooks')
    expect(webhook.active).toBe(false)
    const deliveries = await all(`/v1/webhooks/${webhook.id}/deliveries`)
    expect(deliveries.length).toBeGreaterThan(0)
    for (const { status, attempts } of deliveries) expect([status, attempts.length]).toEqual(['delivered', 1])
  })

  test('has its history behind it, and the newest of it is fresh', async () => {
    const lists = [
      await all('/v1/contacts'),
      await all('/v1/tickets'),
      ...(await formsWithResponses()).map((f) => f.responses),
    ]
    const now = app.clock.now()
    const times = lists.flat().flatMap((item) => [item.createdAt ?? item.startedAt, item.updatedAt].map(Date.parse))
    expect(Math.max(...times)).toBeLessThanOrEqual(now)
    expect(Math.max(...times)).toBeGreaterThan(now - 24 * 3_600_000)
    expect(Math.min(...times)).toBeGreaterThan(now - 91 * 24 * 3_600_000)
    for (const list of lists) {
      const begun = list.map((item) => item.createdAt ?? item.startedAt)
      expect(begun).toEqual(begun.toSorted().reverse())
    }
  })

  test('has a feedback form in three languages with a look, a logo and a hidden field of its own', async () => {
    const forms = await all('/v1/forms')
    const settings = await Promise.all(forms.map(({ id }) => getSettings(app.database.db, demo.tenantId, id)))
    const owned = settings.filter(({ accent }) => accent !== null)
    expect(owned.map(({ language }) => language).toSorted()).toEqual(['ar', 'de', null])
    for (const { logo, thanks, hidden } of owned)
      expect([logo !== null, thanks !== null, hidden]).toEqual([true, true, ['campaign']])
    const german = forms[settings.findIndex(({ language }) => language === 'de')]
    const campaigns = (await all(`/v1/forms/${german.id}/responses`)).map(({ hiddenFields }) => hiddenFields.campaign)
    expect(new Set(campaigns)).toEqual(new Set([undefined, 'newsletter', 'invoice', 'front_desk']))
  })

  test('has a form whose questions and ends follow from an answer, whole in three languages, and answered in each', async () => {
    const help = (await all('/v1/forms')).find(({ title }) => title === 'How was our help?')
    const responses = await all(`/v1/forms/${help.id}/responses`)
    expect(Object.keys(count(responses, ({ language }) => language)).sort()).toEqual(['da', 'de', 'en'])
    const form = await formRecordOf(app.database.db, demo.tenantId, help.id)
    const sheets = await textSheets(app.database.db, demo.tenantId, form)
    expect(sheets.map(({ language, missing, outdated }) => [language, missing, outdated])).toEqual([
      ['da', 0, 0],
      ['de', 0, 0],
    ])
    const page = async (language: string) => (await app.request('GET', `/f/${form.launchCode}?lang=${language}`)).text
    expect(await page('de')).toContain('Ist Ihr Problem gelöst?')
    expect(await page('da')).toContain('Er dit problem løst?')
    // What is still open was said by those alone whose problem is not solved.
    const [solved = { id: 0 }, open = { id: 0 }] = questionsOf((await read(`/v1/forms/${help.id}`)).pages)
    const given = (response: { answers: { questionId: number; value: unknown }[] }, { id }: { id: number }) =>
      response.answers.find(({ questionId }) => questionId === id)?.value ?? null
    const said = responses.filter((response) => given(response, open) !== null)
    expect(said.length).toBeGreaterThan(50)
    for (const response of said) expect(given(response, solved)).toBe(false)
  })

  test('has one response of the last hour to tell its owner of', async () => {
    expect(await app.database.db.select({ address: notifications.address }).from(notifications)).toEqual([
      { address: 'robin.adeyemi@harbourandpine.example' },
    ])
  })

  test('has sent no mail', () => {
    expect(existsSync(join(app.dataDir, 'outbox'))).toBe(false)
  })
})

test('two demos made at the same time have the same in them', async () => {
  const other = await startApp()
  try {
    const again = await prepare(other)
    expect(await contents(other, again.key)).toEqual(await contents(app, demo.key))
  } finally {
    await other.close()
  }
})

/** Everything the API shows, without what is made of chance: ids, launch codes and addresses with an id in them. */
async function contents(of: TestApp, key: string): Promise<string[]> {
  const [source] = await all('/v1/livechat/sources', of, key)
  const articles = `/v1/livechat/sources/${source.id}/articles`
  const parts = [
    await all('/v1/contacts', of, key),
    await all('/v1/organisations', of, key),
    await all('/v1/groups', of, key),
    await all('/v1/workspaces', of, key),
    await all('/v1/inboxes', of, key),
    await readEach('/v1/tickets', await all('/v1/tickets', of, key), of, key),
    await Promise.all((await all(articles, of, key)).map(({ slug }) => read(`${articles}/${slug}`, of, key))),
    await formsWithResponses(of, key),
  ]
  return parts.flat().map((part) =>
    JSON.stringify(part)
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
      .replace(/r_[0-9a-f]{32}/g, 'response')
      .replace(/"launchCode":"\w+"/g, 'launch code'),
  )
}

describe('a second run', () => {
  test('keeps what there is, and the key', async () => {
    const [first] = await all('/v1/contacts')
    await app.request('DELETE', `/v1/contacts/${first.id}`, { key: demo.key })
    const before = await all('/v1/contacts')
    expect(await prepare(app)).toEqual({ ...demo, isNew: false })
    expect(await all('/v1/contacts')).toEqual(before)
    expect(await app.database.db.select().from(tenants)).toHaveLength(1)
  })

  test('keeps the key where its owner alone can read it', () => {
    expect(statSync(join(app.dataDir, 'demo.json')).mode & 0o777).toBe(0o600)
  })

  test('makes another key when the file is gone, and the former one stops working; the password is gone', async () => {
    rmSync(join(app.dataDir, 'demo.json'))
    const next = await prepare(app)
    const admin = { ...demo.admin, password: null }
    expect(next).toEqual({ ...demo, admin, guest: null, key: expect.stringMatching(/^sk_/), isNew: false })
    expect((await app.request('GET', '/v1/me', { key: next.key })).status).toBe(200)
    expect((await app.request('GET', '/v1/me', { key: demo.key })).status).toBe(401)
    expect(await prepare(app)).toEqual(next)
    demo = next
  })

  test('names no form when all have been closed', async () => {
    const caller = commandCaller(demo.tenantId, app.clock.now())
    const forms = await all('/v1/forms')
    await app.database.transaction(async (tx) => {
      for (const { id } of forms) await closeForm(tx, caller, id)
    })
    expect(await prepare(app)).toEqual({ ...demo, launchCode: null, isNew: false })
  })
})

test('where it cannot be made whole, nothing of it is made', async () => {
  const other = await startApp()
  try {
    const tenant = await other.createTenant()
    const taken = { name: 'Help', channel: 'email', emailAddress: 'billing@harbourandpine.example' }
    await tenant.perform((tx, caller) => createInbox(tx, caller, taken))
    expect(await refusalOf(prepare(other))).toContain('an inbox with this address already exists')
    expect(await other.database.db.select().from(tenants)).toHaveLength(1)
    expect(existsSync(join(other.dataDir, 'demo.json'))).toBe(false)
  } finally {
    await other.close()
  }
})
