import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contactGroups, contacts, forms } from '../../../src/db/schema.ts'
import { publishForm } from '../../../src/forms/publishing.ts'
import { createTestGroup } from '../../support/api/contacts.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { unzipped } from '../../support/data/zip.ts'
import { begin, complete, createPublished, type TestForm } from '../../support/forms/collecting.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { signedIn } from '../../support/pages/console.ts'
import { setUpAgent } from '../../support/pages/fixtures.ts'

const DAY = 86_400_000

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>

setUpAgent((fixture) => ({ app, acme, agent } = fixture))

/** The rows of the table with this caption, cell by cell, without marks. */
function rowsOf(text: string, caption: string): string[][] {
  const table = text.split('<table').find((part) => part.includes(`>${caption}</caption>`)) ?? ''
  return (table.split('<tbody>')[1]?.split('</tbody>')[0] ?? '')
    .split('</tr>')
    .slice(0, -1)
    .map((row) => row.split(/<\/t[hd]>/).slice(0, -1))
    .map((cells) => cells.map((cell) => cell.replace(/<[^>]*>/g, '').trim()))
}

const plain = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&lt;', '<')

async function results(form: TestForm, query: Record<string, string | string[]> | string[][] = {}) {
  const pairs = Array.isArray(query) ? query : Object.entries(query).map(([name, value]) => [name, value].flat())
  const text = new URLSearchParams(pairs as [string, string][]).toString()
  return agent.get(`/console/forms/${form.id}/results?${text}`)
}

/** How many responses the page has added up; 0 where it says that there are none. */
async function countOf(form: TestForm, query: Record<string, string> | string[][] = {}): Promise<number> {
  const { status, text } = await results(form, query)
  expect(status).toBe(200)
  return Number(/<dt>Complete responses<\/dt><dd><a[^>]*>(\d+)/.exec(text)?.[1] ?? 0)
}

