import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { getSettings } from '../../../src/forms/settings/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import {
  answersByType,
  complete,
  createPublished,
  createUnpublished,
  type TestForm,
} from '../../support/forms/collecting.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { createPerson } from '../../support/pages/console.ts'
import { expectSound, signInAt } from '../../support/pages/pages.ts'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const types = Object.keys(answersByType) as (keyof typeof answersByType)[]

describe.skipIf(!hasBrowser)('forms and results in a browser', () => {
  let app: TestApp
  let acme: TestTenant
  let form: TestForm
  let responseId: string
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  beforeAll(async () => {
    app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
    acme = await app.createTenant()
    const questions = types.map((type) => ({
      ...questionBody(type, type === 'payment' ? { amount: 3000, currency: 'EUR' } : {}),
      text: `${type} <b>${LONG}</b>`,
    }))
    form = await createPublished(acme, questions, `Survey ${LONG}`)
    const values = types.map((type) => answersByType[type].sent)
    for (let i = 0; i < 30; i++) responseId = (await complete(acme, form, values)).response.id
    await createUnpublished(acme, [], 'Empty')
    browser = await openBrowser()
    page = await browser.context.newPage()
    const { email } = await createPerson(acme, 'agent')
    await signInAt(page, app, email)
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  const paths = () => {
    const own = `/console/forms/${form.id}`
    const narrowed = `answer=${form.questionIds[6]}.in.9~`
    const compared = `from=2026-01-01&compare=dates&from2=2026-01-01&${narrowed}`
    return [
      ...['/console/forms', '/console/forms/trash', own, `${own}/settings`, `${own}/results?${compared}`],
      ...[`${own}/responses`, `${own}/results/${form.questionIds[9]}?q=works&${narrowed}`],
      ...[`${own}/results?to=2020-01-01`, `/console/responses/${responseId}`],
    ]
  }
  test('no page has a violation that axe finds, or is wider than the window', async () => {
    const refused: string[] = []
    const note = (message: { text(): string }) => {
      // What axe looks for in the frame of a preview is kept from it as well.
      const isAxes = /form\.css.* "connect-src 'none'"/.test(message.text())
      if (/Content Security Policy/.test(message.text()) && !isAxes) refused.push(message.text())
    }
    page.on('console', note)
    for (const path of paths()) {
      await page.goto(app.url + path)
      for (const details of await page.locator('.chart details').all())
        await details.evaluate((node) => node.setAttribute('open', ''))
      await expectSound(page)
      const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map(({ id }) => id))
      expect([path, ids]).toEqual([path, [...new Set(ids)]])
    }
    page.off('console', note)
    expect(refused).toEqual([])
  })

  test('the look of a form shows as it is chosen, before it is saved', async () => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${app.url}/console/forms/${form.id}/settings`)
    const shown = page.frameLocator('.preview iframe:not(.waiting)')
    await shown.locator('#form').waitFor()
    await page.getByLabel('Corners').selectOption('square')
    await page.getByLabel('Letters').selectOption('mono')
    await page.getByLabel('Background colour').fill('#f4d9b0')
    // What is looked at is exchanged for what was chosen last.
    const address = 'corners=square&background=%23f4d9b0'
    await page.locator(`.preview iframe:not(.waiting)[src*="font=mono"][src*="${address}"]`).waitFor()
    const look = await shown
      .locator('#form')
      .evaluate((card) => [
        getComputedStyle(card).borderTopLeftRadius,
        getComputedStyle(document.documentElement).backgroundColor,
        getComputedStyle(document.documentElement).fontFamily.includes('monospace'),
      ])
    expect(look).toEqual(['0px', 'rgb(244, 217, 176)', true])
    const { text } = await app.request('GET', `/f/${form.launchCode}`)
    expect(text).not.toContain('#f4d9b0')
  })

  test('what a form says at its end is written as it will look', async () => {
    await page.goto(`${app.url}/console/forms/${form.id}/settings`)
    const thanks = page.getByRole('textbox', { name: 'Thank-you text' })
    await page.locator('.editor').waitFor()
    await thanks.click()
    await page.keyboard.press('Control+b')
    await page.keyboard.type('See you <soon>')
    await page.keyboard.press('Control+b')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The settings were saved.').waitFor()
    expect((await getSettings(app.database.db, acme.tenantId, form.id)).thanks).toBe('<b>See you &lt;soon&gt;</b>')
    await page.locator('.editor b').waitFor()
    await expectSound(page)
  })

  test('a form is closed, opened again and thrown away by keyboard alone', async () => {
    await page.goto(`${app.url}/console/forms/${form.id}`)
    const press = async (name: string) => {
      await tabTo(page, name)
      await page.keyboard.press('Enter')
    }
    await press('Stop collecting')
    await page.getByText('The form is closed.', { exact: true }).waitFor()
    await press('Collect again')
    await page.getByText('The form is collecting again.').waitFor()
    await press('Results')
    await page.waitForURL(/\/results$/)
    await press('Show as a table')
    expect(await page.locator('.chart table').first().isVisible()).toBe(true)
    await page.goto(`${app.url}/console/forms/${form.id}`)
    const question = page.getByText('its responses count as deleted')
    expect(await question.isVisible()).toBe(false)
    await press('Move to the trash')
    expect(await question.isVisible()).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('is in the trash.').waitFor()
    await page.goto(`${app.url}/console/forms/trash`)
    await press('Restore')
    await page.getByText('The form is back.').waitFor()
  })
})

/** Presses Tab until what begins with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
    if (focused.startsWith(name)) return
  }
  throw new Error(`no Tab leads to ${name}`)
}
