import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { createCustomField } from '../../../src/contacts/fields/custom-fields.ts'
import { createGroup } from '../../../src/groups/operations.ts'
import { createTestContact, createTestOrganisation } from '../../support/api/contacts.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createTestSource } from '../../support/chat/articles.ts'
import { complete, createPublished } from '../../support/forms/collecting.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { createPerson, PASSWORD } from '../../support/pages/console.ts'
import { expectSound, press, signInAt, tabTo } from '../../support/pages/pages.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

describe.skipIf(!hasBrowser)('contacts and articles in a browser', () => {
  let app: TestApp
  let acme: TestTenant
  let sourceId: string
  let contactId: string
  let otherId: string
  let organisationId: string
  let email: string
  let browser: { context: BrowserContext; close(): Promise<void> }
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
    acme = await app.createTenant()
    sourceId = (await createTestSource(acme)).id
    const group = await acme.perform((tx, caller) =>
      createGroup(tx, caller, { name: LONG, consentWording: `News of ${LONG}.` }),
    )
    await acme.perform((tx, caller) => createCustomField(tx, caller, { name: LONG }))
    organisationId = (await createTestOrganisation(acme, { name: LONG, domain: `${LONG}.test`.toLowerCase() })).id
    otherId = (await createTestContact(acme, { name: 'Other', phone: LONG.slice(0, 50), organisationId })).id
    const person = { email: `${'long.'.repeat(11)}address@acme.test`, name: LONG, lastName: LONG, groupIds: [group.id] }
    contactId = (await createTestContact(acme, person)).id
    await createTicket(acme, { email: person.email, subject: `Where is ${LONG}?` })
    await acme.post(`/v1/contacts/${contactId}/unsubscribe`)
    const article = { title: LONG, content: `# ${LONG}\n\n\`\`\`\n${LONG.repeat(3)}\n\`\`\`` }
    await acme.put(`/v1/livechat/sources/${sourceId}/articles/long`, article)
    email = (await createPerson(acme, 'admin')).email
    browser = await openBrowser()
    page = await browser.context.newPage()
    page.on('console', (message) => {
      complaints.push(`${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await signInAt(page, app, email)
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  test('nothing that axe finds, nothing that runs out of the page', async () => {
    const contact = `/console/contacts/${contactId}`
    const article = `/console/articles/${sourceId}`
    for (const path of [
      '/console/contacts',
      '/console/contacts?q=nobody',
      '/console/contacts/new',
      contact,
      `${contact}/edit`,
      `${contact}/merge?q=c`,
      `${contact}/merge?with=${otherId}`,
      `${contact}/erase`,
      '/console/organisations',
      '/console/organisations/new',
      `/console/organisations/${organisationId}`,
      '/console/contacts/groups',
      '/console/contacts/groups/new',
      '/console/contacts/fields',
      '/console/contacts/imports',
      '/console/articles',
      `${article}/new`,
      `${article}/edit/long`,
    ]) {
      await page.goto(app.url + path)
      await expectSound(page)
    }
    // Beside what is written stands the page that it makes.
    await page.frameLocator('iframe').locator('h1').waitFor()
    await expectSound(page)
  })

  test('what happened with a person is laid out alike, whatever it was', async () => {
    const { id } = await createTestContact(acme, { email: 'alike@acme.test' })
    await createTicket(acme, { email: 'alike@acme.test' })
    await complete(
      acme,
      await createPublished(acme, [{ type: 'contact_details', contactFields: [{ field: 'email', visible: true }] }]),
      [{ email: 'alike@acme.test' }],
    )
    await acme.post(`/v1/contacts/${id}/unsubscribe`)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${app.url}/console/contacts/${id}`)
    const layouts = await page.evaluate(() =>
      [...document.querySelectorAll('.timeline li')].map((item) => {
        const { left, width } = item.getBoundingClientRect()
        const [what, help] = [...item.children].map((line) => line.getBoundingClientRect()) as [DOMRect, DOMRect]
        const gap = Math.round(help.top - what.bottom)
        const layout = [getComputedStyle(item).display, width, what.left - left, help.left - left, gap].join(' ')
        return { kind: item.className, layout }
      }),
    )
    expect(new Set(layouts.map(({ kind }) => kind))).toEqual(new Set(['of-consent', 'of-response', 'of-ticket']))
    expect(new Set(layouts.map(({ layout }) => layout)).size).toBe(1)
  })

  test('somebody is found, unsubscribed again and deleted by keyboard alone', async () => {
    const { id } = await createTestContact(acme, { name: 'Keyla', email: 'keyla@acme.test' })
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${app.url}/console/contacts`)
    await tabTo(page, '#field-q')
    await page.keyboard.type('keyl')
    await press(page, 'Enter')
    await page.waitForURL(/q=keyl/)
    await tabTo(page, `a[href="/console/contacts/${id}"]`)
    await press(page, 'Enter')
    await page.waitForURL(`**/contacts/${id}`)
    await tabTo(page, 'form[action$="/unsubscribe"] button')
    await press(page, 'Enter')
    await page.getByText('The contact is unsubscribed.').waitFor()
    await tabTo(page, '.confirm summary')
    await press(page, 'Enter')
    await tabTo(page, 'form[action$="/delete"] button')
    await press(page, 'Enter')
    await page.getByText('The contact was deleted.').waitFor()
    expect((await acme.get(`/v1/contacts/${id}`)).status).toBe(404)
  })

  test('a file is taken in by keyboard alone, once it is chosen', async () => {
    await page.goto(`${app.url}/console/contacts/imports`)
    const csv = `email;name;${LONG}\nbrowser@file.test;Bea;${LONG.repeat(2)}\nnobody;${LONG.repeat(4)};\n`
    await page.setInputFiles('#field-file', { name: `${LONG}.csv`, mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await tabTo(page, 'main form button.primary')
    await press(page, 'Enter')
    await page.waitForURL(/imports\/[0-9a-f-]{36}$/)
    await expectSound(page)
    await tabTo(page, 'main form button.primary')
    await press(page, 'Enter')
    await page.locator('progress').waitFor()
    await app.runDue()
    // The page looks again by itself.
    await page.getByText('Imported').waitFor()
    await expectSound(page)
    expect((await acme.get('/v1/contacts?email=browser@file.test')).body.items).toHaveLength(1)
  })

  test('an article is written, previewed and published by keyboard alone', async () => {
    await page.goto(`${app.url}/console/articles/${sourceId}/new`)
    await tabTo(page, '#field-title')
    await page.keyboard.type('Opening hours')
    await tabTo(page, '.editor')
    await page.keyboard.type('We open at ')
    await press(page, 'Control+b')
    await page.keyboard.type('nine')
    await press(page, 'Control+b')
    await page.keyboard.type('.')
    await page.frameLocator('iframe').getByText('nine').waitFor()
    await tabTo(page, 'main form button.primary')
    await press(page, 'Enter')
    await page.getByText('The article is published.').waitFor()
    const { body } = await acme.get(`/v1/livechat/sources/${sourceId}/articles/opening-hours`)
    expect(body.content).toBe('We open at **nine**.')
  })

  test('what was typed is still there when the server was gone as it was sent, and not once it was taken', async () => {
    const path = `/console/contacts/${contactId}/edit`
    await page.goto(app.url + path)
    await page.getByLabel('First name').fill('Grace')
    await page.getByRole('checkbox').first().uncheck()
    const gone = (route: Route) => (route.request().method() === 'POST' ? route.abort() : route.continue())
    await page.route('**', gone)
    const failed = page.waitForEvent('requestfailed')
    await page.getByRole('button', { name: 'Save' }).click()
    await failed
    await page.unroute('**', gone)
    await page.goto(app.url + path)
    expect(await page.getByLabel('First name').inputValue()).toBe('Grace')
    expect(await page.getByRole('checkbox').first().isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**/console/contacts/${contactId}`)
    expect(await page.evaluate(() => sessionStorage.getItem('typed'))).toBeNull()
  })

  test('what was typed is still there after signing in again, when the session was over as it was sent', async () => {
    const path = `/console/contacts/${contactId}/edit`
    await page.goto(app.url + path)
    await page.getByLabel('First name').fill('Hedy')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Password').waitFor()
    // Its script notes that nothing was taken.
    await page.waitForLoadState()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`**${path}`)
    expect(await page.getByLabel('First name').inputValue()).toBe('Hedy')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**/console/contacts/${contactId}`)
    expect(await page.evaluate(() => sessionStorage.getItem('typed'))).toBeNull()
    expect((await acme.get(`/v1/contacts/${contactId}`)).body.name).toBe('Hedy')
  })

  test('none of it made the browser complain', () => {
    expect(complaints).toEqual([])
  })
})