describe('results can be narrowed down', () => {
  test('to those with an answer, of every type that has answers to choose from', async () => {
    const form = await createPublished(acme, [
      { type: 'choose_one', text: 'Colour', options: ['Red', 'Dark. Blue=&1'], otherText: 'Another' },
      { type: 'choose_any', text: 'Days', options: ['Mon', 'Tue', 'Wed'] },
      { type: 'binary', text: 'Sure', trueLabel: 'Aye', falseLabel: 'Nay' },
      { type: 'nps', text: 'Recommend' },
      { type: 'star_rating', text: 'Stars', maxStars: 5 },
      { type: 'numeric', text: 'How many' },
      {
        type: 'likert',
        text: 'Scale',
        scales: [
          { text: 'Bad', opposingText: 'Good' },
          { text: 'Slow', opposingText: 'Fast' },
        ],
      },
      { type: 'matrix', text: 'Matrix', rowHeadings: ['Speed', 'Price'], columnHeadings: ['Low', 'High'] },
      { type: 'ranking', text: 'Rank', rankOptions: ['A', 'B'] },
      { type: 'textbox', text: 'More' },
    ])
    const scale = (first: number, second: number) => [
      { scale: 0, value: first },
      { scale: 1, value: second },
    ]
    await complete(acme, form, [
      { selected: 'Red' },
      { selected: ['Mon', 'Tue'] },
      true,
      10,
      5,
      3,
      scale(1, 5),
      [{ row: 0, column: 1 }],
      ['A', 'B'],
      'x',
    ])
    await complete(acme, form, [
      { selected: 'Dark. Blue=&1' },
      { selected: ['Tue'] },
      false,
      7,
      3,
      -1.5,
      scale(5, 1),
      [{ row: 1, column: 1 }],
      ['B', 'A'],
    ])
    await complete(acme, form, [{ other: 'Pink' }, undefined, true, 2])
    const [colour, days, sure, nps, stars, number, likert, matrix, rank] = form.questionIds
    const { text } = await results(form)
    const offered = new Map(
      [...text.matchAll(/<option value="(\d+[^"]+)">([^<]*)/g)].map(([, value = '', label = '']) => [
        plain(label),
        plain(value),
      ]),
    )
    const counts: Record<string, number> = {
      Red: 1,
      'Dark. Blue=&1': 1,
      Other: 1,
      Tue: 2,
      Wed: 0,
      Aye: 2,
      'Promoters (9–10)': 1,
      'Passives (7–8)': 1,
      'Detractors (0–6)': 1,
      'at least 3': 2,
      'at least 4': 1,
      'Bad – Good: at least 3': 1,
      'Slow – Fast: at least 3': 1,
      'Speed: High': 1,
      'Price: Low': 0,
      'B first': 1,
    }
    for (const [label, count] of Object.entries(counts)) {
      expect([label, await countOf(form, { answer: offered.get(label) ?? 'none' })]).toEqual([label, count])
    }
    expect([colour, days, sure, nps, stars, likert, matrix, rank].every((id) => text.includes(`value="${id}`))).toBe(
      true,
    )
    expect(await countOf(form, { range: `${number}`, least: '-2', most: '' })).toBe(2)
    expect(await countOf(form, { range: `${number}`, least: '-1', most: '3' })).toBe(1)
    expect(await countOf(form, { range: `${number}`, least: ' -1,5 ', most: '-1' })).toBe(1)
    expect((await results(form, { range: `${number}`, least: 'few' })).status).toBe(400)
    const both = [
      ['answer', `${sure}.is.true`],
      ['answer', `${nps}.in.~6`],
    ]
    expect(await countOf(form, both)).toBe(1)
    const narrowed = (await results(form, both)).text
    expect(narrowed).toContain('<span>3. Sure: Aye</span>')
    expect(narrowed).toContain('aria-label="Remove the filter: 4. Recommend:  – 6"')
    expect(narrowed).toContain('<input type="hidden" name="answer" value="')
  })

  test('to those of a group with more members than are looked for at once', async () => {
    const news = await createTestGroup(acme, 'Crowd')
    const form = await createPublished(acme, [questionBody('contact_details', { text: 'You' }), { type: 'nps' }])
    for (const email of ['first@acme.test', 'last@acme.test']) await complete(acme, form, [{ email }, 9])
    const [last] = (await acme.get('/v1/contacts?email=last@acme.test')).body.items
    const { tenantId } = acme
    const at = '2026-01-01T00:00:00.000Z'
    const crowd = Array.from({ length: 2000 }, (_, number) => ({
      tenantId,
      id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
      source: 'api' as const,
      createdAt: at,
      updatedAt: at,
    }))
    await app.deps.database.transaction(async (tx) => {
      await tx.insert(contacts).values(crowd)
      await tx
        .insert(contactGroups)
        .values([...crowd, last].map(({ id }) => ({ tenantId, contactId: id, groupId: news.id })))
    })
    expect(await countOf(form, { group: String(news.id) })).toBe(1)
  })

  test('to those of a contact or a group, who are found by nothing else', async () => {
    const news = await createTestGroup(acme, 'News')
    const form = await createPublished(acme, [questionBody('contact_details', { text: 'You' }), { type: 'nps' }])
    for (const email of ['ada@acme.test', 'bob@acme.test']) await complete(acme, form, [{ email }, 9])
    await complete(acme, form, [undefined, 1])
    const [ada] = (await acme.get('/v1/contacts?email=ada@acme.test')).body.items
    await acme.put(`/v1/contacts/${ada.id}`, { groupIds: [news.id] })
    expect(await countOf(form)).toBe(3)
    expect(await countOf(form, { email: ' Ada@acme.test' })).toBe(1)
    expect(await countOf(form, { email: 'nobody@acme.test' })).toBe(0)
    expect(await countOf(form, { group: String(news.id) })).toBe(1)
    expect(await countOf(form, { group: '999' })).toBe(0)
    expect(await countOf(form, { group: String(news.id), answer: `${form.questionIds[1]}.in.~3` })).toBe(0)
    const { text } = await results(form, { group: String(news.id) })
    expect(text).toContain(`<option value="${news.id}" selected>News</option>`)
    expect(text).not.toContain('How far people got')
    const stranger = await app.createTenant()
    const theirs = await createTestGroup(stranger, 'Theirs')
    expect((await results(form, { group: String(theirs.id) })).text).not.toContain('Theirs')
  })

  test('by what was asked then, whatever the order of rows and scales is now', async () => {
    const scales = ['Bad', 'Slow'].map((text) => ({ text, opposingText: 'Good' }))
    const form = await createPublished(acme, [
      { type: 'matrix', text: 'Matrix', rowHeadings: ['Speed', 'Price'], columnHeadings: ['Low', 'High'] },
      { type: 'likert', text: 'Scale', scales },
    ])
    const [matrix, likert] = form.questionIds
    await complete(acme, form, [[{ row: 0, column: 1 }], [{ scale: 0, value: 5 }]])
    const { pages } = (await acme.get(`/v1/forms/${form.id}`)).body
    const [first, second] = pages[0].questions
    const questions = [
      { ...first, rowHeadings: ['Price', 'Speed'] },
      { ...second, scales: [...scales].reverse() },
    ]
    const draft = { title: 'Survey', description: null, pages: [{ ...pages[0], questions }] }
    await acme.perform((tx) =>
      tx
        .update(forms)
        .set({ draft: JSON.stringify(draft) })
        .where(eq(forms.id, form.id)),
    )
    await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
    await complete(acme, form, [[{ row: 1, column: 1 }], [{ scale: 1, value: 5 }]])
    await complete(acme, form, [[{ row: 0, column: 1 }], [{ scale: 0, value: 5 }]])
    expect(await countOf(form, { answer: `${matrix}-1.is.High` })).toBe(2)
    expect(await countOf(form, { answer: `${matrix}-0.is.High` })).toBe(1)
    expect(await countOf(form, { answer: `${likert}-1.in.5~` })).toBe(2)
    const csv = (await agent.get(`/console/forms/${form.id}/export.csv?answer=${likert}-0.in.5~`)).text
    expect(csv.trim().split('\r\n')).toHaveLength(2)
  })

  test('and so can exports and lists of answers', async () => {
    const form = await createPublished(acme, [{ type: 'textbox', text: 'What' }, { type: 'nps' }])
    await complete(acme, form, ['good', 9])
    await complete(acme, form, ['bad', 2])
    const query = `answer=${form.questionIds[1]}.in.9~`
    const own = `/console/forms/${form.id}`
    expect((await agent.get(`${own}/results?${query}`)).text).toContain(
      `${own}/export.csv?answer=${form.questionIds[1]}.in.9%7E"`,
    )
    const csv = (await agent.get(`${own}/export.csv?${query}`)).text
    // Ids may hold the letters of one, not its word.
    expect([/\bgood\b/.test(csv), /\bbad\b/.test(csv)]).toEqual([true, false])
    expect((await agent.get(`${own}/export.json?${query}`)).body).toHaveLength(1)
    const cookie = [...agent.cookies].map((pair) => pair.join('=')).join('; ')
    const file = await fetch(`${app.url}${own}/export.xlsx?${query}`, { headers: { cookie } })
    const sheet = unzipped(await file.bytes()).get('xl/worksheets/sheet1.xml') ?? ''
    expect([/\bgood\b/.test(sheet), /\bbad\b/.test(sheet)]).toEqual([true, false])
    const list = (await agent.get(`${own}/results/${form.questionIds[0]}?${query}`)).text
    expect([list.includes('good'), list.includes('>bad<')]).toEqual([true, false])
  })

  test('but not by what makes no sense', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const [id] = form.questionIds
    for (const [name, value] of [
      ['answer', 'x'],
      ['answer', `${id}.in.~`],
      ['answer', `${id}.in.a~b`],
      ['answer', '999999.is.x'],
      ['group', 'x'],
      ['compare', 'never'],
      ['from2', 'x'],
    ]) {
      const query = name === 'from2' ? { compare: 'dates', from2: 'x' } : { [name as string]: value as string }
      expect([name, value, (await results(form, query)).status]).toEqual([name, value, 400])
    }
    const many = Array.from({ length: 11 }, () => ['answer', `${id}.in.1~`])
    expect((await results(form, many)).status).toBe(400)
  })
})

