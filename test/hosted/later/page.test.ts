import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { publishForm } from '../../../src/forms/publishing.ts'
import { questionTypeNames } from '../../../src/forms/question-types/index.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { answersByType, createPublished, type TestForm } from '../../support/forms/collecting.ts'
import { createTestUpload, respondent } from '../../support/forms/hosted.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { type MailServer, startMailServer } from '../../support/mail/server.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { expectThanks, violations } from '../../support/pages/pages.ts'

let server: MailServer
let app: TestApp
let acme: TestTenant
let browser: Awaited<ReturnType<typeof openBrowser>>
let page: Page

describe.skipIf(!hasBrowser)('a respondent who goes on later', () => {
  beforeAll(async () => {
    server = await startMailServer()
    app = await startApp({
      environment: { FRONTDESK_SMTP_URL: server.url, FRONTDESK_PUBLIC_RATE_LIMIT: '100000' },
    })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
    await server?.close()
  })
  beforeEach(async () => {
    acme = await app.createTenant('Acme Roasters')
    server.mails.length = 0
    page = await browser.context.newPage()
  })
  afterEach(() => page.close())

  async function createForm(questions: object[]): Promise<TestForm> {
    const form = await createPublished(acme, questions)
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { later: true }))
    return form
  }
  /** Opens the link that was mailed, in a browser that knows nothing of the form. */
  async function openLink(shown = '#next:enabled'): Promise<string> {
    await app.runDue()
    const { pathname, search } = new URL(/https?:\/\/\S+later=\S+/.exec(server.mails.at(-1)?.text ?? '')?.[0] ?? '')
    await page.evaluate(() => localStorage.clear()).catch(() => {})
    const address = `${app.url}${pathname}${search}`
    await page.goto(address)
    await page.waitForSelector(shown)
    app.clock.advance(5000)
    return address
  }
  const answersOf = async ({ id }: TestForm) =>
    (await acme.get(`/v1/forms/${id}/responses?status=all`)).body.items.map(
      ({ status, answers }: { status: string; answers: { value: unknown }[] }) => [
        status,
        answers.map(({ value }) => value),
      ],
    )

  test('is asked what the answers and the address of then lead to, as soon as the page shows', async () => {
    const when = (condition: object) => ({ match: 'all', conditions: [condition] })
    const { body } = await acme.post('/v1/forms', {
      title: 'Reacts',
      active: true,
      pages: [
        { questions: [{ type: 'textbox', text: 'Name', friendlyId: 'NAME' }] },
        {
          questions: [
            { type: 'textbox', text: 'Why, {NAME}?', showIf: when({ question: 'NAME', op: 'is', value: 'Ada' }) },
            { type: 'textbox', text: 'On {hidden.plan}', showIf: when({ hidden: 'plan', op: 'is', value: 'pro' }) },
            { type: 'textbox', text: 'Nobody', showIf: when({ question: 'NAME', op: 'not_answered' }) },
          ],
        },
      ],
    })
    await acme.perform((tx, caller) => publishForm(tx, caller, body.id))
    await acme.perform((tx, caller) => changeSettings(tx, caller, body.id, { later: true, hidden: ['plan'] }))
    await page.goto(`${app.url}/f/${body.launchCode}?plan=pro`)
    await page.waitForSelector('#next:enabled')
    await page.fill('[data-page="0"] .text', 'Ada')
    await page.getByRole('button', { name: 'Go on later' }).press('Enter')
    await page.fill('#later-email', 'ada@acme.test')
    await page.press('#later-email', 'Enter')
    await page.waitForFunction(() => document.querySelector<HTMLElement>('.later-fields')?.hidden)
    const written = await (await fetch(await openLink())).text()
    await page.click('#next')
    await page.waitForSelector('.page[data-page="1"]:not([hidden])')
    const asked = await page.locator('.question:visible .asked-text').allTextContents()
    expect(asked).toEqual(['Why, Ada?', 'On pro'])
    expect(written).toContain('>Why, Ada?<')
    expect(written).toContain('>On pro<')
  })

  test('has a link mailed, and finds on another device what was entered', async () => {
    const form = await createForm([
      { type: 'textbox', text: 'Name' },
      { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] },
    ])
    await page.goto(`${app.url}/f/${form.launchCode}`)
    await page.waitForSelector('#next:enabled')
    await page.fill(`#q${form.questionIds[0]}-input`, 'Ada')
    await page.fill('[data-field=email]', 'ada@')
    await page.getByRole('button', { name: 'Go on later' }).press('Enter')
    await page.waitForFunction(() => document.activeElement?.id === 'later-email')
    expect(await page.inputValue('#later-email')).toBe('ada@')
    expect(await violations(page)).toEqual([])
    await page.press('#later-email', 'Enter')
    expect(await page.textContent('#later-status')).toBe('This must be an email address.')
    await page.fill('#later-email', 'ada@customer.test')
    await page.press('#later-email', 'Enter')
    await page.waitForFunction(() =>
      document.querySelector('#later-status')?.textContent?.includes('ada@customer.test'),
    )
    expect(await page.textContent('#later-status')).toBe(
      'We have sent a link to ada@customer.test. You can close this page.',
    )
    await openLink()
    expect(page.url()).toBe(`${app.url}/f/${form.launchCode}`)
    expect(await page.inputValue(`#q${form.questionIds[0]}-input`)).toBe('Ada')
    expect(await page.inputValue('[data-field=email]')).toBe('ada@')
    expect(await page.locator('#resumed').isVisible()).toBe(true)
    // It is kept from here on: the address is not needed again.
    await page.reload()
    await page.waitForSelector('#next:enabled')
    app.clock.advance(5000)
    await page.fill('[data-field=email]', 'ada@customer.test')
    await page.click('#next')
    await expectThanks(page)
    expect(await answersOf(form)).toEqual([['complete', ['Ada', { email: 'ada@customer.test' }]]])
    await openLink('#already-sent:visible')
    expect(await page.locator('#later').count()).toBe(0)
  })

  test('finds answers of every type as they were given', async () => {
    const form = await createForm(
      questionTypeNames.map((type) => questionBody(type, ['choose_any'].includes(type) ? { otherText: 'Else' } : {})),
    )
    const visitor = respondent(app, form)
    const [cv, drawn] = [await createTestUpload(acme, form), await createTestUpload(acme, form)]
    const given = questionTypeNames.map((type) => {
      if (type === 'file_upload') return [{ slot: 1, uploadId: cv }]
      if (type === 'signature') return { uploadId: drawn }
      if (type === 'choose_any') return { selected: ['Red', 'Blue'], other: 'Green & <b>gold</b>' }
      return answersByType[type].sent
    })
    const { body } = await visitor.begin(given)
    const asked = await app.request('POST', `${visitor.path}/responses/${body.id}/later`, {
      body: { resumeToken: body.resumeToken, email: 'ada@customer.test' },
    })
    expect(asked.status).toBe(202)
    const [[, before]] = await answersOf(form)
    expect(before).toHaveLength(questionTypeNames.length)
    await openLink()
    await page.click('#next')
    await expectThanks(page)
    const paid = questionTypeNames.indexOf('payment')
    const [[status, after]] = await answersOf(form)
    expect(status).toBe('complete')
    expect(after.toSpliced(paid, 1)).toEqual(before.toSpliced(paid, 1))
    expect(after[paid]).toMatchObject({ status: 'pending' })
  })

  test('is told that a link works no more, and can begin anew', async () => {
    const form = await createForm([{ type: 'textbox', text: 'Name' }])
    await page.goto(`${app.url}/f/${form.launchCode}?later=r_0.zzz.AAAA`)
    await page.waitForSelector('#next:enabled')
    expect(await page.textContent('#link-over:visible')).toBe(
      'This link does not work any more. You can begin anew here.',
    )
    app.clock.advance(5000)
    await page.fill('.text', 'Ada')
    await page.click('#next')
    await expectThanks(page)
  })
})
