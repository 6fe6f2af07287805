import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished, type TestForm } from '../support/forms/collecting.ts'
import { respondent } from '../support/forms/hosted.ts'
import { translate } from '../support/forms/translated.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { everyPart, expectThanks, violations } from '../support/pages/pages.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
afterAll(() => app?.close())

/** A form in English, German and Arabic, all of which is German and little Arabic. */
async function threeLanguages(tenant: TestTenant): Promise<TestForm> {
  const form = await createPublished(tenant, [
    { type: 'choose_one', text: 'Which colour?', options: ['Red', 'Blue'], required: true },
    { type: 'ranking', text: 'What counts?', rankOptions: ['Price', 'Quality'] },
    { type: 'textbox', text: 'Why?' },
    { type: 'matrix', text: 'How was it?', rowHeadings: ['Speed'], columnHeadings: ['Poor', 'Good'] },
  ])
  const [colour, counts, why, how] = form.questionIds
  await translate(tenant, form, 'de', {
    title: 'Umfrage',
    [`q${colour}.text`]: 'Welche Farbe?',
    [`q${colour}.options[0]`]: 'Rot',
    [`q${colour}.options[1]`]: 'Blau',
    [`q${counts}.text`]: 'Was zählt?',
    [`q${counts}.rankOptions[0]`]: 'Preis',
    [`q${counts}.rankOptions[1]`]: 'Güte',
    [`q${why}.text`]: 'Warum?',
    [`q${how}.text`]: 'Wie war es?',
    [`q${how}.rowHeadings[0]`]: 'Tempo',
    [`q${how}.columnHeadings[0]`]: 'Schlecht',
    [`q${how}.columnHeadings[1]`]: 'Gut',
  })
  await translate(tenant, form, 'ar', { title: 'استبيان', [`q${colour}.options[0]`]: 'أحمر' })
  return form
}

const languagesOf = async (tenant: TestTenant, { id }: TestForm) =>
  (await tenant.get(`/v1/forms/${id}/responses?status=all`)).body.items.map(
    ({ language }: { language: string }) => language,
  )