describe('a comparison', () => {
  test('puts the figures of two periods side by side, and says how they differ', async () => {
    const form = await createPublished(acme, [
      { type: 'nps', text: 'Recommend' },
      { type: 'choose_one', text: 'Colour', options: ['Red', 'Blue'] },
      { type: 'numeric', text: 'How many' },
    ])
    const first = new Date(app.clock.now()).toISOString().slice(0, 10)
    await complete(acme, form, [10, { selected: 'Red' }, 2])
    await complete(acme, form, [0, { selected: 'Blue' }, 4])
    app.clock.advance(2 * DAY)
    agent = await signedIn(app, acme, 'agent')
    const second = new Date(app.clock.now()).toISOString().slice(0, 10)
    await complete(acme, form, [9, { selected: 'Red' }, 6])
    const before = new Date(Date.parse(second) - DAY).toISOString().slice(0, 10)
    const { text } = await results(form, { from: before, to: second, compare: 'before' })
    expect(rowsOf(text, 'Comparison: Responses over time')[0]).toEqual(['Complete responses', '1', '2', '−1'])
    expect(rowsOf(text, 'Comparison: 1. Recommend')).toEqual([
      ['Answered', '1', '2', '−1'],
      ['Net Promoter Score', '100', '0', '+100'],
      ['Promoters (9–10)', '100%', '50%', '+50 points'],
      ['Passives (7–8)', '0%', '0%', '0 points'],
      ['Detractors (0–6)', '0%', '50%', '−50 points'],
    ])
    expect(rowsOf(text, 'Comparison: 2. Colour').slice(1)).toEqual([
      ['Red', '100%', '50%', '+50 points'],
      ['Blue', '0%', '50%', '−50 points'],
    ])
    expect(rowsOf(text, 'Comparison: 3. How many')[1]).toEqual(['Average', '6', '3', '+3'])
    expect(text).toContain(`datetime="${first}T00:00:00.000Z"`)
    const chosen = await results(form, { from: second, compare: 'dates', from2: first, to2: first })
    expect(rowsOf(chosen.text, 'Comparison: 1. Recommend')[0]).toEqual(['Answered', '1', '2', '−1'])
    const year = await results(form, { from: second, compare: 'year' })
    expect(rowsOf(year.text, 'Comparison: 1. Recommend')[1]).toEqual(['Net Promoter Score', '100', '–', '–'])
    expect((await results(form)).text).not.toContain('Comparison:')
  })

  test('needs a day that the period begins with, and says so', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    await complete(acme, form, [9])
    for (const compare of ['before', 'year', 'dates']) {
      const { status, text } = await results(form, { compare })
      expect([status, text.includes('To compare, say from which day on')]).toEqual([200, true])
      expect(text).not.toContain('Comparison:')
    }
  })
})

