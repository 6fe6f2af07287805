import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { createPerson } from '../../support/pages/console.ts'
import { everyPart, expectThanks, signInAt } from '../../support/pages/pages.ts'

describe.skipIf(!hasBrowser)('the preview of a form that reacts', () => {
  let app: TestApp
  let acme: TestTenant
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  beforeAll(async () => {
    app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
    acme = await app.createTenant()
    browser = await openBrowser()
    page = await browser.context.newPage()
    await signInAt(page, app, (await createPerson(acme, 'agent')).email)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  const low = { match: 'all', conditions: [{ question: 'SCORE', op: 'at_most', value: 6 }] }
  const asked = () => page.locator('.question:visible .asked-text').allTextContents()

  async function preview(hash = ''): Promise<{ id: number }[]> {
    const { body } = await acme.post('/v1/forms', {
      title: 'In the making',
      pages: [
        { questions: [questionBody('nps', { text: 'How likely?', friendlyId: 'SCORE' })] },
        { showIf: low, questions: [questionBody('textbox', { text: 'What went wrong?', friendlyId: 'WHY' })] },
        { questions: [questionBody('binary', { text: 'Again?' })] },
      ],
      ends: [{ showIf: low, thanks: '<p>Sorry: {WHY}</p>' }],
    })
    const questions = body.pages.flatMap(({ questions }: { questions: { id: number }[] }) => questions)
    const wanted = hash && `#at-q${questions[1].id}`
    await page.goto(`${app.url}/console/forms/${body.id}/preview${wanted}`)
    await page.waitForSelector('#next:enabled')
    return questions
  }

  test('walks through the draft as answers lead, to the end that they decide on, and sends nothing', async () => {
    const [score] = await preview()
    expect(await page.textContent('#progress-text')).toBe('Page 1 of 2')
    await page.click(`.step:has(#q${score?.id}-0-3)`)
    expect(await page.textContent('#progress-text')).toBe('Page 1 of 3')
    await page.click('#next')
    await page.waitForSelector('.page[data-page="1"]:not([hidden])')
    await page.fill('.type-textbox .text', 'the <b>cold</b>')
    await page.click('#next')
    await page.waitForSelector('.page[data-page="2"]:not([hidden])')
    await page.click('#next')
    await expectThanks(page)
    expect(await page.textContent('#thanks')).toBe('Sorry: the <b>cold</b>')
    expect(await page.locator('#thanks b').count()).toBe(0)
  })

  test('has what comes with scripts of their own, and shows what a file would look like, though nothing can be sent', async () => {
    const { body } = await acme.post('/v1/forms', {
      title: 'In the making',
      questions: [questionBody('ranking'), questionBody('file_upload', { fileUploadSlots: ['CV'] })],
    })
    await page.goto(`${app.url}/console/forms/${body.id}/preview`)
    await page.waitForSelector('#next:enabled')
    await everyPart(page)
    await page.locator('[data-move="1"]').first().click()
    expect(await page.locator('.ranking .label').allTextContents()).toEqual(['Second', 'First', 'Third'])
    const file = { name: 'cv.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }
    await page.setInputFiles('[type=file]', file)
    await page.locator('.sent:visible').waitFor()
  })

  test('begins with the question that is worked on, though it would not be asked', async () => {
    await preview('asked')
    expect(await asked()).toEqual(['What went wrong?'])
    expect(await page.textContent('#progress-text')).toBe('Page 2 of 3')
  })
})
