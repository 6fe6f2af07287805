import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { getDraft } from '../../../src/forms/drafts.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { createPerson } from '../../support/pages/console.ts'
import { expectSound, LOOKS, signInAt, violationsIn } from '../../support/pages/pages.ts'
import { until } from '../../support/patience.ts'

describe.skipIf(!hasBrowser)('conditions in the builder, in a browser', () => {
  let app: TestApp
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  /** As `expectSound`, but for the preview, whose frame makes way for another one whenever something is saved. */
  async function expectSoundAround(page: Page): Promise<void> {
    for (const [colorScheme, width] of LOOKS) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await page.evaluate(() => {
        for (const animation of document.getAnimations()) animation.cancel()
      })
      expect([colorScheme, await violationsIn(page.mainFrame())]).toEqual([colorScheme, []])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect([colorScheme, Math.max(0, overflow)]).toEqual([colorScheme, 0])
    }
  }

  const questions = [
    { type: 'nps', text: 'Likely?', friendlyId: 'SCORE' },
    { type: 'choose_one', text: 'Topic?', friendlyId: 'TOPIC', options: ['Price', 'Speed'] },
    { type: 'textbox', text: 'Why?', friendlyId: 'WHY' },
    { type: 'textbox', text: 'Anything else?', friendlyId: 'MORE' },
  ]

  /** A form of a tenant of its own, and the page where its question `at` is worked on, with its script. */
  async function open(at: number): Promise<{ page: Page; acme: TestTenant; formId: string; ids: number[] }> {
    const acme = await app.createTenant()
    const { body } = await acme.post('/v1/forms', { title: 'Survey', active: true, questions })
    const ids = body.pages[0].questions.map(({ id }: { id: number }) => id)
    const page = await browser.context.newPage()
    await browser.context.clearCookies()
    await signInAt(page, app, (await createPerson(acme, 'agent')).email)
    await page.goto(`${app.url}/console/forms/${body.id}/build?show=question-${ids[at]}`)
    // With its script: then what is wrong is said by the server alone.
    await page.locator('[data-editor] form[novalidate]').waitFor()
    return { page, acme, formId: body.id, ids }
  }

  test('each choice brings what follows from it, and is saved by itself', async () => {
    const { page, acme, formId, ids } = await open(2)
    const showIf = async () => {
      const { pages } = await getDraft(app.database.db, acme.tenantId, formId)
      return pages[0]?.questions[2]?.showIf?.conditions
    }
    const saved = (conditions: object[]) =>
      until(async () => JSON.stringify(await showIf()) === JSON.stringify(conditions))
    const about = page.getByLabel('What condition 1 is about')
    const how = page.getByLabel('How condition 1 compares')
    const value = page.getByLabel('Value of condition 1')

    await page.getByRole('button', { name: 'Add a condition' }).press('Enter')
    await saved([{ question: ids[1], op: 'is', value: 'Price' }])
    // It is gone on with where it begins.
    await until(() => about.evaluate((element) => element === document.activeElement))
    await about.selectOption('1. Likely?')
    await saved([{ question: ids[0], op: 'at_most', value: 6 }])
    await value.locator('option', { hasText: '10' }).waitFor({ state: 'attached' })
    await value.selectOption('3')
    await saved([{ question: ids[0], op: 'at_most', value: 3 }])
    await how.focus()
    await how.selectOption('has an answer')
    await value.waitFor({ state: 'detached' })
    await saved([{ question: ids[0], op: 'answered' }])
    // The control that was chosen in keeps the focus.
    expect(await how.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.getByText('Shown when “Likely?” has an answer').waitFor()
    await expectSoundAround(page)

    // What Enter does in a field is to save, and not what the first button of the conditions does.
    await page.getByLabel('Name for formulas and links').fill('REASON')
    await page.getByLabel('Name for formulas and links').press('Enter')
    await page.locator('[data-status]').getByText('Saved', { exact: true }).waitFor()
    await until(async () => {
      const { pages } = await getDraft(app.database.db, acme.tenantId, formId)
      return pages[0]?.questions[2]?.friendlyId === 'REASON'
    })
    await saved([{ question: ids[0], op: 'answered' }])

    await page.getByRole('button', { name: 'Remove condition 1' }).click()
    await until(async () => (await showIf()) === undefined)
    await about.waitFor({ state: 'detached' })
    await page.close()
  })

  test('what a step brings loses nothing that was typed meanwhile, and leaves whoever has gone on where they are', async () => {
    const { page, acme, formId, ids } = await open(3)
    const answers = () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      return page
        .route(
          '**/build/**',
          async (route) => {
            await promise
            await route.continue()
          },
          { times: 1 },
        )
        .then(() => resolve)
    }
    const add = page.getByRole('button', { name: 'Add a condition' })
    const value = page.getByLabel('Value of condition 1')
    const second = page.getByLabel('What condition 2 is about')
    await add.press('Enter')
    await page.getByLabel('How condition 1 compares').selectOption('contains')
    await value.fill('slow')
    await value.press('Tab')
    await page.locator('[data-status]').getByText('Saved', { exact: true }).waitFor()

    const addedNow = await answers()
    await add.press('Enter')
    await value.focus()
    await page.keyboard.press('End')
    await page.keyboard.type('ly')
    addedNow()
    await second.waitFor()
    expect(await value.inputValue()).toBe('slowly')
    expect(await value.evaluate((element) => element === document.activeElement)).toBe(true)
    await until(async () => {
      const { pages } = await getDraft(app.database.db, acme.tenantId, formId)
      const [condition, ...more] = pages[0]?.questions[3]?.showIf?.conditions ?? []
      const wanted = { question: ids[2], op: 'contains', value: 'slowly' }
      return JSON.stringify(condition) === JSON.stringify(wanted) && more.length === 1
    })

    const chosenNow = await answers()
    await second.selectOption('1. Likely?')
    const remove = page.getByRole('button', { name: 'Remove condition 1' })
    await remove.focus()
    chosenNow()
    await page
      .getByLabel('How condition 2 compares')
      .locator('option', { hasText: 'at most' })
      .waitFor({ state: 'attached' })
    expect(await remove.evaluate((element) => element === document.activeElement)).toBe(true)

    // What is below a condition that goes is at another place, and still as it was chosen meanwhile.
    await page.locator('[data-status]').getByText('Saved', { exact: true }).waitFor()
    const removedNow = await answers()
    await remove.press('Enter')
    const other = page.getByLabel('Value of condition 2')
    await other.focus()
    await other.selectOption('3')
    removedNow()
    await second.waitFor({ state: 'detached' })
    expect([await value.inputValue(), await value.evaluate((element) => element === document.activeElement)]).toEqual([
      '3',
      true,
    ])
    await until(async () => {
      const { pages } = await getDraft(app.database.db, acme.tenantId, formId)
      const conditions = pages[0]?.questions[3]?.showIf?.conditions
      return JSON.stringify(conditions) === JSON.stringify([{ question: ids[0], op: 'at_most', value: 3 }])
    })
    await page.close()
  })

  test('what is missing is said at its control, and kept until it is there', async () => {
    const { page, acme, formId, ids } = await open(3)
    await page.getByRole('button', { name: 'Add a condition' }).press('Enter')
    const how = page.getByLabel('How condition 1 compares')
    await how.selectOption('contains')
    const value = page.getByLabel('Value of condition 1')
    await page.locator('#field-showIf-0-value-error').waitFor()
    expect(await value.getAttribute('aria-invalid')).toBe('true')
    await page.locator('[data-status]').getByText('Not saved yet').waitFor()
    await value.fill('slow')
    await value.press('Tab')
    await page.locator('#field-showIf-0-value-error').waitFor({ state: 'detached' })
    await until(async () => {
      const { pages } = await getDraft(app.database.db, acme.tenantId, formId)
      const [condition] = pages[0]?.questions[3]?.showIf?.conditions ?? []
      return JSON.stringify(condition) === JSON.stringify({ question: ids[2], op: 'contains', value: 'slow' })
    })
    await page.close()
  })

  test('the preview follows the conditions, comes to their end, and begins again', async () => {
    const acme = await app.createTenant()
    const all = (op: string, value: number) => ({ match: 'all', conditions: [{ question: 'SCORE', op, value }] })
    const [score, , why] = questions
    const { body } = await acme.post('/v1/forms', {
      title: 'Survey',
      questions: [score, { ...why, showIf: all('at_most', 6) }],
      ends: [
        { showIf: all('at_least', 9), thanks: 'You are a fan.' },
        { showIf: all('at_most', 2), redirect: 'https://example.com/sorry' },
      ],
    })
    const page = await browser.context.newPage()
    await browser.context.clearCookies()
    await signInAt(page, app, (await createPerson(acme, 'agent')).email)
    await page.goto(`${app.url}/console/forms/${body.id}/build`)
    const preview = page.frameLocator('.preview iframe:not(.waiting)')
    // Once its script has started, what nothing leads to is away.
    await preview.locator('#next:enabled').waitFor()
    const reason = preview.locator('.question', { hasText: 'Why?' })
    await reason.waitFor({ state: 'hidden' })
    await preview.getByRole('radio', { name: '3' }).check()
    await reason.waitFor()
    await preview.getByRole('radio', { name: '9' }).check()
    await reason.waitFor({ state: 'hidden' })
    await preview.getByRole('button', { name: 'Send' }).click()
    await preview.getByText('You are a fan.').waitFor()
    await page.getByRole('link', { name: 'From the beginning' }).click()
    await preview.locator('#next:enabled').waitFor()
    await preview.getByRole('radio', { name: '2' }).check()
    await reason.waitFor()
    // Where an end leads is said: the preview goes nowhere.
    await preview.getByRole('button', { name: 'Send' }).click()
    await preview.getByText('From here, people are taken to: https://example.com/sorry').waitFor()
    await page.close()
  })

  test('ends, variables and the map', async () => {
    const { page } = await open(3)
    await page.getByRole('button', { name: 'Add an end' }).click()
    await page.getByRole('heading', { name: 'End 1' }).waitFor()
    await page.getByLabel('What condition 1 is about').selectOption('1. Likely?')
    await page.getByLabel('What respondents see then').selectOption('Another page')
    await page.getByLabel('Address of the page').fill('https://example.com/sorry')
    await page.getByLabel('Address of the page').press('Tab')
    await page.locator('.form-ends').getByText('https://example.com/sorry').waitFor()
    await expectSoundAround(page)
    await page.locator('.outline').getByRole('link', { name: 'Variables' }).click()
    await page.getByLabel('Name of variable 1').fill('TOTAL')
    await page.getByLabel('Formula of variable 1').fill('{SCORE} * 2')
    await page.getByLabel('Formula of variable 1').press('Tab')
    await page.locator('.outline').getByText('TOTAL').waitFor()
    await page.getByRole('link', { name: 'Map of the form' }).click()
    await page.getByText('when “Likely?” is at most 6').waitFor()
    await page.getByText('= {SCORE} * 2').waitFor()
    await expectSound(page)
    // Where there is no room for lines, every word is there.
    const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 }
    await page.setViewportSize({ width: 240, height })
    await page.locator('.map > svg').first().waitFor({ state: 'hidden' })
    const cut = (nodes: Element[]) => nodes.filter((node) => node.scrollWidth > node.clientWidth).length
    expect(await page.locator('.map :is(a, .map-when)').evaluateAll(cut)).toBe(0)
    await page.setViewportSize({ width, height })
    await page.getByRole('link', { name: 'End 1' }).click()
    await page.getByRole('heading', { name: 'End 1' }).waitFor()
    await page.close()
  })
})
