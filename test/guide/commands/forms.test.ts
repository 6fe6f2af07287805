import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startApp, type TestApp } from '../../support/app.ts'
import { complete, createPublished, type TestForm } from '../../support/forms/collecting.ts'
import { png } from '../../support/forms/hosted.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { emptyFolder, executable } from '../../support/processes/program.ts'
import { openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'

const { command } = await executable()
const [embedding, reading, settings, texts, , , files] = codeOf(
  'src/guide/forms.md',
  'html',
  'sh',
  'sh',
  'sh',
  'json',
  'js',
  'sh',
)

describe('the chapter on forms', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp()
  })
  afterAll(() => app.close())

  test('names the script that sites load', async () => {
    const [, path = ''] = /src="https:\/\/desk\.example\.com(\/[\w.]+)"/.exec(embedding.text) ?? []
    const { status, headers, text } = await app.request('GET', path)
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')])
    // What the chapter says that the script element takes, and what it tells.
    for (const name of ['form', 'mode', 'label', 'open', 'query']) expect(text).toMatch(new RegExp(`\\b${name}\\b`))
    for (const event of ['ready', 'page', 'complete']) expect(text).toContain(event)
  })

  test('sets what owners choose', async () => {
    const acme = await app.createTenant()
    const form = await createPublished(acme, [questionBody('nps')])
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'logo.png'), png)
    const shell = await openShell(
      { command },
      {
        cwd,
        dataDir: app.dataDir,
        environment: { FRONTDESK_DATA: app.dataDir },
        places: {
          FORM: form.id,
          '2026-12-31T18:00:00+01:00': new Date(Date.now() + 86_400_000).toISOString(),
        },
      },
    )
    let printed = ''
    await shell.run(settings, { after: (_, text) => (printed = text) })
    expect(printed).toMatch(/^language +de$/m)
    const page = await app.request('GET', `/f/${form.launchCode}`, { headers: { accept: 'text/html' } })
    expect(page.text).toContain('<html lang="de"')
    await shell.close()
  })

  test('lists the responses to all forms', async () => {
    const acme = await app.createTenant()
    const [older, newer] = await Promise.all(
      ['A', 'B'].map((title) => createPublished(acme, [questionBody('nps')], title)),
    )
    for (const form of [older, newer]) await complete(acme, form as TestForm, [9])
    const environment = { DESK: app.url, KEY: acme.key }
    const shell = await openShell({ command }, { cwd: emptyFolder(), dataDir: app.dataDir, environment })
    let printed = ''
    await shell.run(reading, { after: (_, text) => (printed = text) })
    expect(JSON.parse(printed)).toMatchObject({
      items: [{ formId: newer?.id }, { formId: older?.id }],
      nextCursor: null,
    })
    await shell.close()
  })

  test('exports the texts of a form and imports them in another language', async () => {
    const acme = await app.createTenant()
    const form = await createPublished(acme, [questionBody('nps', { text: 'How likely?' })])
    const cwd = emptyFolder()
    const shell = await openShell(
      { command },
      {
        cwd,
        dataDir: app.dataDir,
        environment: { FRONTDESK_DATA: app.dataDir },
        places: { FORM: `${form.id} --tenant ${acme.tenantId}` },
      },
    )
    const file = join(cwd, 'texts.csv')
    await shell.run(texts, {
      after: (command) => {
        if (!command.includes('export')) return
        const csv = readFileSync(file, 'utf8')
        writeFileSync(file, csv.replace('How likely?,', 'How likely?,Quelle chance ?'))
      },
    })
    const { body } = await app.request('GET', `/f/${form.launchCode}/definition?lang=fr`)
    expect(body.pages[0].questions[0].text).toBe('Quelle chance ?')
    await shell.close()
  })

  test('exports a form as a file and makes a form of it', async () => {
    const acme = await app.createTenant()
    const form = await createPublished(acme, [questionBody('nps', { text: 'How likely?' })])
    const own = `--tenant ${acme.tenantId}`
    const shell = await openShell(
      { command },
      {
        cwd: emptyFolder(),
        dataDir: app.dataDir,
        environment: { FRONTDESK_DATA: app.dataDir },
        places: { FORM: `${form.id} ${own}`, 'form import': `form import ${own}` },
      },
    )
    await shell.run(files)
    const { items } = (await acme.get('/v1/forms')).body
    expect(items.map(({ title }: { title: string }) => title)).toEqual(['Survey', 'Survey'])
    await shell.close()
  })
})
