import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { getDraft } from '../../../src/forms/drafts.ts'
import type { QuestionType } from '../../../src/forms/question-types/index.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { createPerson } from '../../support/pages/console.ts'
import { listenersOfDocument, signInAt, violationsIn } from '../../support/pages/pages.ts'
import { until } from '../../support/patience.ts'

describe.skipIf(!hasBrowser)('the builder in a browser', () => {
  let app: TestApp
  let acme: TestTenant
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let email: string
  beforeAll(async () => {
    app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
    acme = await app.createTenant()
    browser = await openBrowser()
    page = await browser.context.newPage()
    email = (await createPerson(acme, 'agent')).email
    await signIn(page)
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  async function signIn(tab: Page): Promise<void> {
    await signInAt(tab, app, email)
  }

  const form = async () => {
    const { id } = (await acme.get('/v1/forms')).body.items[0]
    return (await acme.get(`/v1/forms/${id}`)).body
  }
  /** Until never published, the API shows the draft. */
  const asked = async () =>
    (await form()).pages.map(({ questions }: { questions: { text: string }[] }) => questions.map(({ text }) => text))
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
  const said = (text: string) => page.locator('[data-status]').getByText(text, { exact: true }).waitFor()
  const preview = () => page.frameLocator('.preview iframe:not(.waiting)')

  test('a form is built, reordered, undone, published and answered by keyboard alone', async () => {
    const refused: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) refused.push(message.text())
    })
    await page.goto(`${app.url}/console/forms/new`)
    await page.getByLabel('Title').focus()
    expect(await violationsIn(page.mainFrame())).toEqual([])
    await page.keyboard.type('Lunch')
    await page.keyboard.press('Enter')
    await page.getByText('Add the first question').waitFor()
    // With its scripts: before they run it works as well, but the focus stays where it was.
    await page.waitForLoadState()

    // The focus is where the next thing is typed.
    await press('Single choice')
    await page.getByRole('heading', { name: '1. Single choice' }).waitFor()
    await page.keyboard.type('What do you ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('eat')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('?')
    await page.getByLabel('Options').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Soup')
    await page.keyboard.press('Tab')
    await page.locator('#field-options-error').waitFor()
    expect(await page.locator('#field-options-error').textContent()).toBe('There must be at least 2.')
    await page.getByLabel('Options').focus()
    await page.keyboard.type('\nSalad')
    await said('Saved')
    await page.locator('#field-options-error').waitFor({ state: 'detached' })
    expect((await form()).pages[0].questions[0]).toMatchObject({
      text: 'What do you <b>eat</b>?',
      options: ['Soup', 'Salad'],
    })
    await preview().getByText('Salad').waitFor()
    expect(await violationsIn(page.mainFrame())).toEqual([])

    await page.getByRole('link', { name: 'Add a question below' }).press('Enter')
    await page.getByText('It goes right below question 1.').waitFor()
    await press('Net Promoter Score')
    await page.getByRole('heading', { name: '2. Net Promoter Score' }).waitFor()
    await page.keyboard.type('Likely?')
    await press('Add a page')
    await page.getByLabel('Title of the page').waitFor()
    await page.keyboard.type('More')
    await page.getByRole('link', { name: 'Add the first question' }).press('Enter')
    await page.getByRole('heading', { name: 'Add a question', level: 2 }).waitFor()
    await press('Text')
    await page.getByRole('heading', { name: '3. Text' }).waitFor()
    await page.keyboard.type('Anything else?')
    await said('Saved')
    expect(await asked()).toEqual([['What do you <b>eat</b>?', 'Likely?'], ['Anything else?']])

    // The button that was pressed keeps the focus, so that it can be pressed again.
    await press('Move question 1 down')
    await focusedOn('Move question 2 down')
    await page.keyboard.press('Enter')
    await page.locator('.form-pages > li:last-child [data-question]').nth(1).waitFor()
    expect(await asked()).toEqual([['Likely?'], ['What do you <b>eat</b>?', 'Anything else?']])
    await press('Delete question 3')
    await said('Question deleted')
    await press('Undo: Question deleted')
    await said('Undone')
    expect(await asked()).toEqual([['Likely?'], ['What do you <b>eat</b>?', 'Anything else?']])

    await page.getByRole('link', { name: 'Publish…' }).press('Enter')
    await page.getByText('It asks 3 questions.').waitFor()
    expect(await violationsIn(page.mainFrame())).toEqual([])
    await press('Publish')
    await page.getByText('The form is published.').waitFor()
    expect(refused).toEqual([])

    await page.goto(`${app.url}/f/${(await form()).launchCode}`)
    const [nine, salad] = ['9', 'Salad'].map((name) => page.getByRole('radio', { name })) as [Locator, Locator]
    // Until the script of the page has started, which is after it was first painted, its button takes no key.
    await page.locator('#next:enabled').waitFor()
    await nine.press('Space')
    await until(() => nine.isChecked())
    await press('Next')
    await salad.press('Space')
    await page.getByRole('textbox').first().focus()
    await page.keyboard.type('No')
    app.clock.advance(5000)
    await press('Send')
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    const [response] = await responses()
    expect(response.answers.map(({ value }: { value: unknown }) => value)).toEqual([
      9,
      { selected: 'Salad', other: null },
      'No',
    ])
  })

  test('a question is drawn elsewhere, what cannot be saved stays, and the preview sends nothing', async () => {
    await page.goto(`${app.url}/console/forms/${(await form()).id}/build`)
    const grip = page.locator('[data-question]', { hasText: 'Anything else?' }).locator('.grip')
    await grip.dragTo(page.locator('[data-question]', { hasText: 'Likely?' }), { targetPosition: { x: 60, y: 4 } })
    await said('Question moved')
    expect(await drafted()).toEqual([['Anything else?', 'Likely?'], ['What do you eat?']])

    await page.getByRole('link', { name: 'What do you eat?' }).click()
    await page.getByRole('heading', { name: '3. Single choice' }).waitFor()
    await page.getByLabel('Options').fill('Bread')
    await page.getByRole('link', { name: 'Likely?' }).click()
    await page.getByText('There must be at least 2.').first().waitFor()
    // To leave the field saves it too, and may have said so first: the link leads back once it has been refused.
    await page.waitForFunction(() => document.activeElement?.id === 'field-options')
    expect(await page.getByLabel('Options').inputValue()).toBe('Bread')
    await page.getByLabel('Options').fill('Bread\nCake')
    await said('Saved')

    const frame = preview()
    await frame.getByRole('radio', { name: 'Cake' }).waitFor()
    await frame.getByRole('radio', { name: 'Cake' }).check({ force: true })
    await frame.getByRole('button', { name: 'Send' }).click()
    await frame.getByRole('heading', { name: 'Thank you' }).waitFor()
    expect((await responses()).length).toBe(1)
  })

  test('what is typed while the server is gone, or after signing in again, is saved once it can be', async () => {
    await page.goto(`${app.url}/console/forms/${(await form()).id}/build?show=intro`)
    await page.context().setOffline(true)
    await page.getByLabel('Title', { exact: true }).fill('Supper')
    await said('Not saved: the connection was lost. Trying again…')
    await page.context().setOffline(false)
    await said('Saved')
    await page.context().clearCookies()
    await page.getByLabel('Title', { exact: true }).fill('Dinner')
    await page.locator('[data-status]').getByText('you are no longer signed in').waitFor()
    const other = await page.context().newPage()
    await signIn(other)
    // Of several pages, a browser may show one alone.
    await other.close()
    await page.getByLabel('Title', { exact: true }).press('End')
    await page.keyboard.type('!')
    await said('Saved')
    expect((await getDraft(app.database.db, acme.tenantId, (await form()).id)).title).toBe('Dinner!')
    // What is typed now is not.
    const title = page.getByLabel('Title', { exact: true })
    const claimed = await title.evaluate((field: HTMLInputElement) => {
      field.value = 'Brunch'
      field.dispatchEvent(new Event('input', { bubbles: true }))
      return document.querySelector('[data-status]')?.textContent
    })
    expect(claimed).toBe('')
    await said('Saved')
    expect((await getDraft(app.database.db, acme.tenantId, (await form()).id)).title).toBe('Brunch')
  })

  test('whoever goes on is where they went, however long they press and whatever was saved meanwhile', async () => {
    const questions = ['First?', 'Second?', 'Third?'].map((text) => questionBody('textbox', { text }))
    const { id } = (await acme.post('/v1/forms', { title: 'Pressed', questions })).body
    await page.goto(`${app.url}/console/forms/${id}/build`)
    await page.getByRole('link', { name: 'First?' }).click()
    await page.getByRole('heading', { name: '1. Text' }).waitFor()
    const typed = page.locator('#field-text')
    const saved = async () => (await page.waitForResponse((answer) => answer.request().method() === 'POST')).finished()
    /** What happens until the answer has been there for as long as two questions to the page take. */
    const meanwhile = async (begin: () => Promise<void>) => {
      await Promise.all([saved(), begin()])
      for (const _ of [1, 2]) await page.evaluate(() => new Promise(requestAnimationFrame))
    }

    await typed.fill('By mouse?')
    await page.getByRole('link', { name: 'Second?' }).hover()
    await meanwhile(() => page.mouse.down())
    await page.mouse.up()
    await page.getByRole('heading', { name: '2. Text' }).waitFor()

    await typed.fill('By keyboard?')
    await meanwhile(async () => {
      await page.getByRole('button', { name: 'Move question 3 up' }).focus()
      await page.keyboard.down('Space')
    })
    await page.keyboard.up('Space')
    await said('Question moved')
    const { pages } = await getDraft(app.database.db, acme.tenantId, id)
    expect(pages[0]?.questions.map(({ text }) => text)).toEqual(['By mouse?', 'Third?', 'By keyboard?'])
  })

  test('leaves nothing behind of the parts that were worked on before: the tenth is as quick as the first', async () => {
    const questions = ['One?', 'Two?'].map((text) => questionBody('textbox', { text }))
    const { id } = (await acme.post('/v1/forms', { title: 'Long', questions })).body
    await page.goto(`${app.url}/console/forms/${id}/build`)
    const workOn = async (name: string, number: number) => {
      await page.getByRole('link', { name }).click()
      await page.getByRole('heading', { name: `${number}. Text` }).waitFor()
      await page.locator('#pane [role="textbox"]').first().waitFor()
    }
    await workOn('One?', 1)
    const once = await listenersOfDocument(page)
    expect(once).toContain('selectionchange')
    for (const _ of [1, 2, 3]) {
      await workOn('Two?', 2)
      await workOn('One?', 1)
    }
    expect(await listenersOfDocument(page)).toEqual(once)
    // The one that is there still hears what is typed.
    await page.locator('#field-text').fill('Which?')
    await said('Saved')
  })

  const drafted = async () => {
    const { pages } = await getDraft(app.database.db, acme.tenantId, (await form()).id)
    return pages.map(({ questions }) => questions.map(({ text }) => text.replace(/<[^>]*>/g, '')))
  }
  const responses = async () => (await acme.get(`/v1/forms/${(await form()).id}/responses?status=all`)).body.items
  const focusedOn = (name: string) =>
    page.waitForFunction((name) => document.activeElement?.getAttribute('aria-label') === name, name)

  test('the kind of a question stands beside its grip, however long it is and whatever stands behind it', async () => {
    const questions = ['nps', 'choose_one', 'multi_dropdown'].map((type) => ({
      ...questionBody(type as QuestionType),
      required: true,
    }))
    const nps = questionBody('nps', { text: 'How likely?' })
    const { body } = await acme.post('/v1/forms', { title: 'Rows', questions: [nps, ...questions] })
    for (const width of [1440, 1280, 800, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${app.url}/console/forms/${body.id}/build`)
      await page.locator('.drags').first().waitFor()
      const rows = await page.locator('.row-foot').evaluateAll((feet) =>
        feet.map((foot) => {
          const [grip, facts, tools] = [...foot.children].map((part) => part.getBoundingClientRect())
          const middle = (box?: DOMRect) => Math.round((box?.top ?? 0) + (box?.height ?? 0) / 2)
          return {
            isOneRow: new Set([middle(grip), middle(facts), middle(tools)]).size === 1,
            lines: Math.round(
              (facts?.height ?? 0) / Number.parseFloat(getComputedStyle(foot.children[1] as Element).lineHeight),
            ),
            fits: (facts?.right ?? 0) <= (tools?.left ?? 0) && (grip?.right ?? 0) <= (facts?.left ?? 0),
          }
        }),
      )
      expect([width, rows.length, rows.every(({ isOneRow, fits }) => isOneRow && fits)]).toEqual([width, 4, true])
      if (width === 1440) expect(rows[0]?.lines).toBe(1)
    }
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  test('the focus goes on from what was added or deleted, a page or an end as well as a question', async () => {
    const { id } = (await acme.post('/v1/forms', { title: 'Pages and ends', questions: [] })).body
    await page.goto(`${app.url}/console/forms/${id}/build`)
    await page.waitForLoadState()
    const focused = () =>
      page.evaluate(() => {
        const { activeElement } = document
        return activeElement?.id || activeElement?.textContent?.trim().replace(/\s+/g, ' ')
      })
    await press('Add a page')
    await until(async () => (await focused()) === 'field-title')
    await press('Delete page 2 with its questions')
    await said('Page deleted')
    expect(await focused()).toBe('Page 1')
    await press('Add an end')
    await page.getByRole('heading', { name: 'End 1' }).waitFor()
    expect(await focused()).toBe('field-kind')
    await press('Delete end 1')
    await said('End deleted')
    expect(await focused()).toBe('What the settings say')
  })
})
