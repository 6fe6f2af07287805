import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { responses } from '../../../src/db/schema.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import { streamOf } from '../../../src/lib/stream.ts'
import type { Cell, ResponseTable } from '../../../src/responses/results/table.ts'
import { xlsxOf } from '../../../src/responses/results/xlsx.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { unzipped } from '../../support/data/zip.ts'
import { answersByType, begin, complete, createPublished } from '../../support/forms/collecting.ts'
import { questionBody } from '../../support/forms/questions.ts'
import type { signedIn } from '../../support/pages/console.ts'
import { setUpAgent } from '../../support/pages/fixtures.ts'
import { refusalOf } from '../../support/refusal.ts'

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>

setUpAgent((fixture) => ({ app, acme, agent } = fixture))

async function download(path: string) {
  const cookie = [...agent.cookies].map((pair) => pair.join('=')).join('; ')
  const answer = await fetch(app.url + path, { headers: { cookie } })
  return { headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
}

/** The cells of a sheet as a spreadsheet reads them: type, style and content. */
function cellsOf(sheet = ''): { type: string; style: string; text: string }[][] {
  return sheet
    .split('<row>')
    .slice(1)
    .map((row) =>
      [...row.matchAll(/<c(?: t="(\w+)")?(?: s="(\d)")?(?:\/>|>(.*?)<\/c>)/gs)].map(
        ([, type = 'n', style = '0', content = '']) => ({ type, style, text: content.replace(/<[^>]*>/g, '') }),
      ),
    )
}

const sheet1 = (bytes: Uint8Array) => unzipped(bytes).get('xl/worksheets/sheet1.xml') ?? ''

test('an export as a workbook holds numbers as numbers, dates as dates, and text as text that never runs', async () => {
  const form = await createPublished(
    acme,
    [
      { type: 'textbox', text: '=1+1' },
      { type: 'numeric', text: 'How many' },
      { type: 'date', text: 'When' },
      { type: 'date', text: 'From when', collectTime: true },
    ],
    'Café & Co',
  )
  await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { hidden: ['campaign'] }))
  const hostile = [
    '=HYPERLINK("http://evil.test")',
    '+1',
    '@SUM(A1)',
    '<c><f>1+1</f></c>',
    'a\u0007b_x0041_\ud800c',
    '',
  ]
  for (const text of hostile) {
    await complete(acme, form, [text || undefined, -2.5, '2026-03-01', '2026-03-01T12:00'])
    app.clock.advance(1000)
  }
  await begin(acme, form, ['Half', 1, 'some day'])
  const { headers, bytes } = await download(`/console/forms/${form.id}/export.xlsx`)
  expect(headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  expect(headers.get('content-disposition')).toEndWith("filename*=UTF-8''Caf%C3%A9-Co.xlsx")
  const files = unzipped(bytes)
  expect([...files.keys()].sort()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ])
  const [head = [], ...lines] = cellsOf(files.get('xl/worksheets/sheet1.xml'))
  expect(head.map(({ text }) => text)).toEqual(
    'Response ID,Status,Begun,Submitted,Contact,Points,=1+1,How many,When,From when,campaign'.split(','),
  )
  expect(lines.map((cells) => cells[6])).toEqual([
    { type: 'n', style: '0', text: '' },
    { type: 'inlineStr', style: '0', text: 'a_x0007_b_x005F_x0041_\ufffdc' },
    { type: 'inlineStr', style: '0', text: '&lt;c&gt;&lt;f&gt;1+1&lt;/f&gt;&lt;/c&gt;' },
    { type: 'inlineStr', style: '4', text: '@SUM(A1)' },
    { type: 'inlineStr', style: '4', text: '+1' },
    { type: 'inlineStr', style: '4', text: '=HYPERLINK(&quot;http://evil.test&quot;)' },
  ])
  expect(lines[0]?.slice(7, 11)).toEqual([
    { type: 'n', style: '0', text: '-2.5' },
    // 1 March 2026, in days since the end of 1899.
    { type: 'n', style: '3', text: '46082' },
    { type: 'n', style: '2', text: '46082.5' },
    { type: 'n', style: '0', text: '' },
  ])
  const began = Date.parse((await acme.get(`/v1/forms/${form.id}/responses`)).body.items[0].startedAt)
  expect([lines[0]?.[2]?.style, Math.round((Number(lines[0]?.[2]?.text) - 25569) * 86_400_000)]).toEqual(['2', began])
  expect(files.get('xl/worksheets/sheet1.xml')).not.toMatch(/<f[ >]|Half/)

  const all = cellsOf(sheet1((await download(`/console/forms/${form.id}/export.xlsx?status=all`)).bytes))
  expect(all[1]?.[1]?.text).toBe('partial')
  expect(all[1]?.[8]).toEqual({ type: 'inlineStr', style: '0', text: 'some day' })
  expect(cellsOf(sheet1((await download(`/console/forms/${form.id}/export.xlsx?to=2020-01-01`)).bytes)).length).toBe(1)
})

