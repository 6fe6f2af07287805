import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contacts, forms, responses } from '../../../src/db/schema.ts'
import { publishForm } from '../../../src/forms/publishing.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { answersByType, begin, complete, createPublished } from '../../support/forms/collecting.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { signedIn } from '../../support/pages/console.ts'
import { setUpAgent } from '../../support/pages/fixtures.ts'

const DAY = 86_400_000

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>

setUpAgent((fixture) => ({ app, acme, agent } = fixture))

/** The rows of the table of these figures, cell by cell, without marks. */
function rowsOf(text: string, caption: string): string[][] {
  const table =
    text.split('<table').find((part) => new RegExp(`>(Figures: )?${RegExp.escape(caption)}</caption>`).test(part)) ?? ''
  const body = table.split('<tbody>')[1]?.split('</tbody>')[0] ?? ''
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) => row.split(/<\/t[hd]>/).slice(0, -1))
    .map((cells) => cells.map((cell) => cell.replace(/<[^>]*>/g, '').trim()))
}

describe('the results of a form', () => {
  test('count what was chosen, in the order of the form, and what was typed beside it', async () => {
    const form = await createPublished(acme, [
      { type: 'choose_any', text: 'Colour', options: ['Red', 'Blue', '<Green>'], otherText: 'Another' },
      { type: 'binary', text: 'Sure', trueLabel: 'Aye', falseLabel: 'Nay' },
    ])
    await complete(acme, form, [{ selected: ['Red', '<Green>'] }, true])
    await complete(acme, form, [{ selected: ['Red'], other: 'Pink' }, false])
    await complete(acme, form, [undefined, true])
    await begin(acme, form, [{ selected: ['Blue'] }])
    const { status, text } = await agent.get(`/console/forms/${form.id}/results`)
    expect(status).toBe(200)
    expect(rowsOf(text, '1. Colour')).toEqual([
      ['Red', '100%', '2'],
      ['Blue', '0%', '0'],
      ['&lt;Green&gt;', '50%', '1'],
      ['Other', '50%', '1'],
    ])
    expect(rowsOf(text, '2. Sure')).toEqual([
      ['Aye', '67%', '2'],
      ['Nay', '33%', '1'],
    ])
    expect(text).toMatch(/<dt>Complete responses<\/dt><dd><a[^>]*>3</)
    expect(text).not.toMatch(/ style=|<style/)
  })

  test('say who promotes, and the score', async () => {
    const form = await createPublished(acme, [{ type: 'nps', text: 'Recommend' }])
    for (const points of [10, 9, 9, 8, 7, 6, 0]) await complete(acme, form, [points])
    const { text } = await agent.get(`/console/forms/${form.id}/results`)
    expect(text).toContain('<strong>+14</strong>')
    expect(text).toContain('Detractors (0–6): 2 (29%)')
    expect(text).toContain('Passives (7–8): 2 (29%)')
    expect(text).toContain('Promoters (9–10): 3 (43%)')
    expect(rowsOf(text, '1. Recommend').map(([, count]) => count)).toEqual('1 0 0 0 0 0 1 1 1 2 1'.split(' '))
    expect(text).toContain('<strong>7</strong>')
  })

  test('show numbers by how often, rankings by their average place, and a matrix cell by cell', async () => {
    const form = await createPublished(acme, [
      { type: 'star_rating', text: 'Stars', maxStars: 3 },
      { type: 'numeric', text: 'Number' },
      { type: 'likert', text: 'Scale', scales: [{ text: 'Bad', opposingText: 'Good' }], scaleStart: 1, scaleEnd: 3 },
      { type: 'ranking', text: 'Rank', rankOptions: ['A', 'B'] },
      { type: 'matrix', text: 'Matrix', rowHeadings: ['Speed'], columnHeadings: ['Low', 'High'] },
    ])
    await complete(acme, form, [3, 1, [{ scale: 0, value: 2 }], ['B', 'A'], [{ row: 0, column: 1 }]])
    await complete(acme, form, [2, 1001.5, [{ scale: 0, value: 3 }], ['B', 'A'], [{ row: 0, column: 1 }]])
    const { text } = await agent.get(`/console/forms/${form.id}/results`)
    expect(rowsOf(text, '1. Stars')).toEqual([
      ['1 star', '0%', '0'],
      ['2 stars', '50%', '1'],
      ['3 stars', '50%', '1'],
    ])
    expect(text).toContain('answers from 1 to 1,001.5')
    expect(rowsOf(text, '2. Number').map(([, , count]) => count)).toEqual('1 0 0 0 0 0 0 0 0 1'.split(' '))
    expect(rowsOf(text, '3. Scale: Bad – Good')).toEqual([
      ['1', '0'],
      ['2', '1'],
      ['3', '1'],
    ])
    expect(rowsOf(text, '4. Rank')).toEqual([
      ['B', '1', '2'],
      ['A', '2', '2'],
    ])
    expect(rowsOf(text, '5. Matrix')).toEqual([['Speed', '0 0%', '2 100%']])
  })

  test('are there for a form with every type of question, answered or not', async () => {
    const types = Object.keys(answersByType) as (keyof typeof answersByType)[]
    const fields = (type: string) => (type === 'payment' ? { amount: 3000, currency: 'EUR' } : {})
    const form = await createPublished(
      acme,
      types.map((type) => questionBody(type, fields(type))),
    )
    await complete(acme, form, [])
    expect((await agent.get(`/console/forms/${form.id}/results`)).status).toBe(200)
    const { response } = await complete(
      acme,
      form,
      types.map((type) => answersByType[type].sent),
    )
    for (const language of ['en', 'de']) {
      const headers = { 'accept-language': language }
      expect((await agent.get(`/console/forms/${form.id}/results`, headers)).status).toBe(200)
      expect((await agent.get(`/console/responses/${response.id}`, headers)).status).toBe(200)
      for (const id of form.questionIds)
        expect((await agent.get(`/console/forms/${form.id}/results/${id}`, headers)).status).toBe(200)
    }
  })

  test('take each response by what it was asked, in whichever revision', async () => {
    const form = await createPublished(acme, [
      { type: 'matrix', text: 'Matrix', rowHeadings: ['Speed'], columnHeadings: ['Low', 'High'] },
    ])
    await complete(acme, form, [[{ row: 0, column: 0 }]])
    const { pages } = (await acme.get(`/v1/forms/${form.id}`)).body
    const [question] = pages[0].questions
    const turned = { ...question, columnHeadings: ['High', 'Low'] }
    const draft = { title: 'Survey', description: null, pages: [{ ...pages[0], questions: [turned] }] }
    await acme.perform((tx) =>
      tx
        .update(forms)
        .set({ draft: JSON.stringify(draft) })
        .where(eq(forms.id, form.id)),
    )
    await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
    await complete(acme, form, [[{ row: 0, column: 1 }]])
    const { text } = await agent.get(`/console/forms/${form.id}/results`)
    expect(text).toMatch(/<th scope="col">High<\/th><th scope="col">Low<\/th>/)
    expect(rowsOf(text, '1. Matrix')).toEqual([['Speed', '0 0%', '2 100%']])
  })

  test('are of the days that are asked for, and change as soon as a response comes', async () => {
    const form = await createPublished(acme, [{ type: 'nps', text: 'Recommend' }])
    const today = new Date(app.clock.now()).toISOString().slice(0, 10)
    await complete(acme, form, [10])
    app.clock.advance(2 * DAY)
    // The session has ended.
    agent = await signedIn(app, acme, 'agent')
    const later = new Date(app.clock.now()).toISOString().slice(0, 10)
    await complete(acme, form, [0])
    const count = async (query: string) =>
      /<dt>Complete responses<\/dt><dd><a[^>]*>(\d+)/.exec(
        (await agent.get(`/console/forms/${form.id}/results${query}`)).text,
      )?.[1]
    expect(await count('')).toBe('2')
    expect(await count(`?from=${today}&to=${today}`)).toBe('1')
    expect(await count(`?from=${later}`)).toBe('1')
    expect(await count('?from=&to=')).toBe('2')
    expect(await count('?to=2020-01-01')).toBe(undefined)
    await complete(acme, form, [0])
    expect(await count('')).toBe('3')
    for (const query of ['?from=x', '?to=2026-02-30', '?from=2026-3-1']) {
      const refused = await agent.get(`/console/forms/${form.id}/results${query}`)
      expect([query, refused.status]).toEqual([query, 400])
    }
  })

  test('are another tenant’s business as little as its forms', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const stranger = await signedIn(app, await app.createTenant(), 'admin')
    for (const path of [
      'results',
      `results/${form.questionIds[0]}`,
      'responses',
      'export.csv',
      'export.json',
      'export.xlsx',
    ])
      expect((await stranger.get(`/console/forms/${form.id}/${path}`)).status).toBe(404)
    expect((await agent.get(`/console/forms/${form.id}/results/999999`)).status).toBe(404)
    expect((await agent.get(`/console/forms/${form.id}/results/x`)).status).toBe(404)
  })
})

