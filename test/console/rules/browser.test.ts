import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createRule } from '../../../src/rules/operations.ts'
import { listRules } from '../../../src/rules/read.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { createPerson } from '../../support/pages/console.ts'
import { expectSound, signInAt } from '../../support/pages/pages.ts'
import { until } from '../../support/patience.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

const RULES = '/console/settings/rules'

describe.skipIf(!hasBrowser)('rules in a browser', () => {
  let app: TestApp
  let acme: TestTenant
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page

  beforeAll(async () => {
    app = await startApp()
    acme = await app.createTenant()
    const admin = await createPerson(acme)
    browser = await openBrowser()
    page = await browser.context.newPage()
    await signInAt(page, app, admin.email)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  test('are made of one to begin with, tried, switched on and shown with their runs', async () => {
    await createTicket(acme, { subject: 'Urgent: no key' })
    await page.goto(app.url + RULES)
    await expectSound(page)
    await page.getByRole('link', { name: 'Who says urgent comes first' }).click()
    await expectSound(page)
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('Of the newest 1, it would have done something with 1').waitFor()
    await expectSound(page)
    await page.getByRole('button', { name: 'Make the rule' }).last().click()
    await page.getByText('switch it on once you have seen').waitFor()
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByRole('button', { name: 'Switch off' }).waitFor()
    const ticket = await createTicket(acme, { subject: 'Urgent: no light' })
    await createTicket(acme)
    await app.runDue()
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.priority).toBe('urgent')
    await page.reload()
    await page.getByText(`${ticket.ticketReference} Urgent: no light`).waitFor()
    await expectSound(page)
  })

  test('say at the control what is wrong, and lists of several are sound', async () => {
    const every = [
      { do: 'mail', to: [`admin@${acme.tenantId}.test`], subject: 'x', text: 'x' },
      { do: 'set_priority', priority: 'high' },
    ]
    const when = { all: [{ field: 'priority', one_of: ['low', 'high'] }] }
    const { id } = await acme.perform((tx, caller) =>
      createRule(tx, caller, { name: 'Second', on: 'ticket.created', when, then: every }),
    )
    await page.goto(`${app.url}${RULES}/${id}`)
    await expectSound(page)
    await page.getByLabel('Subject').fill(' ')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByRole('alert').waitFor()
    await expectSound(page)
    await page.goto(app.url + RULES)
    await page.getByRole('button', { name: 'Earlier: Second' }).click()
    await page.getByText('The order is changed.').waitFor()
    expect((await listRules(app.database.db, acme.tenantId)).map(({ name }) => name)[0]).toBe('Second')
    await expectSound(page)
  })

  test('show by themselves what follows from a choice, and lose nothing of what was typed', async () => {
    await page.goto(`${app.url}${RULES}/new`)
    await page.evaluate(() => Object.assign(window, { stayed: true }))
    await page.getByLabel('Name').fill('Keys')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    const condition = page.getByRole('group', { name: 'Condition 1' })
    const what = condition.getByLabel('What', { exact: true })
    await what.and(page.locator(':focus')).waitFor()
    await what.selectOption({ label: 'the subject' })
    await condition.getByLabel('How').selectOption({ label: 'contains' })
    await condition.getByLabel('With what').fill('key')
    await page.getByLabel('What is done').selectOption({ label: 'set the priority' })
    await page.getByLabel('Priority').selectOption('high')
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByRole('group', { name: 'Step 2' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('group', { name: 'Step 2' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Show what can be chosen' }).isVisible()).toBe(false)
    expect(await page.evaluate(() => 'stayed' in window)).toBe(true)
    await expectSound(page)
    await page.getByRole('button', { name: 'Make the rule' }).last().click()
    await page.getByText('switch it on once you have seen').waitFor()
    const made = (await listRules(app.database.db, acme.tenantId)).find(({ name }) => name === 'Keys')
    expect(made).toMatchObject({
      when: { all: [{ field: 'subject', contains: 'key' }] },
      then: [{ do: 'set_priority', priority: 'high' }],
    })
  })

  test('leave whoever has gone on to another field there, as what follows from a choice comes', async () => {
    await page.goto(`${app.url}${RULES}/new`)
    const answered = Promise.withResolvers<void>()
    await page.route('**/settings/rules/new', async (route) => {
      await answered.promise
      await route.continue()
    })
    await page.getByLabel('What is done').selectOption({ label: 'set the priority' })
    await page.getByLabel('Name').focus()
    answered.resolve()
    await page.getByLabel('Priority').waitFor()
    await page.keyboard.type('Urgent')
    expect(await page.getByLabel('Name').inputValue()).toBe('Urgent')
    await page.unroute('**/settings/rules/new')
  })

  test('are put in order by keys: the button that was pressed has the focus, to be pressed again', async () => {
    const tenant = await app.createTenant()
    for (const name of ['First', 'Second', 'Third']) {
      await tenant.perform((tx, caller) =>
        createRule(tx, caller, { name, on: 'ticket.created', then: [{ do: 'stop' }] }),
      )
    }
    await page.context().clearCookies()
    await signInAt(page, app, (await createPerson(tenant)).email, RULES)
    const names = () => page.locator('main a[href^="/console/settings/rules/0"]').allTextContents()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('title') ?? '')
    const press = async () => {
      const shown = page.waitForEvent('load')
      await page.keyboard.press('Enter')
      await shown
    }
    await page.getByRole('button', { name: 'Later: First' }).focus()
    await press()
    await until(async () => (await focused()) === 'Later: First')
    expect(await names()).toEqual(['Second', 'First', 'Third'])
    await press()
    // There is nothing behind the last one.
    await until(async () => (await focused()) === 'Earlier: First')
    expect(await names()).toEqual(['Second', 'Third', 'First'])
    await press()
    await press()
    await until(async () => (await focused()) === 'Later: First')
    expect(await names()).toEqual(['First', 'Second', 'Third'])
  })
})
