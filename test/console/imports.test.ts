import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { createCustomField } from '../../src/contacts/fields/custom-fields.ts'
import { auditEntries, contactImports, refusedLines } from '../../src/db/schema.ts'
import { createGroup } from '../../src/groups/operations.ts'
import { createTestContact, createTestGroup } from '../support/api/contacts.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { type ConsoleBrowser, signedIn } from '../support/pages/console.ts'

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
})
afterAll(() => app.close())

const LIST = '/console/contacts/imports'

/** Sends a file, and returns the path of its page. */
async function send(
  content: string | Uint8Array,
  browser: ConsoleBrowser = agent,
  name = 'people.csv',
): Promise<string> {
  const answer = await sent(content, browser, name)
  expect([answer.status, answer.text]).toEqual([303, ''])
  return answer.headers.get('location') as string
}

async function sent(content: string | Uint8Array, browser: ConsoleBrowser = agent, name = 'people.csv') {
  const body = new FormData()
  body.append('csrf', await browser.csrf())
  body.append('file', new File([content as BlobPart], name, { type: 'text/csv' }))
  return browser.request('POST', LIST, body)
}

/** What the page of a file chooses for its columns. */
async function choicesOf(path: string, browser: ConsoleBrowser = agent) {
  const { text } = await browser.get(path)
  return [...text.matchAll(/<select name="columns\[\d+\]".*?<\/select>/gs)].map(
    ([select]) => /<option value="([^"]*)" selected/.exec(select)?.[1] ?? '',
  )
}

/** Begins to take a file in, with what its page chooses unless `fields` say otherwise, and waits for the end. */
async function take(path: string, fields: Record<string, string | string[]> = {}, browser: ConsoleBrowser = agent) {
  const chosen = await choicesOf(path, browser)
  const columns = Object.fromEntries(chosen.map((value, index) => [`columns[${index}]`, value]))
  const answer = await browser.post(path, { ...columns, hasHeadings: 'on', existing: 'update', ...fields })
  expect([answer.status, answer.status === 303 ? '' : answer.text]).toEqual([303, ''])
  await app.runDue()
  return rowOf(path)
}

async function rowOf(path: string) {
  const id = path.split('/').at(-1) as string
  const [row] = await app.database.db.select().from(contactImports).where(eq(contactImports.id, id))
  const { state, doneLines, lines, created, updated, unchanged, refused } = row as typeof contactImports.$inferSelect
  return { state, doneLines, lines, created, updated, unchanged, refused }
}

async function refusedOf(path: string) {
  const id = path.split('/').at(-1) as string
  const rows = await app.database.db
    .select({ line: refusedLines.line, field: refusedLines.field, content: refusedLines.content })
    .from(refusedLines)
    .where(eq(refusedLines.importId, id))
    .orderBy(refusedLines.line)
  return rows.map(({ line, field, content }) => [line, field, content])
}

const contactOf = async (email: string) =>
  (await acme.get(`/v1/contacts?email=${encodeURIComponent(email)}`)).body.items[0]

