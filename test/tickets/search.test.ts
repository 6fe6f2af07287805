import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { assignTicket, setPriority } from '../../src/tickets/assignment.ts'
import { deleteTicket } from '../../src/tickets/deletion/deletion.ts'
import type { InboxFilters } from '../../src/tickets/inbox/list.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { mergeTickets, undoMerge } from '../../src/tickets/merging/operations.ts'
import { splitMessage } from '../../src/tickets/merging/splitting.ts'
import { searchInbox } from '../../src/tickets/search/search.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { addNote } from '../../src/tickets/thread/notes.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { refusal } from '../support/refusal.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

const app = await startApp()
let acme: TestTenant
let inboxId: string
beforeEach(async () => {
  acme = await app.createTenant()
  inboxId = (await createEmailInbox(acme)).id
})
afterAll(() => app.close())

const open = (subject: string, text: string, more: { name?: string; email?: string } = {}) => {
  app.clock.advance(1000)
  return createTicket(acme, { inboxId, subject, text, ...more })
}
const search = (text: string, filters: InboxFilters = {}, cursor?: string, limit = 50) =>
  searchInbox(app.database.db, acme.tenantId, text, { cursor, limit }, filters)
const found = async (text: string, filters: InboxFilters = {}) =>
  (await search(text, filters)).items.map(({ subject }) => subject)
const receive = (id: string, text: string) => {
  app.clock.advance(1000)
  return acme.perform((tx, caller) => receiveMessage(tx, caller, id, { text }))
}