test('all answers to a question are a list, newest first, through which one can page', async () => {
  const form = await createPublished(acme, [{ type: 'textbox', text: 'What else' }, { type: 'nps' }])
  for (let i = 0; i < 55; i++) await complete(acme, form, [`No. ${i}!`])
  await complete(acme, form, [undefined, 9])
  const path = `/console/forms/${form.id}/results/${form.questionIds[0]}`
  const first = await agent.get(path)
  expect(rowsOf(first.text, '1. What else').map(([, text]) => text)).toEqual(
    Array.from({ length: 50 }, (_, i) => `No. ${54 - i}!`),
  )
  const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await agent.get(next)
  expect(rowsOf(second.text, '1. What else').map(([, text]) => text)).toEqual(
    Array.from({ length: 5 }, (_, i) => `No. ${4 - i}!`),
  )
  expect(second.text).not.toContain('rel="next"')
  expect((await agent.get(`${path}?cursor=made-up`)).status).toBe(400)
})

test('responses are a list with what tells them apart, complete ones unless asked otherwise', async () => {
  const form = await createPublished(acme, [{ type: 'textbox' }, { type: 'nps' }])
  await complete(acme, form, ['<Whole>', 9])
  await begin(acme, form, ['Half'])
  const path = `/console/forms/${form.id}/responses`
  const { text } = await agent.get(path)
  expect(text).toContain('&lt;Whole&gt;')
  expect(text).toContain('9 of 10 (90%)')
  expect(text).not.toContain('Half')
  const partial = await agent.get(`${path}?status=partial`)
  expect(partial.text).toContain('Half')
  expect(partial.text).not.toContain('Whole')
  expect((await agent.get(`${path}?status=all`)).text).toMatch(/Half.*Whole/s)
  expect((await agent.get(`${path}?status=none`)).status).toBe(400)
})