describe('a form in several languages', () => {
  test('is read in the one that the address asks for, else the browser’s first that it has, else its own', async () => {
    const acme = await app.createTenant('Reads')
    const form = await threeLanguages(acme)
    const titleIn = async (query: string, accepted: string) => {
      const headers = { 'accept-language': accepted }
      const { text } = await app.request('GET', `/f/${form.launchCode}${query}`, { headers })
      return [/<html lang="([\w-]+)" dir="(\w+)"/.exec(text)?.slice(1).join(), /<h1[^>]*>([^<]*)/.exec(text)?.[1]]
    }
    expect(await titleIn('', 'fr, de;q=0.5, en;q=0.1')).toEqual(['de,ltr', 'Umfrage'])
    expect(await titleIn('', 'de-CH')).toEqual(['de,ltr', 'Umfrage'])
    expect(await titleIn('', 'en-GB, de')).toEqual(['en,ltr', 'Survey'])
    expect(await titleIn('', 'fr')).toEqual(['en,ltr', 'Survey'])
    expect(await titleIn('?lang=ar', 'de')).toEqual(['ar,rtl', 'استبيان'])
    expect(await titleIn('?lang=fr', 'de')).toEqual(['de,ltr', 'Umfrage'])
    expect(await titleIn('?lang=%22%3E', '')).toEqual(['en,ltr', 'Survey'])
    // What is changed shows at once, though the clock stands still.
    await translate(acme, form, 'de', { title: 'Befragung' })
    expect(await titleIn('?lang=de', '')).toEqual(['de,ltr', 'Befragung'])
  })

  test('says what is not translated in its own language, and marks it so', async () => {
    const acme = await app.createTenant('Marks')
    const form = await threeLanguages(acme)
    const { text } = await app.request('GET', `/f/${form.launchCode}?lang=ar`)
    expect(text).toContain('lang="en" dir="ltr">Which colour?</div>')
    expect(text).toContain('value="Red"><span>أحمر</span>')
    expect(text).toContain('value="Blue"><span lang="en" dir="ltr">Blue</span>')
  })

  test('offers its languages, by links that work without a script, and none where it has but one', async () => {
    const acme = await app.createTenant('Offers')
    const form = await threeLanguages(acme)
    const { text } = await app.request('GET', `/f/${form.launchCode}?lang=de`)
    const links = [...text.matchAll(/<a href="\?lang=([\w-]+)"[^>]*?( aria-current="true")?>([^<]*)<\/a>/g)]
    expect(links.map(([, tag, current, name]) => [tag, current !== undefined, name])).toEqual([
      ['en', false, 'English'],
      ['ar', false, 'العربية'],
      ['de', true, 'Deutsch'],
    ])
    const single = await createPublished(acme, [{ type: 'nps' }])
    expect((await app.request('GET', `/f/${single.launchCode}`)).text).not.toMatch(/class="languages"|data-language/)
  })

  test('keeps with each response the language in which it was asked', async () => {
    const acme = await app.createTenant('Keeps')
    const form = await threeLanguages(acme)
    const { path, begin } = respondent(app, form)
    const [colour] = form.questionIds
    const answers = [{ questionId: colour, value: { selected: 'Red' } }]
    const send = (body: object) => app.request('POST', `${path}/responses`, { body: { answers, ...body } })
    await begin([{ selected: 'Red' }], true)
    for (const language of ['de', 'de-AT', 'fr', null]) expect((await send({ language })).status).toBe(201)
    expect(await languagesOf(acme, form)).toEqual(['en', 'en', 'de', 'de', 'en'])

    const { body } = await send({ language: 'de' })
    const goOn = (more: object) =>
      app.request('PUT', `${path}/responses/${body.id}`, { body: { answers, resumeToken: body.resumeToken, ...more } })
    expect((await goOn({})).status).toBe(200)
    expect((await languagesOf(acme, form))[0]).toBe('de')
    expect((await goOn({ language: 'ar', complete: true })).status).toBe(200)
    expect((await languagesOf(acme, form))[0]).toBe('ar')
    const told = (await acme.events()).findLast(({ event }) => event === 'response.created') as { payload: unknown }
    expect(JSON.stringify(told)).toContain('"language":"ar"')

    const refused = await send({ language: 'no language' })
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/^language: /)])
    expect((await send({ language: 7 })).status).toBe(400)
  })

  test('changes its own language, and what it was asked in before stays', async () => {
    const acme = await app.createTenant('Changes')
    const form = await threeLanguages(acme)
    await respondent(app, form).begin([{ selected: 'Red' }], true)
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { language: 'de' }))
    const { body } = await app.request('GET', `/f/${form.launchCode}/definition`)
    // Its own texts are what it asks in its own language.
    expect(body).toMatchObject({ title: 'Survey', language: 'de', languages: ['de', 'ar'] })
    expect(await languagesOf(acme, form)).toEqual(['en'])
  })
})

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    page = await browser.context.newPage()
    await page.emulateMedia({ reducedMotion: 'reduce' })
  })
  afterEach(() => page.close())

  const there = async () => {
    await page.waitForSelector('#next:enabled')
    await everyPart(page)
  }
  const choose = async (name: string, language: string) => {
    await page.getByRole('link', { name }).click()
    await page.waitForSelector(`html[lang=${language}] #next:enabled`)
    await everyPart(page)
  }

  async function changeLanguages(tenant: TestTenant): Promise<void> {
    const form = await threeLanguages(tenant)
    const [colour, counts, why, how] = form.questionIds
    await page.goto(`${app.url}/f/${form.launchCode}?q${colour}=Red&lang=en`)
    await there()
    await page.locator(`#q${colour}-1`).check()
    await page.locator(`#q${why}-input`).fill('It is calm')
    await page.locator(`#q${counts}-0-down`).click()
    await choose('Deutsch', 'de')
    expect(await page.locator('h1').first().textContent()).toBe('Umfrage')
    expect(new URL(page.url()).search).toBe(`?q${colour}=Red&lang=de`)
    expect(await page.locator('#resumed').isHidden()).toBe(true)
    expect(await page.locator(`#q${why}-input`).inputValue()).toBe('It is calm')
    expect(await page.locator('.option', { hasText: 'Blau' }).locator('input').isChecked()).toBe(true)
    expect(await page.locator('.ranking .label').allTextContents()).toEqual(['Güte', 'Preis'])
    await page.locator(`#q${how}-0-1`).check({ force: true })
    await choose('العربية', 'ar')
    await choose('Deutsch', 'de')
    await page.waitForFunction(() => document.querySelectorAll('.cell input:checked').length === 1)
    app.clock.advance(5000)
    await page.click('#next')
    await expectThanks(page)
    const { items } = (await tenant.get(`/v1/forms/${form.id}/responses`)).body
    expect(items).toMatchObject([
      {
        language: 'de',
        answers: [
          { questionText: 'Which colour?', value: { selected: 'Blue', other: null } },
          { value: ['Quality', 'Price'] },
          { value: 'It is calm' },
          { value: [{ row: 0, column: 1 }] },
        ],
      },
    ])
  }

  test('changing the language loses nothing, and labels arrive as the form’s own', async () => {
    await changeLanguages(await app.createTenant('Switch'))
  })

  test('nor does it where the browser keeps nothing', async () => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('denied', 'SecurityError')
        },
      })
    })
    await changeLanguages(await app.createTenant('No storage'))
    expect(await page.evaluate(() => window.name)).toBe('')
  })

  test('a file that is being sent is waited for: the page stays, and says so at the file', async () => {
    const acme = await app.createTenant('Unsent')
    const form = await createPublished(acme, [{ type: 'file_upload', fileUploadSlots: ['Photo'] }])
    await translate(acme, form, 'de', { title: 'Umfrage' })
    await page.route('**/uploads', () => {})
    await page.goto(`${app.url}/f/${form.launchCode}?lang=en`)
    await there()
    await page
      .locator('[type=file]')
      .first()
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
    await page.waitForSelector('.unsent:visible')
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.waitForSelector('.error:visible')
    expect(new URL(page.url()).search).toBe('?lang=en')
    expect(await page.locator('h1').first().textContent()).toBe('Survey')
  })

  test.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)('axe finds nothing, and nothing runs out of the page: %s, %d wide', async (colorScheme, width) => {
    const form = await threeLanguages(await app.createTenant('Axe'))
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    for (const language of ['de', 'ar']) {
      await page.goto(`${app.url}/f/${form.launchCode}?lang=${language}`)
      await there()
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
      expect(await violations(page)).toEqual([])
    }
  })
})
