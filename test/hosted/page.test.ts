import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { getForm } from '../../src/forms/operations.ts'
import { closeForm, trashForm } from '../../src/forms/publishing.ts'
import { questionTypeNames } from '../../src/forms/question-types/index.ts'
import { defaultSettings } from '../../src/forms/settings/model.ts'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import { formPage, ownAttributes } from '../../src/hosted/page/document.ts'
import { wordLists } from '../../src/hosted/words/index.ts'
import { updateTenant } from '../../src/tenants/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished, type TestForm } from '../support/forms/collecting.ts'
import { questionBody } from '../support/forms/questions.ts'
import { hostileHtml } from '../support/pages/hostile-html.ts'

let app: TestApp
let acme: TestTenant
let form: TestForm

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant('Acme & Sons')
  form = await createPublished(
    acme,
    questionTypeNames.map((type) => questionBody(type, { text: `Question of ${type}` })),
  )
})
afterAll(() => app.close())

const read = (path: string, headers: Record<string, string> = {}) =>
  app.request('GET', path, { headers: { accept: 'text/html', ...headers } })

describe('the page of a form', () => {
  test('is HTML with every question in it, under the tenant’s name', async () => {
    const { status, headers, text } = await read(`/f/${form.launchCode}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('Acme &amp; Sons')
    for (const type of questionTypeNames) expect(text).toContain(`Question of ${type}</div>`)
  })

  test('loads its own files only, runs and styles nothing inline, and may be framed', async () => {
    const { headers, text } = await read(`/f/${form.launchCode}`)
    expect(text).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=|https?:/)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).toContain('frame-ancestors *')
    expect(policy).not.toContain('unsafe')
    expect([headers.get('x-content-type-options'), headers.get('set-cookie')]).toEqual(['nosniff', null])
    for (const [, address] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const file = await read(address as string)
      expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    }
  })

  test('is found with any query, such as a campaign’s', async () => {
    for (const query of ['utm_source=mail', 'utm_source=a&utm_source=b', 'discount=100%', '=1'])
      expect((await read(`/f/${form.launchCode}?${query}`)).status).toBe(200)
  })

  test('escapes titles, options and labels, and keeps the safe part of texts', async () => {
    const hostile = '"><img src=x onerror=alert(1)>'
    const { launchCode } = await createPublished(
      acme,
      [
        questionBody('choose_one', { text: `<b>bold</b>${hostile}`, options: [hostile, 'b'], otherText: hostile }),
        questionBody('likert', { scales: [{ text: hostile, opposingText: hostile }] }),
        questionBody('binary', { trueLabel: hostile, falseLabel: hostile }),
        questionBody('matrix', { rowHeadings: [hostile], columnHeadings: [hostile] }),
        questionBody('ranking', { rankOptions: [hostile, 'b'] }),
        questionBody('contact_details', { contactFields: [{ field: 'email', label: hostile, visible: true }] }),
        questionBody('date', { datePlaceholder: hostile }),
        questionBody('date_range', { startDatePlaceholder: hostile, endDatePlaceholder: hostile }),
        questionBody('file_upload', { fileUploadSlots: [hostile] }),
      ],
      hostile,
    )
    const { text } = await read(`/f/${launchCode}`)
    expect(text).toContain('<b>bold</b>')
    expect(text).not.toContain('<img')
  })

  test('holds no element that a hostile text made', async () => {
    const questions = hostileHtml.slice(0, 100).map((text) => questionBody('nps', { text }))
    const { launchCode } = await createPublished(acme, questions)
    const { text } = await read(`/f/${launchCode}`)
    expect(text).not.toMatch(
      /<(?:img|svg(?! viewBox="0 0 24 24" aria-hidden="true")|math|iframe|object|embed|base|style)\b/i,
    )
    expect(text).not.toMatch(/<[a-z][^>]*\s(?:on\w+|srcdoc|formaction)=/i)
    expect(text).not.toMatch(/href="?\s*(?:javascript|data|vbscript):/i)
  })
})

describe('a form that does not collect', () => {
  test('speaks its own language, whatever the browser asks for, however it came to be closed', async () => {
    const byHand = await createPublished(acme, [questionBody('nps')])
    await acme.perform((tx, caller) => changeSettings(tx, caller, byHand.id, { language: 'ja' }))
    await acme.perform((tx, caller) => closeForm(tx, caller, byHand.id))
    const byTime = await createPublished(acme, [questionBody('nps')])
    const closes = new Date(app.clock.now() - 1000).toISOString()
    await acme.perform((tx, caller) => changeSettings(tx, caller, byTime.id, { language: 'he', closes }))
    const german = await app.createTenant('Acme')
    await german.perform((tx, caller) =>
      updateTenant(tx, caller, { name: 'Acme', language: 'de-AT', accent: null, requiresSecondFactor: false }),
    )
    const byTenant = await createPublished(german, [questionBody('nps')])
    await german.perform((tx, caller) => closeForm(tx, caller, byTenant.id))
    for (const [{ launchCode }, expected] of [
      [byHand, '<html lang="ja" dir="ltr"'],
      [byTime, '<html lang="he" dir="rtl"'],
      [byTenant, '<html lang="de-AT" dir="ltr"'],
    ] as const) {
      for (const asked of ['fr', 'ar, en;q=0.5', '']) {
        const { status, text } = await read(`/f/${launchCode}`, { 'accept-language': asked })
        expect([status, text]).toEqual([404, expect.stringContaining(expected)])
      }
    }
  })

  test('and never was one, or was thrown away, is in the language that the browser asks for', async () => {
    const inLanguage = (language: string) => read('/f/AAAAAAAA', { 'accept-language': language })
    const { body: draft } = await acme.post('/v1/forms', { title: 'Draft', pages: [] })
    const gone = await createPublished(acme, [questionBody('nps')])
    for (const { id } of [draft, gone])
      await acme.perform((tx, caller) => changeSettings(tx, caller, id, { language: 'ja' }))
    await acme.perform((tx, caller) => trashForm(tx, caller, gone.id))
    for (const { launchCode } of [draft, gone]) {
      const { text } = await read(`/f/${launchCode}`, { 'accept-language': 'ar' })
      expect(text).toContain('<html lang="ar" dir="rtl"')
    }
    const arabic = await inLanguage('ar-EG, en;q=0.5')
    expect(arabic.headers.get('vary')).toContain('accept-language')
    expect(arabic.text).toContain('<html lang="ar" dir="rtl"')
    expect(arabic.text).toContain('هذا النموذج غير متاح')
    expect((await inLanguage('de-CH')).text).toContain('Dieses Formular ist nicht verfügbar')
    for (const none of ['', 'fi', '"><script>alert(1)</script>', `${'x'.repeat(5000)}`]) {
      const { status, text } = await inLanguage(none)
      expect([status, text.includes('<html lang="en" dir="ltr"'), text.includes('alert')]).toEqual([404, true, false])
    }
  })

  test('is a 404 page in plain words for browsers, and JSON for clients that ask for it', async () => {
    const closed = await createPublished(acme, [questionBody('nps')], 'Secret title')
    await acme.perform((tx, caller) => closeForm(tx, caller, closed.id))
    for (const code of [closed.launchCode, 'AAAAAAAA']) {
      const page = await read(`/f/${code}`)
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(page.text).toContain('This form is not available')
      expect(page.text).not.toContain('Secret title')
      const json = await read(`/f/${code}`, { accept: 'application/json' })
      expect([json.status, json.body.error]).toEqual([404, 'not_found'])
    }
  })
})

test('the files of a page with every type of question are small, compressed, in any language', async () => {
  const headers = { 'accept-encoding': 'gzip' }
  // All that the page names, whatever that is.
  const { text } = await read(`/f/${form.launchCode}`)
  const named = [...text.matchAll(/<(?:script|link|img)\b[^>]* (?:src|href)="([^"]+)"/g)].map(
    ([, path]) => path as string,
  )
  expect(named.map((path) => path.split('?')[0])).toEqual([
    '/f/assets/form.css',
    '/f/assets/payment.js',
    '/f/assets/form.js',
  ])
  const sizes = await Promise.all(
    [`/f/${form.launchCode}`, ...named].map(async (path) => {
      const response = await fetch(app.url + path, { headers, decompress: false } as RequestInit)
      expect(response.headers.get('content-encoding')).toBe('gzip')
      return (await response.arrayBuffer()).byteLength
    }),
  )
  const [english = 0, ...files] = sizes
  const { pages } = await acme.perform((tx) => getForm(tx, acme.tenantId, form.id))
  const texts = { title: form.title, description: null, pages }
  const made = {
    launchCode: form.launchCode,
    tenantName: 'Acme',
    base: '',
    own: ownAttributes('x', {}, {}),
    version: 'x',
    takesPayments: true,
  }
  const pageSizes = Object.keys(wordLists).flatMap((language) =>
    (['page', 'step'] as const).map((mode) => {
      const settings = { ...defaultSettings, mode }
      return gzipSync(formPage({ ...made, settings, form: { ...texts, variables: [], ends: [] }, language })).byteLength
    }),
  )
  const rest = files.reduce((sum, size) => sum + size)
  expect(Math.max(english, ...pageSizes) + rest).toBeLessThan(24_500)
})

test('the style sheet says start and end: left and right change places with the language', async () => {
  const { text } = await read('/f/assets/form.css')
  expect(text).toContain('margin-inline-start')
  const sided = /(?:margin|padding|border)-(?:left|right)|(?<![\w-])(?:left|right|float)\s*:|:\s*(?:left|right)\b/g
  expect(text.match(sided)).toBeNull()
})

test('/embed.js is a script for any site', async () => {
  const { status, headers, text } = await read('/embed.js')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(text).toContain('iframe')
})

test('under a path of its own, every address starts with it', async () => {
  const moved = await startApp({ environment: { FRONTDESK_BASE_URL: 'https://acme.test/desk' } })
  const { launchCode } = await createPublished(await moved.createTenant(), [questionBody('nps')])
  const { text } = await moved.request('GET', `/f/${launchCode}`)
  expect(text).toContain(`data-path="/desk/f/${launchCode}"`)
  for (const [, address] of text.matchAll(/(?:src|href)="([^"]+)"/g)) expect(address).toStartWith('/desk/f/assets/')
  await moved.close()
})