describe('an export', () => {
  test('as CSV names contacts by their email, or else by their id', async () => {
    const contactFields = [{ field: 'email', visible: true }]
    const form = await createPublished(acme, [{ type: 'contact_details', contactFields }])
    for (const email of ['csv-one@acme.test', 'csv-two@acme.test', 'csv-one@acme.test']) {
      await complete(acme, form, [{ email }])
    }
    const { body } = await acme.get(`/v1/forms/${form.id}/responses`)
    const [, two] = body.items.map(({ contactId }: { contactId: string }) => contactId)
    await app.database.transaction((tx) =>
      tx.update(contacts).set({ email: null, normalisedEmail: null }).where(eq(contacts.id, two)),
    )
    const { text } = await agent.get(`/console/forms/${form.id}/export.csv`)
    const named = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[4])
    expect(named).toEqual(['csv-one@acme.test', two, 'csv-one@acme.test'])
  })

  test('as CSV has a line for each complete response, and no cell that runs', async () => {
    const form = await createPublished(
      acme,
      [{ type: 'textbox', text: 'Say "it", <b>please</b>' }, { type: 'numeric' }, { type: 'textbox', text: '=1+1' }],
      'Café & Co',
    )
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { hidden: ['campaign'] }))
    const hostile = [
      '=HYPERLINK("http://evil.test")',
      '+1',
      '-1+1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      ' =1',
      'a,b\n"c"',
      'x;=1',
      '＝1',
    ]
    for (const text of hostile) await complete(acme, form, [text, -5])
    await begin(acme, form, ['Half'])
    const { status, text, headers } = await agent.get(`/console/forms/${form.id}/export.csv`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="responses-${form.launchCode}.csv"; filename*=UTF-8''Caf%C3%A9-Co.csv`,
    )
    const [head = '', ...lines] = text.replace('\ufeff', '').split('\r\n')
    expect(head).toBe(
      `Response ID,Status,Begun,Submitted,Contact,Points,"Say ""it"", please",Question 2,'=1+1,campaign`,
    )
    expect(lines.length).toBe(hostile.length + 1)
    const cells = lines.slice(0, -1).map((line) => line.split(',').slice(6).join(','))
    expect(cells).toEqual([
      "'＝1,-5,,",
      "x;'=1,-5,,",
      '"a,b\n""c""",-5,,',
      "' =1,-5,,",
      `"'\r'=1",-5,,`,
      "'\t'=1,-5,,",
      "'@SUM(A1),-5,,",
      "'-1+1,-5,,",
      "'+1,-5,,",
      `"'=HYPERLINK(""http://evil.test"")",-5,,`,
    ])
    expect(text).not.toContain('Half')
    expect((await agent.get(`/console/forms/${form.id}/export.csv?status=all`)).text).toContain('Half')
    expect((await agent.get(`/console/forms/${form.id}/export.csv?to=2020-01-01`)).text.split('\r\n').length).toBe(2)
  })

  test('as JSON holds each response as the API shows it, however many there are', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }, { type: 'textbox' }])
    expect((await agent.get(`/console/forms/${form.id}/export.json`)).body).toEqual([])
    for (let i = 0; i < 3; i++) await complete(acme, form, [i, i === 1 ? 'ü'.repeat(9000) : 'short'])
    const rows = await app.database.db.select().from(responses).where(eq(responses.formId, form.id))
    const row = rows.find(({ answers }) => !answers.includes('ü'))
    const copies = Array.from({ length: 450 }, () => ({ ...row, id: `r_${Bun.randomUUIDv7().replaceAll('-', '')}` }))
    await acme.perform((tx) => tx.insert(responses).values(copies as never))
    const { body } = await agent.get(`/console/forms/${form.id}/export.json`)
    expect(body.length).toBe(453)
    const listed = (await acme.get(`/v1/forms/${form.id}/responses?limit=100`)).body.items
    expect(body.slice(0, 100)).toEqual(listed)
    expect(
      body.filter(({ answers }: { answers: { value: string }[] }) => answers[1]?.value.length === 9000).length,
    ).toBe(1)
    const { text } = await agent.get(`/console/forms/${form.id}/results`)
    expect(text).toMatch(/<dt>Complete responses<\/dt><dd><a[^>]*>453</)
  })
})
