import { afterAll, beforeAll, describe, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { createPerson, PASSWORD } from '../support/console.ts'
import { expectSound } from '../support/pages.ts'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

describe.skipIf(!hasBrowser)('the settings in a browser', () => {
  let app: TestApp
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page

  beforeAll(async () => {
    app = await startApp()
    const acme = await app.createTenant(`Acme ${LONG}`)
    const admin = await createPerson(acme)
    browser = await openBrowser()
    page = await browser.context.newPage()
    await page.goto(`${app.url}/console/sign-in`)
    await page.getByLabel('Email').fill(admin.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/console\/(?!sign-in)/)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  test('lead by keyboard from nothing to a chat on a site, and are sound on the way', async () => {
    await page.goto(`${app.url}/console/settings`)
    await expectSound(page)
    await page.goto(`${app.url}/console/settings/chats`)
    await expectSound(page)
    await page.goto(`${app.url}/console/settings/inboxes`)
    await expectSound(page)
    await page.getByLabel('Name').focus()
    await page.keyboard.type(LONG)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Live')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('was created.').waitFor()
    await page.getByRole('link', { name: 'Live chat' }).press('Enter')
    await page.getByRole('link', { name: 'New live chat' }).press('Enter')
    await page.getByLabel('Name').focus()
    await expectSound(page)
    await page.keyboard.type(LONG)
    await page.keyboard.press('Enter')
    await page.getByText('The live chat was created.').waitFor()
    await page.locator('#field-hours').focus()
    await page.keyboard.type('whenever')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await expectSound(page)
    await page.getByText('Make a new secret').first().press('Enter')
    await page.getByRole('button', { name: 'Make a new secret' }).press('Enter')
    await page.getByRole('button', { name: 'Copy' }).waitFor()
    await expectSound(page)
  })
})
