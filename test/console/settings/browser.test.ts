import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startApp, type TestApp } from '../../support/app.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { createPerson } from '../../support/pages/console.ts'
import { expectSound, signInAt } from '../../support/pages/pages.ts'

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
    await signInAt(page, app, admin.email)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  test('lead by keyboard from nothing to a chat on a site, and are sound on the way', async () => {
    await page.goto(`${app.url}/console/settings`)
    await expectSound(page)
    for (const path of ['hours', 'promises', 'promises/new', 'tags', 'teams', 'workspaces', 'backups']) {
      await page.goto(`${app.url}/console/settings/${path}`)
      await expectSound(page)
    }
    await page.goto(`${app.url}/console/account`)
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

  test('an inbox has a sound page, without a mailbox and with what is wrong with one', async () => {
    await page.goto(`${app.url}/console/settings/inboxes`)
    await page.getByLabel('Name').fill('Help')
    await page.getByLabel('Address').fill('help@acme.test')
    await page.getByRole('button', { name: 'Create inbox' }).click()
    await page.getByText('The inbox Help was created.').waitFor()
    await expectSound(page)
    await page.getByRole('textbox', { name: 'Password' }).fill('secret')
    for (const part of ['Incoming mail', 'Outgoing mail']) {
      await page.getByRole('group', { name: part }).getByLabel('Server').fill('127.0.0.1')
    }
    await page.getByRole('button', { name: 'Test and connect' }).click()
    await page.getByRole('alert').waitFor()
    await expectSound(page)
  })

  test('the documentation opens with a key filled in, which stands in no address and is handed over once', async () => {
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await page.goto(`${app.url}/console/keys/docs`)
    await expectSound(page)
    await page.getByRole('button', { name: 'Open the documentation' }).click()
    await page.waitForURL(`${app.url}/docs`)
    await page.locator('.swagger-ui .authorize.locked').waitFor()
    await page.locator('.swagger-ui button.authorize').click()
    await page.getByText('Authorized').first().waitFor()
    expect(await page.evaluate(() => sessionStorage.getItem('frontdesk-docs-key'))).toBeNull()
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
    expect(addresses.join()).not.toContain('sk_')
  })
})