describe('a file of contacts', () => {
  test('is shown with what its columns seem to be, and taken in by their operations', async () => {
    const field = await acme.perform((tx, caller) => createCustomField(tx, caller, { name: 'Seats' }))
    const group = await acme.perform((tx, caller) =>
      createGroup(tx, caller, { name: 'Fair 2026', consentWording: 'I met you <there>.' }),
    )
    await createTestGroup(acme, 'Press')
    const path = await send(
      [
        'E-Mail;Vorname;Nachname;Telefon;Firma;Gruppen;Seats;Shoe size;Abgemeldet',
        'uma@file.test;Uma;"Ünal; von";\'+49 30 1;Ünal GmbH;press;12,5;44;',
        'vic@file.test;Vic;;;Ünal GmbH;;3;;ja',
        '',
      ].join('\r\n'),
    )
    const page = await agent.get(path)
    for (const part of ['people.csv', '3 lines', 'Ünal; von', 'I met you &lt;there&gt;.', 'Shoe size'])
      expect(page.text).toContain(part)
    expect(await choicesOf(path)).toEqual([
      ...['email', 'name', 'lastName', 'phone', 'organisation', 'groups', `number:${field.id}`, '', 'unsubscribed'],
    ])
    expect(await contactOf('uma@file.test')).toBeUndefined()
    const before = (await acme.events()).length
    expect(await take(path, { groupIds: [String(group.id)], 'columns[7]': 'text:new' })).toEqual({
      ...{ state: 'done', doneLines: 3, lines: 3 },
      ...{ created: 2, updated: 0, unchanged: 0, refused: 0 },
    })
    const uma = await contactOf('uma@file.test')
    expect(uma).toMatchObject({ name: 'Uma', lastName: 'Ünal; von', phone: '+49 30 1', source: 'import' })
    expect(uma.groups.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Fair 2026', 'Press'])
    expect(uma.customValues).toMatchObject([
      { fieldName: 'Seats', numberValue: 12.5 },
      { fieldName: 'Shoe size', stringValue: '44' },
    ])
    const vic = await contactOf('vic@file.test')
    expect(vic).toMatchObject({ unsubscribed: true, organisationId: uma.organisationId })
    expect((await acme.get(`/v1/organisations/${vic.organisationId}`)).body.name).toBe('Ünal GmbH')
    expect((await acme.events()).slice(before).map(({ event }) => event)).toEqual([
      'contact.created_or_updated',
      'contact.created_or_updated',
      'contact.unsubscribed',
    ])
    const [noted] = await app.database.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.recordId, uma.id), eq(auditEntries.action, 'contact.created')))
      .orderBy(auditEntries.number)
    expect(noted).toMatchObject({ via: 'console', authorType: 'agent', authorId: agent.person.userId })
    const over = await agent.get(path)
    expect(over.text).toContain('>Imported<')
    expect(over.headers.get('refresh')).toBeNull()
    expect((await agent.get(`${path}/refused.csv`)).text).toBe('Line,Why,Content\r\n')
    expect((await agent.post(path, {})).status).toBe(409)
  })

  test('updates those whose email is known, or leaves them alone; empty cells change nothing', async () => {
    const group = await createTestGroup(acme, 'Kept')
    const known = { email: 'Known@old.test', name: 'Old', lastName: 'Name', phone: '1', groupIds: [group.id] }
    await createTestContact(acme, known)
    const text = 'email,first name,phone\nknown@old.test,New,\nfresh@old.test,Fresh,2\n'
    expect(await take(await send(text), { existing: 'skip' })).toMatchObject({ created: 1, unchanged: 1, updated: 0 })
    expect(await contactOf('known@old.test')).toMatchObject({ name: 'Old' })
    const before = (await acme.events()).length
    expect(await take(await send(text))).toMatchObject({ created: 0, unchanged: 1, updated: 1 })
    expect(await contactOf('known@old.test')).toMatchObject({
      ...{ email: 'Known@old.test', name: 'New', lastName: 'Name', phone: '1' },
    })
    expect((await contactOf('known@old.test')).groups).toHaveLength(1)
    expect(await acme.events()).toHaveLength(before + 1)
  })

  test('that is our own export says of each contact what we know: marks against formulas are taken away', async () => {
    const names = [
      '=HYPERLINK("http://x.test");=1',
      "'=1",
      'Ann;-Ben',
      "O'Neill; '@",
      '＝1',
      'one\n-two',
      '\u00a0+x',
      '-5',
    ]
    const people = names.map((name, index) => ({
      email: `own-${index}@file.test`,
      name,
      lastName: '"=1";"=2',
      phone: '+49 30 1',
    }))
    for (const person of people) await createTestContact(acme, person)
    const { text } = await agent.get('/console/contacts/export.csv?q=own-')
    expect(text).toContain(',"\'=HYPERLINK(""http://x.test"");\'=1",')
    const other = await app.createTenant()
    const browser = await signedIn(app, other)
    const result = await take(await send(text, browser), {}, browser)
    expect(result).toMatchObject({ created: people.length, updated: 0, refused: 0 })
    const { items } = (await other.get('/v1/contacts')).body
    const taken = items.map(({ email, name, lastName, phone }: (typeof people)[0]) => ({
      email,
      name,
      lastName,
      phone,
    }))
    expect(taken.toReversed()).toEqual(people.map((person) => ({ ...person, name: person.name.trim() })))
  })

  test('with broken lines costs those lines: they are listed with their number, reason and content', async () => {
    const path = await send(
      [
        'Email,First name,Groups',
        'one@broken.test,One,',
        'nobody,Two,',
        `long@broken.test,${'x'.repeat(256)},`,
        '"quote@broken.test,Three,',
        'four@broken.test,"Four" or so,',
        'five@broken.test,Five,No such group',
        'six@broken.test,Six,,too,many',
        '',
        'seven@broken.test,"Seven',
        'and a half",',
        'cmd@broken.test,=1+1,',
        'eight@broken.test,Eight',
      ].join('\n'),
    )
    expect(await take(path)).toEqual({
      ...{ state: 'done', doneLines: 13, lines: 13 },
      ...{ created: 4, updated: 0, unchanged: 0, refused: 6 },
    })
    expect((await contactOf('seven@broken.test')).name).toBe('Seven\nand a half')
    expect((await contactOf('eight@broken.test')).name).toBe('Eight')
    expect(await refusedOf(path)).toEqual([
      [3, 'email', 'nobody,Two,'],
      [4, 'name', `long@broken.test,${'x'.repeat(256)},`],
      [5, null, '"quote@broken.test,Three,'],
      [6, null, 'four@broken.test,"Four" or so,'],
      [7, 'groups', 'five@broken.test,Five,No such group'],
      [8, null, 'six@broken.test,Six,,too,many'],
    ])
    const { text } = await agent.get(path)
    for (const part of [
      'Email: Must be an email address',
      'First name: Must be at most 255',
      'A quotation mark is missing',
    ])
      expect(text).toContain(part)
    const file = await agent.get(`${path}/refused.csv`)
    expect(file.text).toContain('7,Groups: There is no such group.,"five@broken.test,Five,No such group"\r\n')
    expect(file.headers.get('content-disposition')).toContain('attachment')
  })

  test.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffemail,name\nutf8@enc.test,Zoë', 'utf8'), 'utf8@enc.test'],
    ['UTF-16 with a mark', Buffer.from('\ufeffemail\tname\nutf16@enc.test\tZoë', 'utf16le'), 'utf16@enc.test'],
    ['UTF-16 from the other end', Buffer.from('\ufeffemail;name\nbe@enc.test;Zoë', 'utf16le').swap16(), 'be@enc.test'],
    ['UTF-16 without a mark', Buffer.from('email;name\nbare@enc.test;Zoë', 'utf16le'), 'bare@enc.test'],
    ['Windows-1252', Buffer.from('email;name\r\nlatin@enc.test;Zoë', 'latin1'), 'latin@enc.test'],
    ['old line ends', Buffer.from('email;name\rmac@enc.test;Zoë\r'), 'mac@enc.test'],
  ])('is read as it is written: %s', async (_, content, email) => {
    expect(await take(await send(content))).toMatchObject({ state: 'done', created: 1, refused: 0, lines: 2 })
    expect((await contactOf(email)).name).toBe('Zoë')
  })

  test('is read as somebody chooses, and what that makes unreadable is refused', async () => {
    const path = await send(Buffer.from('email;name\r\nchosen@enc.test;Zoë', 'latin1'))
    expect((await agent.get(path)).text).toContain('Zoë')
    expect((await agent.get(`${path}?encoding=utf-8&delimiter=comma`)).text).toContain('chosen@enc.test;Zo\ufffd')
    expect((await agent.get(`${path}?encoding=x&delimiter=x`)).text).toContain('Zoë')
    expect(await take(path, { encoding: 'utf-8' })).toMatchObject({ created: 0, refused: 1 })
    expect((await agent.get(path)).text).toContain('It cannot be read in this encoding.')
  })

  test('is read from its headings on, though empty and broken lines stand above them', async () => {
    const path = await send('\n;\n"broken;x\nemail;name\nabove@head.test;Ann\n')
    expect(await choicesOf(path)).toEqual(['email', 'name'])
    expect(await take(path)).toMatchObject({ created: 1, refused: 1, doneLines: 5 })
    expect(await refusedOf(path)).toEqual([[3, null, '"broken;x']])
  })

  test('names organisations that are too long to be one', async () => {
    const path = await send(`email,company\nlong@company.test,${'x'.repeat(256)}\n`)
    expect(await take(path)).toMatchObject({ created: 0, refused: 1 })
    expect((await agent.get(path)).text).toContain('Organisation: Must be 1 to 255 characters.')
  })

  test('without headings is read from its first line', async () => {
    const path = await send('plain@none.test,Plain\nother@none.test,Other\n')
    expect(await choicesOf(path)).toEqual(['email', ''])
    expect((await agent.get(path)).text).not.toContain('name="hasHeadings" value="on" checked')
    const answer = await agent.post(path, { 'columns[0]': 'email', 'columns[1]': 'name', existing: 'skip' })
    expect(answer.status).toBe(303)
    await app.runDue()
    expect(await rowOf(path)).toMatchObject({ created: 2 })
  })

  test.each([
    [{ 'columns[0]': '' }, 'One column has to be the email.'],
    [{ 'columns[1]': 'email' }, 'Is already chosen for another column.'],
    [{ 'columns[1]': `text:${crypto.randomUUID()}` }, 'There is no such field.'],
    [{ groupIds: '987654' }, 'There is no such group.|There is no group 987654'],
  ])('is not taken in against a rule, and what was chosen stays: %j', async (fields, why) => {
    const path = await send('email,name\nnever@rule.test,Never\n')
    const sent = { 'columns[0]': 'email', 'columns[1]': 'name', hasHeadings: 'on', existing: 'skip', ...fields }
    const { status, text } = await agent.post(path, sent)
    expect(status).toBe(400)
    expect(text).toMatch(new RegExp(why))
    expect(text).toContain('value="skip" selected')
    await app.runDue()
    expect(await rowOf(path)).toMatchObject({ state: 'draft' })
    expect(await contactOf('never@rule.test')).toBeUndefined()
  })

  test('that is none is refused', async () => {
    expect((await agent.post(LIST, {})).text).toContain('Choose a file that is not empty.')
    for (const content of ['', 'PK\x03\x04rest', '%PDF-1.7']) expect((await sent(content)).status).toBe(400)
    const tooLarge = new Uint8Array(32 * 1024 * 1024 + 20_000).fill(97)
    expect((await sent(tooLarge)).status).toBe(413)
  })

  test('waits while the disk has less room than it should, and nothing of it is kept', async () => {
    const stored = () =>
      app.database.db
        .select()
        .from(contactImports)
        .where(eq(contactImports.tenantId, acme.tenantId))
        .orderBy(contactImports.id)
    const before = await stored()
    const { minFree } = app.deps.config
    Object.assign(app.deps.config, { minFree: Number.MAX_SAFE_INTEGER })
    const answer = await sent('email\nada@acme.test\n')
    Object.assign(app.deps.config, { minFree })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60'])
    expect(answer.text).toContain('Nothing was changed.')
    expect(await stored()).toEqual(before)
  })

  test('is cancelled, and what was taken in stays', async () => {
    const path = await send('email\nlate@cancel.test\n')
    await agent.post(path, { 'columns[0]': 'email', hasHeadings: 'on' })
    const running = await agent.get(path)
    expect([running.text.includes('Importing'), running.headers.get('refresh')]).toEqual([true, '3'])
    expect((await agent.follow(await agent.post(`${path}/cancel`))).text).toContain('The import was cancelled.')
    await app.runDue()
    expect(await contactOf('late@cancel.test')).toBeUndefined()
    expect(await rowOf(path)).toMatchObject({ state: 'cancelled', doneLines: 0 })
    expect((await agent.follow(await agent.post(`${path}/cancel`))).text).toContain('The import had already ended.')
    const draft = await send('email\nx@cancel.test\n')
    expect((await agent.post(`${draft}/cancel`)).headers.get('location')).toBe(LIST)
  })

  test('of another tenant is not there', async () => {
    const path = await send('email\nx@mine.test\n')
    const other = await signedIn(app, await app.createTenant(), 'admin')
    for (const page of [path, `${path}/refused.csv`]) expect((await other.get(page)).status).toBe(404)
    for (const page of [path, `${path}/cancel`]) expect((await other.post(page)).status).toBe(404)
    expect((await other.get(LIST)).text).not.toContain('people.csv')
    expect(await rowOf(path)).toMatchObject({ state: 'draft' })
  })

  test('goes with time: the file when it is taken in or after a day, what became of it after 30', async () => {
    const stored = async (tenantId: string) => {
      const ids: string[] = []
      for await (const { tenantId: owner, files } of app.deps.files.list('contact_imports'))
        if (owner === tenantId) ids.push(...files.map(({ id }) => id))
      return ids
    }
    const tenant = await app.createTenant()
    const reader = await signedIn(app, tenant, 'agent')
    const [over, draft] = [await send('email\nnobody\n', reader), await send('email\nx@y.test\n', reader)]
    expect(await stored(tenant.tenantId)).toHaveLength(2)
    await reader.post(over, { 'columns[0]': 'email', hasHeadings: 'on' })
    await app.runDue()
    expect(await stored(tenant.tenantId)).toEqual([draft.split('/').at(-1) as string])
    const DAY = 24 * 3_600_000
    app.clock.advance(2 * DAY)
    await app.runDue()
    expect(await stored(tenant.tenantId)).toEqual([])
    expect(await rowOf(over)).toMatchObject({ state: 'done', refused: 1 })
    app.clock.advance(30 * DAY)
    await app.runDue()
    const left = await app.database.db.select().from(refusedLines).where(eq(refusedLines.tenantId, tenant.tenantId))
    expect(left).toEqual([])
    const fresh = await signedIn(app, tenant, 'agent')
    expect((await fresh.get(over)).status).toBe(404)
    agent = await signedIn(app, acme, 'agent')
  })
})