test('a workbook says of every type of question what the CSV says, for more responses than are read at once', async () => {
  const types = Object.keys(answersByType) as (keyof typeof answersByType)[]
  const fields = (type: string) => (type === 'payment' ? { amount: 3000, currency: 'EUR' } : {})
  const form = await createPublished(
    acme,
    types.map((type) => questionBody(type, fields(type))),
  )
  await complete(
    acme,
    form,
    types.map((type) => answersByType[type].sent),
  )
  const [row] = await app.database.db.select().from(responses).where(eq(responses.formId, form.id))
  const copies = Array.from({ length: 450 }, () => ({ ...row, id: `r_${Bun.randomUUIDv7().replaceAll('-', '')}` }))
  await acme.perform((tx) => tx.insert(responses).values(copies as never))
  const { text } = await agent.get(`/console/forms/${form.id}/export.csv`)
  const csv = text.trim().split(/\r\n/).slice(1)
  const lines = cellsOf(sheet1((await download(`/console/forms/${form.id}/export.xlsx`)).bytes)).slice(1)
  expect([lines.length, csv.length]).toEqual([451, 451])
  const plain = ({ type, style, text }: { type: string; style: string; text: string }) => {
    const iso = style === '0' ? '' : new Date(Math.round((Number(text) - 25569) * 86_400_000)).toISOString()
    if (type !== 'n' || style === '0') return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')
    return style === '3' ? iso.slice(0, 10) : iso
  }
  const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  expect(lines.map((cells) => cells.map(plain).map(quoted).join(','))).toEqual(csv)
})

test('what a sheet has no room for goes on in another, with the headings again', async () => {
  async function* five(): AsyncGenerator<Cell[][]> {
    yield [['a'], ['b'], ['c']]
    yield [['d'], ['e']]
  }
  const table: ResponseTable = { titles: ['Letter'], lines: five() }
  const bytes = await new Response(streamOf(xlsxOf(table, 'Letters: [all]', 3))).bytes()
  const files = unzipped(bytes)
  const texts = [1, 2, 3, 4].map((number) =>
    cellsOf(files.get(`xl/worksheets/sheet${number}.xml`)).map((cells) => cells.map(({ text }) => text).join()),
  )
  expect(texts).toEqual([['Letter', 'a', 'b'], ['Letter', 'c', 'd'], ['Letter', 'e'], []])
  expect([...(files.get('xl/workbook.xml') ?? '').matchAll(/sheet name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    'Letters all',
    'Letters all 2',
    'Letters all 3',
  ])
})

test('a workbook of which the reading fails is cut off, and never whole', async () => {
  async function* failing(): AsyncGenerator<Cell[][]> {
    yield [['a']]
    throw new Error('the database is away')
  }
  const parts = xlsxOf({ titles: ['Letter'], lines: failing() }, 'Letters')
  const read = async () => {
    for await (const _ of parts) {
    }
  }
  expect(await refusalOf(read())).toContain('the database is away')
})