describe('how far people came', () => {
  async function createPaged(): Promise<TestForm> {
    const { body } = await acme.post('/v1/forms', {
      title: 'Survey',
      active: true,
      pages: [
        {
          title: 'You',
          questions: [
            { type: 'textbox', text: 'One', required: true },
            { type: 'textbox', text: 'Two' },
          ],
        },
        {
          questions: [
            { type: 'nps', text: 'Three', required: true },
            { type: 'textbox', text: 'Four', required: true },
          ],
        },
        { questions: [{ type: 'textbox', text: 'Five' }] },
      ],
    })
    await acme.perform((tx, caller) => publishForm(tx, caller, body.id))
    const questionIds = body.pages.flatMap((page: { questions: { id: number }[] }) =>
      page.questions.map(({ id }) => id),
    )
    return { id: body.id, launchCode: body.launchCode, title: 'Survey', questionIds }
  }

  test('is told for each page from responses that were begun', async () => {
    const form = await createPaged()
    await complete(acme, form, ['a', undefined, 9, 'b'])
    await begin(acme, form, [])
    await begin(acme, form, [undefined, 'only this'])
    await begin(acme, form, ['a'])
    await begin(acme, form, ['a', undefined, 9])
    await begin(acme, form, ['a', undefined, 9, 'b'])
    const { text } = await results(form)
    expect(rowsOf(text, 'Figures: How far people got')).toEqual([
      ['1. You', '100%', '6', '2 (33%)'],
      ['Page 2', '67%', '4', '2 (50%)'],
      ['Page 3', '33%', '2', '1 (50%)'],
      ['Completed', '17%', '1', ''],
    ])
    expect(text).toContain('<dt>Completed</dt><dd>17%</dd>')
    const today = new Date(app.clock.now()).toISOString().slice(0, 10)
    expect((await results(form, { to: '2020-01-01' })).text).not.toContain('How far people got')
    const compared = (await results(form, { from: today, compare: 'dates', from2: today })).text
    expect(rowsOf(compared, 'Comparison: How far people got')[1]).toEqual([
      'Page 2: Of all who began',
      '66.7%',
      '66.7%',
      '0 points',
    ])
  })

  test('is told of the pages of today, of responses to an earlier revision too', async () => {
    const form = await createPaged()
    await begin(acme, form, ['a'])
    const { pages } = (await acme.get(`/v1/forms/${form.id}`)).body
    const draft = { title: 'Survey', description: null, pages: [pages[1], pages[0]] }
    await acme.perform((tx) =>
      tx
        .update(forms)
        .set({ draft: JSON.stringify(draft) })
        .where(eq(forms.id, form.id)),
    )
    await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
    const rows = rowsOf((await results(form)).text, 'Figures: How far people got')
    expect(rows.map(([, , reached, left]) => [reached, left])).toEqual([
      ['1', '1 (100%)'],
      ['0', '0 (0%)'],
      ['0', ''],
    ])
  })

  test('is no news of a form of one page that everybody finishes', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    await complete(acme, form, [9])
    expect((await results(form)).text).not.toContain('How far people got')
  })
})

