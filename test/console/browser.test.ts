import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createApp } from '../../src/app.ts'
import { allRoutes } from '../support/api/routes.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { createPerson, PASSWORD, type Person } from '../support/pages/console.ts'
import { expectSound, noticed, press, tabTo } from '../support/pages/pages.ts'
import { unusedPort } from '../support/processes/ports.ts'

describe.skipIf(!hasBrowser)('the console in a browser', () => {
  let app: TestApp
  let base: string
  let acme: TestTenant
  let ada: Person
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page

  beforeAll(async () => {
    // Passkeys need a host with a name, and the service has to know it before it listens.
    const port = unusedPort()
    base = `http://localhost:${port}`
    app = await startApp({
      environment: { FRONTDESK_PORT: String(port), FRONTDESK_BASE_URL: base, FRONTDESK_HOST: 'localhost' },
    })
    acme = await app.createTenant('Acme')
    ada = await createPerson(acme)
    browser = await openBrowser()
    page = await browser.context.newPage()
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  const heading = () => page.locator('h1').textContent()

  async function signIn(): Promise<void> {
    await browser.context.clearCookies()
    await page.goto(`${base}/console/account`)
    await page.getByLabel('Email', { exact: true }).fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${base}/console/account`)
  }

  test('by keyboard alone somebody signs in, creates a key, copies it, revokes it, and signs out', async () => {
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${base}/console/keys`)
    await tabTo(page, '#field-email')
    await page.keyboard.type(ada.email)
    await press(page, 'Tab')
    await page.keyboard.type(PASSWORD)
    await press(page, 'Enter')
    await page.waitForURL(`${base}/console/keys`)
    expect(await heading()).toBe('API keys')
    await tabTo(page, 'a[href="/console/keys/new"]')
    await press(page, 'Enter')
    await page.waitForURL(`${base}/console/keys/new`)
    await tabTo(page, '#field-name')
    await page.keyboard.type('Website')
    await tabTo(page, '[value="contacts:read"]')
    await press(page, 'Space')
    await tabTo(page, 'main form button')
    await press(page, 'Enter')
    await page.locator('#key').waitFor()
    await tabTo(page, '[data-copy]')
    const copied = noticed(page, '[data-copy] span', 'Copied')
    await press(page, 'Enter')
    await copied
    const key = await page.evaluate(() => navigator.clipboard.readText())
    expect((await app.request('GET', '/v1/me', { key })).status).toBe(200)
    await tabTo(page, 'main a.secondary')
    await press(page, 'Enter')
    await page.locator('table').waitFor()
    await tabTo(page, '.confirm summary')
    await press(page, 'Enter', 'Tab', 'Enter')
    await page.locator('.flash', { hasText: 'is revoked' }).waitFor()
    expect((await app.request('GET', '/v1/me', { key })).status).toBe(401)
    await tabTo(page, 'form[action="/console/sign-out"] button')
    await press(page, 'Enter')
    await page.getByText('You are signed out.').waitFor()
  })

  test('a passkey is added on the account page, and signs in', async () => {
    const client = await browser.context.newCDPSession(page)
    await client.send('WebAuthn.enable')
    await client.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    })
    await signIn()
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name').fill('Laptop')
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.locator('.flash', { hasText: '“Laptop” can be used to sign in.' }).waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await page.getByText('You are signed out.').waitFor()
    await page.goto(`${base}/console/users`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${base}/console/users`)
    expect(await heading()).toBe('Users')

    // What was signed once cannot be sent again.
    const sent = await replay()
    expect(sent.map(({ status }) => status)).toEqual([303, 400])
    await client.send('WebAuthn.disable')
    await client.detach()
  })

  /** Signs in with the passkey, and sends the same once more. */
  async function replay() {
    await browser.context.clearCookies()
    await page.goto(`${base}/console/sign-in`)
    const body = await page.evaluate(async () => {
      const form = document.querySelector<HTMLFormElement>('form[data-passkey]')
      const options = JSON.parse(form?.dataset.options ?? '{}')
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
      const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
      const data = new FormData(form as HTMLFormElement)
      data.set('credential', JSON.stringify(credential.toJSON()))
      return new URLSearchParams(data as unknown as Record<string, string>).toString()
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const send = () => app.request('POST', '/console/sign-in/passkey', { body, headers })
    return [await send(), await send()]
  }

  async function look(path: string): Promise<void> {
    await page.goto(base + path)
    await expectSound(page)
  }

  test('no page has a violation that axe finds, or runs out of the window', async () => {
    await acme.perform(async () => {})
    await createPerson(acme, 'agent', `${'long-'.repeat(20)}name@acme.test`)
    await acme.createKey()
    await app.runDue()
    await browser.context.clearCookies()
    const paths = (await allRoutes(createApp(app.deps)))
      .filter(
        ({ method, path }) =>
          method === 'GET' && /^\/console\//.test(path) && !/[:*]|assets|\/events$|\/find\/list$|\.csv$/.test(path),
      )
      .map(({ path }) => path)
    const open = paths.filter((path) => /sign-in|password$/.test(path))
    for (const path of open) await look(path)
    await signIn()
    const guarded = [
      ...paths.filter((path) => !open.includes(path)),
      `/console/users/${ada.userId}`,
      '/console/nothing',
    ]
    expect(guarded.length).toBeGreaterThan(8)
    for (const path of guarded) await look(path)
  })
})
