import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { addView } from '../../../src/tickets/inbox/views.ts'
import { getTicket } from '../../../src/tickets/read.ts'
import { addCannedReply } from '../../../src/tickets/writing/canned-replies.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { createPerson } from '../../support/pages/console.ts'
import { editorOf, expectSound, press, signInAt, tabTo } from '../../support/pages/pages.ts'
import { createEmailInbox, createTicket } from '../../support/tickets/tickets.ts'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

describe.skipIf(!hasBrowser)('work in the inbox, in a browser', () => {
  let app: TestApp
  let acme: TestTenant
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  const ids: string[] = []

  beforeAll(async () => {
    app = await startApp()
    acme = await app.createTenant()
    const { email, userId } = await createPerson(acme, 'admin')
    const inboxId = (await createEmailInbox(acme)).id
    for (const subject of ['Third', 'Second', `First ${LONG}`]) {
      app.clock.advance(1000)
      ids.unshift((await createTicket(acme, { inboxId, subject })).id)
    }
    await acme.perform(async (tx, caller) => {
      await addView(tx, caller, userId, { name: LONG, filters: 'priority=urgent' })
      await addView(tx, caller, null, { name: 'Ours', filters: 'priority=high' })
      await addCannedReply(tx, caller, userId, {
        name: LONG,
        text: 'Hello {{contact.name}},\n\nit is {{ticket.number}}.',
      })
      await addCannedReply(tx, caller, null, { name: 'Refund', text: `${LONG} ${LONG}` })
    })
    browser = await openBrowser()
    page = await browser.context.newPage()
    await signInAt(page, app, email, '/console/inbox')
  })
  afterAll(async () => {
    await browser?.close()
    await app.close()
  })

  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim().slice(0, 400) ?? '')
  const open = (path: string) => page.goto(app.url + path)

  test('the list is gone through, ticked and closed by single keys, which are text where somebody types', async () => {
    await open('/console/inbox')
    await press(page, 'j', 'j')
    expect(await focused()).toContain('Second')
    await press(page, 'k', 'x')
    expect(await page.locator('.bulk .all').textContent()).toContain('1 selected')
    await press(page, '/', 'e')
    expect(await page.locator('#search').inputValue()).toBe('e')
    await page.locator('#search').fill('')
    await page.locator('.tickets a').nth(2).focus()
    await press(page, 'e')
    await page.getByText('1 ticket was changed.').waitFor()
    await page.waitForFunction(() => document.querySelectorAll('.tickets li').length === 2)
    const statuses = await Promise.all(ids.map((id) => getTicket(app.database.db, acme.tenantId, id)))
    expect(statuses.map(({ status }) => status)).toEqual(['closed', 'open', 'open'])
  })

  test('the sheet of keys opens and closes, and keys wait for it', async () => {
    await press(page, '?')
    expect(await page.getByRole('dialog').isVisible()).toBe(true)
    await press(page, 'j', 'Escape')
    expect(await page.getByRole('dialog').isVisible()).toBe(false)
    await press(page, 'j', 'Enter')
    await page.waitForURL(/\/console\/tickets\//)
  })

  test('an answer is begun with a key, and a canned reply goes where the writer is', async () => {
    await editorOf(page).waitFor()
    await press(page, 'r')
    await page.keyboard.type('Dear you, ')
    await page.getByRole('button', { name: 'Canned reply' }).click()
    await page
      .locator('.suggestions li', { hasText: LONG.slice(0, 40) })
      .first()
      .click()
    await page.waitForFunction(() => document.querySelector('#field-answer')?.textContent?.includes('it is T-'))
    const text = await page.locator('#field-answer').textContent()
    expect(text).toStartWith('Dear you,')
    expect(text).toContain('Hello Ada Lovelace,')
    expect(text).not.toContain('{{')
  })

  test('Escape leaves a field for where its key was pressed, so that keys are keys again, and keeps what was typed', async () => {
    await open('/console/inbox')
    await press(page, 'j', 'Enter')
    await editorOf(page).waitFor()
    const row = await focused()
    await press(page, 'r', 'x', ' ', '/')
    await page.locator('.suggestions:visible li').first().waitFor()
    // What was suggested goes first.
    await press(page, 'Escape')
    expect(await editorOf(page).evaluate((editor) => editor === document.activeElement)).toBe(true)
    await press(page, 'Escape')
    expect(await focused()).toBe(row)
    expect(await editorOf(page).textContent()).toMatch(/^x\s\/$/)
    await press(page, 'n', 'x', 'Escape', '/', 'q')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('search')
    // The browser's own: a search that is left is emptied first.
    await press(page, 'Escape')
    expect(await page.locator('#search').inputValue()).toBe('')
    await press(page, 'Escape')
    expect(await focused()).toBe(row)
    await press(page, 'r')
    await editorOf(page).fill('')
  })

  test('letters find in the menu that is open, whoever opened it, and do nothing else', async () => {
    /** However busy the machine is: letters that follow each other closely are one word. */
    const typeAtOnce = (word: string) =>
      page.evaluate((letters) => {
        for (const key of letters) {
          document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        }
      }, word)
    for (const name of ['rachel', 'roger']) await createPerson(acme, 'agent', `${name}@acme.test`)
    const { id } = await createTicket(acme, { subject: 'For somebody else' })
    await open(`/console/tickets/${id}`)
    await editorOf(page).waitFor()
    await press(page, 'a')
    await typeAtOnce('rach')
    expect(await focused()).toBe('rachel@acme.test')
    await press(page, 'Enter')
    await page.locator('.actions .assign > summary', { hasText: 'rachel@acme.test' }).waitFor()

    await page.locator('.actions .assign > summary').click()
    await typeAtOnce('unas')
    expect(await focused()).toBe('Unassigned')
    // One letter goes through all that begin with it.
    await press(page, 'Escape', 'a', 'r', 'r')
    expect(await focused()).toBe('roger@acme.test')
    // What nothing begins with leads nowhere.
    await press(page, '?')
    expect(await focused()).toBe('roger@acme.test')
    expect(await page.getByRole('dialog').isVisible()).toBe(false)
    expect((await getTicket(app.database.db, acme.tenantId, id)).status).toBe('open')
    await press(page, 'Escape', 'r')
    expect(await editorOf(page).evaluate((editor) => editor === document.activeElement)).toBe(true)
    expect(await editorOf(page).textContent()).toBe('')
  })

  test('tickets of two customers are merged by keyboard, once both were seen', async () => {
    const other = await createTicket(acme, { subject: `Another ${LONG}`, email: `${'long.'.repeat(11)}bob@acme.test` })
    await open(`/console/tickets/${other.id}`)
    await page.locator('.actions .menu.more > summary').press('Enter')
    await page.getByText('Merge into another ticket').press('Enter')
    await tabTo(page, '#field-into')
    await page.keyboard.type(ids[1] as string)
    await press(page, 'Enter')
    await page.getByText('These are tickets of two different customers.').waitFor()
    await expectSound(page)
    expect((await getTicket(app.database.db, acme.tenantId, other.id)).status).toBe('open')
    await tabTo(page, 'main form button.primary')
    await press(page, 'Enter')
    await page.getByText('The tickets were merged.').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/tickets/${ids[1]}`)
  })

  const paths = ['/console/inbox', '/console/inbox?q=order', '/console/canned-replies', '/console/canned-replies/new']
  test.each(paths)('axe finds nothing, and nothing runs out of the page: %s', async (path) => {
    await open(path)
    for (const box of await page.locator('.tickets input').all()) await box.check()
    await page.evaluate(() => {
      for (const details of document.querySelectorAll<HTMLDetailsElement>('main details')) details.open = true
    })
    await expectSound(page)
  })

  test('nor with the sheet of keys', async () => {
    await open('/console/inbox')
    await press(page, '?')
    await expectSound(page)
  })
})