test('responses themselves are narrowed down as the results are, page by page', async () => {
  const form = await createPublished(acme, [{ type: 'nps' }, { type: 'textbox' }])
  for (let i = 0; i < 30; i++) await complete(acme, form, [10, `good ${i}!`])
  await complete(acme, form, [1, 'bad'])
  await begin(acme, form, [10, 'half'])
  const path = `/console/forms/${form.id}/responses`
  const query = `answer=${form.questionIds[0]}.in.9~`
  const texts = (text: string) => [...text.matchAll(/good \d+!|\b(?:bad|half)\b/g)].map(([found]) => found)
  const first = (await agent.get(`${path}?${query}`)).text
  expect(texts(first)).toEqual(Array.from({ length: 25 }, (_, i) => `good ${29 - i}!`))
  const next = plain(/rel="next" href="([^"]+)"/.exec(first)?.[1] ?? '')
  const second = (await agent.get(next)).text
  expect(texts(second)).toEqual(Array.from({ length: 5 }, (_, i) => `good ${4 - i}!`))
  expect(second).not.toContain('rel="next"')
  expect((await agent.get(`${path}?${query}&cursor=made-up`)).status).toBe(400)
  expect((await results(form, [['answer', `${form.questionIds[0]}.in.9~`]])).text).toContain(`${path}?answer=`)
  const partial = (await agent.get(`${path}?${query}&status=partial`)).text
  expect([texts(partial), partial.includes('Only complete responses can be narrowed down')]).toEqual([['half'], true])
  expect((await agent.get(`${path}?to=2020-01-01`)).text).toContain('There are no such responses')
})

test('texts are searched, whatever their capitals, and through all of them page by page', async () => {
  const form = await createPublished(acme, [
    { type: 'textbox', text: 'What else' },
    questionBody('contact_details', { text: 'You' }),
  ])
  await complete(acme, form, ['The ÜBUNG was <b>fine</b>', { first_name: 'Zoë' }])
  for (let i = 0; i < 52; i++) await complete(acme, form, [`Nothing of note ${i}`, { first_name: 'Ann' }])
  const path = `/console/forms/${form.id}/results/${form.questionIds[0]}`
  const found = await agent.get(`${path}?q=${encodeURIComponent('übung WAS <b>')}`)
  expect(rowsOf(found.text, '1. What else').map(([, text]) => text)).toEqual(['The ÜBUNG was &lt;b&gt;fine&lt;/b&gt;'])
  expect(found.text).toContain('value="übung WAS &lt;b&gt;"')
  const many = await agent.get(`${path}?q=nothing`)
  expect(rowsOf(many.text, '1. What else')).toHaveLength(50)
  const next = plain(/rel="next" href="([^"]+)"/.exec(many.text)?.[1] ?? '')
  expect(rowsOf((await agent.get(next)).text, '1. What else')).toHaveLength(2)
  expect((await agent.get(`${path}?q=missing`)).text).toContain('There are no answers')
  const names = await agent.get(`/console/forms/${form.id}/results/${form.questionIds[1]}?q=zo`)
  expect(rowsOf(names.text, '2. You').map(([, text]) => text)).toEqual(['Zoë'])
  const { text } = await results(form)
  expect(text).toContain(`action="${path}"`)
})
