import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { formRecordOf } from '../../src/forms/operations.ts'
import { changesInCsv, csvOfTexts } from '../../src/forms/texts/csv.ts'
import { changeTexts } from '../../src/forms/texts/operations.ts'
import { textSheet } from '../../src/forms/texts/read.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished, type TestForm } from '../support/forms/collecting.ts'
import { translate } from '../support/forms/translated.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.close())

const asked = [{ type: 'choose_one', text: 'Which, or "none"?', options: ['=Red', 'Blue;-1'] }]

const exported = (tenant: TestTenant, { id }: TestForm) =>
  tenant.perform(async (tx) =>
    csvOfTexts(await textSheet(tx, tenant.tenantId, await formRecordOf(tx, tenant.tenantId, id), 'de')),
  )

const imported = (tenant: TestTenant, { id }: TestForm, csv: string | Uint8Array) =>
  tenant.perform(async (tx, caller) => {
    const bytes = typeof csv === 'string' ? new TextEncoder().encode(csv) : csv
    return changeTexts(tx, caller, id, 'de', await changesInCsv(bytes))
  })

const refusal = (tenant: TestTenant, form: TestForm, csv: string) =>
  imported(tenant, form, csv).then(
    () => 'taken',
    (error) => error.message,
  )

const textsIn = async (tenant: TestTenant, form: TestForm) =>
  Object.fromEntries((await imported(tenant, form, 'key,text\n')).texts.map(({ key, text }) => [key, text]))

describe('a file of texts', () => {
  test('goes out with what the form says and what is there, and comes back as it was', async () => {
    const acme = await app.createTenant('Out and in')
    const form = await createPublished(acme, asked)
    const [id] = form.questionIds
    await translate(acme, form, 'de', { title: 'Umfrage', [`q${id}.options[0]`]: '=1+1\n@x' })
    const csv = await exported(acme, form)
    expect(csv.slice(1).split('\r\n')).toEqual([
      'key,base,text',
      'title,Survey,Umfrage',
      `q${id}.text,"Which, or ""none""?",`,
      // Nothing in it runs as a formula.
      `q${id}.options[0],'=Red,"'=1+1\n'@x"`,
      `q${id}.options[1],Blue;'-1,`,
      '',
    ])
    const before = await textsIn(acme, form)
    await translate(acme, form, 'de', { title: '', [`q${id}.options[0]`]: '' })
    expect((await imported(acme, form, csv)).missing).toBe(2)
    expect(await textsIn(acme, form)).toEqual(before)
  })

  test('merges: what it leaves out or empty stays', async () => {
    const acme = await app.createTenant('Merges')
    const form = await createPublished(acme, asked)
    const [id] = form.questionIds
    await translate(acme, form, 'de', { title: 'Umfrage', [`q${id}.text`]: 'Was?' })
    await imported(acme, form, `key;base;text\r\nq${id}.options[1];;Blau\r\ntitle;;\r\n\r\n`)
    expect(await textsIn(acme, form)).toEqual({
      title: 'Umfrage',
      [`q${id}.text`]: 'Was?',
      [`q${id}.options[0]`]: null,
      [`q${id}.options[1]`]: 'Blau',
    })
  })

  test('is read as spreadsheets write it: other separators, encodings and orders of the columns', async () => {
    const acme = await app.createTenant('Spreadsheets')
    const form = await createPublished(acme, asked)
    const utf16 = Buffer.from('\ufeffText\tKey\r\nFür Sie\ttitle\r\n', 'utf16le')
    expect((await imported(acme, form, utf16)).texts[0]?.text).toBe('Für Sie')
    const windows = Buffer.from('key;text\r\ntitle;Grüße\r\n', 'latin1')
    expect((await imported(acme, form, windows)).texts[0]?.text).toBe('Grüße')
  })

  test('gives labels to the options that they translate, though these stand in another order by now', async () => {
    const acme = await app.createTenant('Order')
    const form = await createPublished(acme, asked)
    const [id] = form.questionIds
    await imported(acme, form, `key,base,text\nq${id}.options[0],Blue;-1,Blau\nq${id}.options[1],=Red,Rot\n`)
    expect(await textsIn(acme, form)).toMatchObject({ [`q${id}.options[0]`]: 'Rot', [`q${id}.options[1]`]: 'Blau' })
    const other = `key,base,text\ntitle,Survey,Anders\nq${id}.options[0],Green,Grün\n`
    expect(await refusal(acme, form, other)).toBe(
      'file: row 3: translates "Green", and the form says "=Red" there now: export the texts anew',
    )
    expect(await textsIn(acme, form)).toMatchObject({ title: null })
  })

  test('is refused whole for a key that the form does not have, even without a text, and for what is no such file', async () => {
    const acme = await app.createTenant('Refused')
    const form = await createPublished(acme, asked)
    expect(await refusal(acme, form, 'key,base,text\ntitle,Survey,Umfrage\nq0.text,x,y\n')).toBe(
      'file: row 3: the form has no text "q0.text"',
    )
    expect(await refusal(acme, form, 'key,base,text\ntitle,Survey,Umfrage\nnonsense,,\n')).toContain('row 3')
    expect(await refusal(acme, form, 'key,base,text\ntitle,Survey,"Umfrage\n')).toContain('quotation mark')
    expect(await refusal(acme, form, 'title,Survey,Umfrage\n')).toContain('columns key and text')
    expect(await refusal(acme, form, '')).toContain('columns key and text')
    expect(await refusal(acme, form, `key,text\ntitle,${'x'.repeat(5 * 1024 * 1024)}\n`)).toContain('at most 4 MiB')
    expect(await refusal(acme, form, `key,text\ntitle,${'<p>'.repeat(50_000)}\n`)).toContain('tags')
    expect(await textsIn(acme, form)).toMatchObject({ title: null })
  })
})