describe('a search of the inbox', () => {
  test('finds every word, the last by its beginning, in texts, subjects, names, addresses and notes', async () => {
    const one = await open('Broken kettle', 'It leaks since Monday.', {
      name: 'Grace Hopper',
      email: 'grace@navy.test',
    })
    await open('Invoice', 'Where is my kettle?')
    await acme.perform((tx, caller) => addNote(tx, caller, one.id, { text: 'Warehouse says: replace' }))
    const expected: Record<string, string[]> = {
      leaks: ['Broken kettle'],
      'leaks monday': ['Broken kettle'],
      'MONDAY leak': ['Broken kettle'],
      'leak monday': [],
      kettle: ['Broken kettle', 'Invoice'],
      'broken leak': ['Broken kettle'],
      'hopper kett': ['Broken kettle'],
      'hopper k': ['Broken kettle'],
      'hopper z': [],
      'grace@navy.test': ['Broken kettle'],
      'navy.te': ['Broken kettle'],
      warehouse: ['Broken kettle'],
      'invoice leaks': [],
      ettle: [],
    }
    for (const [text, subjects] of Object.entries(expected)) {
      expect([text, (await found(text)).sort()]).toEqual([text, subjects])
    }
  })

  test('takes no notice of capitals, accents and umlauts, however they are written', async () => {
    await open('Größe', 'Die Tür klemmt, señor.')
    await open('한국', 'हिन्दी и Ёлка')
    for (const text of ['TÜR', 'tur', 'tu\u0308r', 'SENOR', 'grosse'.replace('ss', 'ß'), 'große', 'Größ'])
      expect([text, await found(text)]).toEqual([text, ['Größe']])
    for (const text of ['한국', '한', 'हिन्दी', 'ёл', 'ЁЛКА'])
      expect([text, await found(text)]).toEqual([text, ['한국']])
  })

  test('finds nothing for what holds no word, and takes no word for a command', async () => {
    await open('Black and white', 'near the not so old or new* column:value "quoted"')
    for (const text of ['', '  ', '*', '"', '""', '()', '- -', "'", '%_', '^', '{}:', '\\', '\0', '&|!', '<->'])
      expect([text, await found(text)]).toEqual([text, []])
    for (const text of [
      'and',
      'AND',
      'near',
      'NOT',
      'OR',
      'new*',
      '"quoted"',
      'column:value',
      "'old' & new:*",
      'NEAR(so)',
    ])
      expect([text, await found(text)]).toEqual([text, ['Black and white']])
    expect(await found('white NOT kettle')).toEqual([])
  })

  test('takes any letter there is', async () => {
    const letters = Array.from({ length: 0x32000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((letter) => /[\p{L}\p{N}]/u.test(letter))
    for (let from = 0; from < letters.length; from += 16) {
      const text = letters.slice(from, from + 16).map((letter) => `a${letter}b`)
      if (from % 160 === 0) expect(await found(text.join(' '))).toEqual([])
    }
    for (const letter of '\u19b0\u19c0\u19c8\u1cf2') expect(await found(`a${letter}b`)).toEqual([])
  })

  test('goes from the newest message found to the oldest, each ticket once, page by page', async () => {
    const tickets = []
    for (const name of ['one', 'two', 'three', 'four', 'five']) tickets.push(await open(name, 'kettle'))
    await receive((tickets[0] as { id: string }).id, 'the kettle again')
    await receive((tickets[1] as { id: string }).id, 'nothing of it')
    const expected = ['one', 'five', 'four', 'three', 'two']
    expect(await found('kettle')).toEqual(expected)
    const shown: string[] = []
    let cursor: string | undefined
    do {
      const page = await search('kettle', {}, cursor, 2)
      shown.push(...page.items.map(({ subject }) => subject))
      cursor = page.nextCursor ?? undefined
    } while (cursor && shown.length < 20)
    expect(shown).toEqual(expected)
    const { nextCursor } = await search('kettle', {}, undefined, 2)
    for (const other of [
      search('kettles', {}, nextCursor as string),
      search('kettle', { status: 'open' }, nextCursor as string),
    ])
      expect(await refusal(other)).toEqual(['invalid_request', 'cursor: is not a cursor of this list'])
  })

  test('looks through many messages in steps, and misses none', async () => {
    const first = await open('first', 'kettle and teapot')
    const other = await open('other', 'kettle')
    await acme.perform((tx, caller) => setStatus(tx, caller, first.id, { status: 'spam' }))
    await acme.perform(async (tx, caller) => {
      for (let i = 0; i < 3500; i += 1)
        await addNote(tx, caller, other.id, { text: `kettle${i < 3200 ? '' : ' teapot'} ${i}` })
    })
    expect(await found('kettle')).toEqual(['other'])
    // Many of the newest hold it, but fewer than are looked for.
    expect(await found('teapot')).toEqual(['other', 'first'])
    const { items, nextCursor } = await search('kettle', { status: 'spam' })
    expect(items).toEqual([])
    const rest = await search('kettle', { status: 'spam' }, nextCursor as string)
    expect(rest.items.map(({ subject }) => subject)).toEqual(['first'])
    expect(rest.nextCursor).toBeNull()
  })

  test('keeps to the filters of the list', async () => {
    const closed = await open('closed', 'kettle')
    const own = await open('own', 'kettle')
    const snoozed = await open('snoozed', 'kettle')
    const elsewhere = await createTicket(acme, { subject: 'elsewhere', text: 'kettle' })
    const { userId } = acme
    const snoozedUntil = new Date(app.clock.now() + 3_600_000).toISOString()
    await acme.perform(async (tx, caller) => {
      await setStatus(tx, caller, closed.id, { status: 'closed' })
      await setStatus(tx, caller, snoozed.id, { status: 'open', snoozedUntil })
      await assignTicket(tx, caller, own.id, { userId: userId })
      await setPriority(tx, caller, own.id, 'high')
    })
    const cases: [InboxFilters, string[]][] = [
      [{ status: 'open' }, ['elsewhere', 'own']],
      [{ status: 'closed' }, ['closed']],
      [{ status: 'snoozed' }, ['snoozed']],
      [{ assigneeId: userId }, ['own']],
      [{ assigneeId: null, status: 'open' }, ['elsewhere']],
      [{ priority: 'high' }, ['own']],
      [{ inboxId: elsewhere.teamInboxId }, ['elsewhere']],
      [{ inboxId, priority: 'urgent' }, []],
    ]
    for (const [filters, subjects] of cases)
      expect([filters, await found('kettle', filters)]).toEqual([filters, subjects])
  })

  test('follows what is merged, split off, undone and deleted', async () => {
    const one = await open('one', 'kettle')
    const two = await open('two', 'teapot')
    await receive(two.id, 'saucer')
    await acme.perform((tx, caller) => mergeTickets(tx, caller, one.id, two.id))
    expect(await found('kettle')).toEqual(['two'])
    await acme.perform((tx, caller) => undoMerge(tx, caller, one.id))
    expect(await found('kettle')).toEqual(['one'])
    const { body } = await acme.get(`/v1/tickets/${two.id}`)
    const split = await acme.perform((tx, caller) => splitMessage(tx, caller, body.messages[1].id))
    expect((await search('saucer')).items.map(({ id }) => id)).toEqual([split.id])
    await acme.perform((tx, caller) => deleteTicket(tx, caller, split.id))
    expect(await found('saucer')).toEqual([])
    expect(await found('teapot')).toEqual(['two'])
  })

  test('finds a reply once it was sent, under the id that it has then', async () => {
    const { id } = await open('one', 'kettle')
    expect((await acme.post(`/v1/tickets/${id}/replies`, { html: '<p>A porcelain lid</p>' })).status).toBe(201)
    const { items } = await search('porcelain')
    expect(items.map(({ passage }) => passage.text)).toEqual(['A porcelain lid'])
  })

  test('shows the place with the words marked, of however long a text', async () => {
    await open(
      'Kettle number two',
      `${'Once upon a time. '.repeat(60)}Then the <b>KETTLE</b> broke 😀.${' And so on.'.repeat(60)}`,
    )
    const [{ foundSubject, passage }] = (await search('broke kett')).items as [
      Awaited<ReturnType<typeof search>>['items'][0],
    ]
    const markedIn = ({ text, marks }: typeof passage) => marks.map(([start, end]) => text.slice(start, end))
    expect(markedIn(foundSubject)).toEqual(['Kettle'])
    expect(markedIn(passage)).toEqual(['KETTLE', 'broke'])
    expect(passage.text).toStartWith('… ')
    expect(passage.text).toContain('Then the <b>KETTLE</b> broke 😀.')
    expect(passage.text.length).toBeLessThan(200)
  })

  test('begins with the ticket of a reference', async () => {
    const { ticketReference, sequentialNumber } = await open('one', 'kettle')
    await open('two', `As I said in ${ticketReference}`)
    expect(await found(ticketReference)).toEqual(['one'])
    expect(await found(String(sequentialNumber))).toEqual(['one', 'two'])
    expect(await found(`${ticketReference} said`)).toEqual(['two'])
  })

  test('never finds another tenant’s, not even by its id', async () => {
    await open('ours', 'kettle')
    const other = await app.createTenant()
    await createTicket(other, { subject: 'theirs', text: `kettle ${acme.tenantId.replaceAll('-', '')}` })
    expect(await found('kettle')).toEqual(['ours'])
    expect(await found(acme.tenantId.replaceAll('-', ''))).toEqual([])
    expect(await found(acme.tenantId.slice(0, 8))).toEqual([])
  })
})
