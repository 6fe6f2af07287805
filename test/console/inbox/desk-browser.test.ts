import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { receiveMessage } from '../../../src/tickets/incoming/receiving.ts'
import { mergeTickets } from '../../../src/tickets/merging/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { openChat } from '../../support/chat/chat.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { createPerson } from '../../support/pages/console.ts'
import { editorOf, expectSound, listenersOfDocument, press, signInAt } from '../../support/pages/pages.ts'
import { until } from '../../support/patience.ts'
import { createEmailInbox, createTicket } from '../../support/tickets/tickets.ts'

describe.skipIf(!hasBrowser)('the desk in a browser', () => {
  let app: TestApp
  let acme: TestTenant
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let ids: string[]
  let userId: string

  beforeAll(async () => {
    app = await startApp()
    browser = await openBrowser()
  })
  beforeEach(async () => {
    await page?.close()
    app.clock.advance(60_000)
    acme = await app.createTenant()
    const person = await createPerson(acme, 'agent')
    userId = person.userId
    const inboxId = (await createEmailInbox(acme)).id
    ids = []
    for (const subject of ['Third', 'Second', 'First']) {
      app.clock.advance(1000)
      ids.unshift((await createTicket(acme, { inboxId, subject })).id)
    }
    await browser.context.clearCookies()
    page = await browser.context.newPage()
    await page.setViewportSize({ width: 1440, height: 900 })
    await signInAt(page, app, person.email, '/console/inbox')
    await page.getByText('Choose a ticket').waitFor()
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  })
  afterAll(async () => {
    await browser?.close()
    await app.close()
  })

  const isSamePage = () => page.evaluate(() => 'isSamePage' in window)
  const isOpen = (id: string | undefined) => page.locator(`[data-ticket="${id}"]`).waitFor()
  const ticket = async (id: string | undefined) => (await acme.get(`/v1/tickets/${id}`)).body
  const leave = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())

  test('goes from ticket to ticket beside the list, by mouse, by keys and back, and never loads the page', async () => {
    await page.locator('.tickets a', { hasText: 'Second' }).click()
    await isOpen(ids[1])
    expect(new URL(page.url()).pathname).toBe(`/console/tickets/${ids[1]}`)
    expect(await page.locator('.tickets li').count()).toBe(3)
    await page.locator('.current .subject').getByText('Second', { exact: true }).waitFor()
    await leave()
    await press(page, 'j')
    await isOpen(ids[2])
    await press(page, 'k')
    await isOpen(ids[1])
    await press(page, 'k')
    await isOpen(ids[0])
    await page.goBack()
    await isOpen(ids[1])
    await until(async () => (await page.title()).includes('Second'))
    await page.goForward()
    await isOpen(ids[0])
    expect(await isSamePage()).toBe(true)
    await page.reload()
    await isOpen(ids[0])
    await page.locator('.tickets .current').waitFor()
  })

  test('has the next ticket ready for whoever goes on by key, with what comes in since then', async () => {
    await page.locator('.tickets a', { hasText: 'First' }).click()
    await isOpen(ids[0])
    await leave()
    const askedAhead = page.waitForResponse((response) => response.url().endsWith(`/console/tickets/${ids[2]}`))
    await press(page, 'j')
    await isOpen(ids[1])
    await (await askedAhead).finished()
    await page.context().setOffline(true)
    await press(page, 'j')
    await isOpen(ids[2])
    await page.context().setOffline(false)
    app.clock.advance(1000)
    await acme.perform((tx, caller) => receiveMessage(tx, caller, ids[2] as string, { html: '<p>One more thing</p>' }))
    await page.locator('.foot .news:not([hidden])').waitFor()
    expect(await isSamePage()).toBe(true)
  })

  test('leaves nothing behind of the tickets that were shown before: the twentieth is as quick as the first', async () => {
    const goTo = async (id: string | undefined) => {
      await page.locator(`#t-${id} a`).click()
      await isOpen(id)
      await editorOf(page).waitFor()
    }
    await goTo(ids[0])
    const once = await listenersOfDocument(page)
    expect(once).toContain('selectionchange')
    for (const id of [ids[1], ids[2], ids[0], ids[1], ids[0]]) await goTo(id)
    // A stream of events goes on until the next one has begun: one listener more for a moment, before or after.
    const countOf = (all: readonly string[], type: string) => all.filter((one) => one === type).length
    await until(async () => {
      const now = await listenersOfDocument(page)
      return now.every((type) => countOf(now, type) <= countOf(once, type))
    })
  })

  test('asks anew for a ticket that was asked for ahead where tickets have changed since', async () => {
    await page.locator('.tickets a', { hasText: 'First' }).click()
    await isOpen(ids[0])
    await leave()
    const askedAhead = page.waitForResponse((response) => response.url().endsWith(`/console/tickets/${ids[2]}`))
    await press(page, 'j')
    await isOpen(ids[1])
    await (await askedAhead).finished()
    await acme.put(`/v1/tickets/${ids[0]}/status`, { status: 'closed' })
    await page.locator('.tickets li', { hasText: 'First' }).waitFor({ state: 'detached' })
    const askedAnew = page.waitForResponse((response) => response.url().endsWith(`/console/tickets/${ids[2]}`))
    await press(page, 'j')
    await isOpen(ids[2])
    await askedAnew
  })

  test('applies what is done by keys at once, and takes it back with u', async () => {
    await page.locator('.tickets a', { hasText: 'First' }).click()
    await isOpen(ids[0])
    await leave()
    await press(page, 'p')
    await page.getByRole('button', { name: 'Urgent' }).press('Enter')
    await page.getByText('The priority was set.').waitFor()
    expect((await ticket(ids[0])).priority).toBe('urgent')
    await page.locator('.ticket-head .badge', { hasText: 'Urgent' }).waitFor()
    await page.locator('.tickets .current .badge', { hasText: 'Urgent' }).waitFor()
    await press(page, 'u')
    await page.getByText('Undone.').waitFor()
    expect((await ticket(ids[0])).priority).toBe('normal')
    await press(page, 'e')
    await page.getByText('The status was set.').waitFor()
    // On to the next one, and back from there.
    await isOpen(ids[1])
    await page.locator('.tickets li').nth(2).waitFor({ state: 'detached' })
    await page.locator('.current .subject').getByText('Second', { exact: true }).waitFor()
    await page.locator('.views a', { hasText: 'Open' }).locator('.count', { hasText: '2' }).waitFor()
    await press(page, 'u')
    await isOpen(ids[0])
    await page.locator('.tickets .current', { hasText: 'First' }).waitFor()
    expect((await ticket(ids[0])).status).toBe('open')
    expect(await isSamePage()).toBe(true)
  })

  test('does the same with tickets that are ticked, beside the one that stays open with what is written in it', async () => {
    await page.locator('.tickets a', { hasText: 'First' }).click()
    await isOpen(ids[0])
    await editorOf(page).fill('Half an ans')
    for (const name of ['Second', 'Third'])
      await page.locator('.tickets li', { hasText: name }).getByRole('checkbox').check()
    await page.locator('.bulk .menu.assign > summary').click()
    await page.locator('.bulk .menu.assign button').nth(2).click()
    await page.getByText('2 tickets were changed.').waitFor()
    expect((await Promise.all(ids.map(ticket))).map(({ assignee }) => assignee === null)).toEqual([true, false, false])
    await page.locator('.tickets :checked').waitFor({ state: 'detached' })
    await page.locator('[data-undo]').click()
    await page.getByText('Undone.').waitFor()
    expect((await Promise.all(ids.map(ticket))).map(({ assignee }) => assignee)).toEqual([null, null, null])
    await isOpen(ids[0])
    await until(async () => (await editorOf(page).textContent()) === 'Half an ans')
    expect(await isSamePage()).toBe(true)
  })

  test('narrows the list as a chip changes, and keeps what is typed where the connection is lost', async () => {
    await acme.put(`/v1/tickets/${ids[1]}/assignee`, { userId })
    await page.getByLabel('Assigned to').selectOption({ label: 'Me' })
    await page.waitForFunction(() => document.querySelectorAll('.tickets li').length === 1)
    await page.waitForURL(/assignee=me/)
    await page.locator('.tickets a').click()
    await isOpen(ids[1])
    expect(await page.locator('.tickets li').count()).toBe(1)
    await leave()
    await press(page, 'n')
    await page.keyboard.type('Only for us')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByText('The connection was lost, and nothing was sent.').waitFor()
    expect(await page.getByLabel('Your note').inputValue()).toBe('Only for us')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.locator('.message.note').getByText('Only for us').waitFor()
    expect(await isSamePage()).toBe(true)
  })

  test('shows what comes in at the top of the list, and what a ticket says as it is opened, at its end', async () => {
    await page.locator('.tickets a', { hasText: 'First' }).click()
    await isOpen(ids[0])
    app.clock.advance(1000)
    const said = Array.from({ length: 60 }, (_, line) => `<p>Line ${line}</p>`).join('')
    await acme.perform((tx, caller) => receiveMessage(tx, caller, ids[2] as string, { html: said }))
    await page.locator('.tickets li:first-child .subject', { hasText: 'Third' }).waitFor()
    await page.locator('.tickets a', { hasText: 'Third' }).click()
    await isOpen(ids[2])
    const last = page.getByText('Line 59', { exact: true })
    await until(() => last.evaluate((line) => line.getBoundingClientRect().bottom <= window.innerHeight))
    await page.locator('.tickets .current:not(.unread)').waitFor()
  })

  test.each([
    ['a phone that is held sideways', 667, 375],
    ['a window at four times its size', 320, 256],
  ])('in %s a ticket can be read, and is answered below', async (_name, width, height) => {
    const id = ids[2] as string
    await acme.perform((tx, caller) => receiveMessage(tx, caller, id, { html: '<p>A line of many.</p>'.repeat(40) }))
    await page.setViewportSize({ width, height })
    await page.goto(`${app.url}/console/tickets/${id}`)
    await editorOf(page).waitFor()
    /** Of the window, how much of an element can be seen at once, in pixels. */
    const seen = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect()
          const head = document.querySelector('.ticket-head')?.getBoundingClientRect().bottom ?? 0
          return Math.min(bottom, innerHeight) - Math.max(top, head)
        })
    // It begins at its end, where the answer is written.
    expect(await seen('.composer form')).toBeGreaterThan(100)
    await page.mouse.move(width / 2, height - 40)
    await page.mouse.wheel(0, -400)
    await until(async () => (await seen('.thread')) > 0.55 * height)
    await press(page, 'r')
    await until(async () => (await seen('#field-answer')) > 40)
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
  })

  test('misses nothing of the list while a ticket is being opened', async () => {
    await page.locator('.tickets a', { hasText: 'First' }).click()
    await isOpen(ids[0])
    let open = () => {}
    const isMissed = new Promise<void>((resolve) => {
      open = resolve
    })
    await page.route('**/events?*', async (route) => {
      await isMissed
      await route.continue()
    })
    const asked = page.waitForRequest(/\/events\?/)
    await page.locator('.tickets a', { hasText: 'Third' }).click()
    await isOpen(ids[2])
    await asked
    app.clock.advance(1000)
    await acme.perform((tx, caller) => receiveMessage(tx, caller, ids[1] as string, { text: 'Meanwhile' }))
    await page.locator('.tickets li:first-child .subject', { hasText: 'Second' }).waitFor()
    open()
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('a chat shows what its visitor types and says as they do, and Enter answers them, whatever came in between', async () => {
    const chat = await openChat(app, acme)
    const visitor = await chat.visitor({ name: 'Ada' })
    const id = (await chat.start(visitor.token, 'Hello?')).body.conversationId
    await page.goto(`${app.url}/console/tickets/${id}`)
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await page.locator('.chat .message .said').getByText('Hello?').waitFor()
    const socket = await chat.connect(visitor.token)
    let looks = 0
    await until(
      () => page.getByText('The visitor is typing…').isVisible(),
      // The page may not hear yet; and whoever tells too often is not heard.
      () => looks++ % 50 === 0 && socket.send({ type: 'typing', conversationId: id }),
    )
    const answer = editorOf(page)
    await answer.focus()
    // Nothing is kept before that is heard.
    let keep = () => {}
    const isHeard = new Promise<void>((resolve) => {
      keep = resolve
    })
    await page.route('**/draft', async (route) => {
      await isHeard
      await route.continue()
    })
    await page.keyboard.type('Yes, how can')
    await socket.next(({ type }) => type === 'typing')
    keep()
    await chat.write(visitor.token, id, { text: 'Is anybody there?' })
    await page.locator('.chat .message .said').getByText('Is anybody there?').waitFor()
    expect(await answer.textContent()).toBe('Yes, how can')
    await page.keyboard.type(' I')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('help?')
    await page.keyboard.press('Enter')
    await page.locator('.chat .message.outbound .said').getByText('help?').waitFor()
    await until(async () => (await editorOf(page).textContent()) === '')
    await page.waitForFunction(() => document.activeElement?.id === 'field-answer')
    const { items } = (await chat.read(visitor.token, id)).body
    expect(items.map(({ text }: { text: string }) => text)).toEqual([
      'Hello?',
      'Is anybody there?',
      'Yes, how can I\nhelp?',
    ])
    expect(await isSamePage()).toBe(true)
    socket.close()
    await expectSound(page)
  })

  test.each([390, 768])('says what was done above the answer, or the bar of a phone, on %d pixels', async (width) => {
    await page.setViewportSize({ width, height: 800 })
    const box = (selector: string) =>
      page.locator(selector).evaluate((element) => element.getBoundingClientRect().toJSON())
    await page.locator('.tickets a', { hasText: 'First' }).click()
    await isOpen(ids[0])
    await leave()
    await press(page, 'e')
    await isOpen(ids[1])
    await page.locator('[data-undo]').waitFor()
    // What is written grows as its editor starts.
    await until(async () => {
      const [said, foot] = [await box('[data-said]'), await box('.ticket-pane .foot')]
      return Math.abs(said.bottom - (foot.top - 8)) < 1
    })
    await page.goto(`${app.url}/console/inbox`)
    await page.locator('.tickets li', { hasText: 'Third' }).getByRole('checkbox').check()
    await page.locator('.bulk .menu.assign > summary').click()
    await page.locator('.bulk .menu.assign button').nth(2).click()
    await page.locator('[data-undo]').waitFor()
    const end = width === 390 ? (await box('header.top')).top : 800
    await until(async () => Math.abs((await box('[data-said]')).bottom - (end - 12)) < 0.5)
  })

  test('leads elsewhere where its session is over', async () => {
    await browser.context.clearCookies()
    await page.locator('.tickets a', { hasText: 'First' }).click()
    await page.waitForURL(/\/console\/sign-in\?next=/)
  })

  test('begins conversations by c and forwards by f beside the list, and takes back what was sent', async () => {
    await press(page, 'c')
    await page.getByRole('heading', { name: 'New conversation' }).waitFor()
    await page.locator('[name="to"]:focus').fill('bob@customer.test')
    await page.getByLabel('Subject').fill('Hello')
    await page.locator('.editor').fill('Hello Bob')
    await page.keyboard.press('Control+Enter')
    await page.locator('#undo:focus').click()
    await page.getByText('Nothing was sent. Your message is here again.').waitFor()
    await until(async () => (await page.locator('.editor').textContent()) === 'Hello Bob')
    expect(await page.getByLabel('Subject').inputValue()).toBe('Hello')
    await expectSound(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.locator('.tickets a', { hasText: 'Second' }).click()
    await isOpen(ids[1])
    await leave()
    await press(page, 'f')
    await page.getByRole('heading', { name: 'Forward', exact: true }).waitFor()
    expect(await page.getByLabel('Subject').inputValue()).toBe('Fwd: Second')
    expect([await isSamePage(), await page.locator('.tickets li').count()]).toEqual([true, 3])
    await expectSound(page)
  })

  test('axe finds nothing beside each other, nor with a menu open', async () => {
    await page.locator('.tickets a', { hasText: 'First' }).click()
    await isOpen(ids[0])
    await page.locator('.ticket-head .menu.assign > summary').click()
    await expectSound(page)
  })

  test('stays at the address of a ticket whose answer was refused, which the page can be loaded from', async () => {
    await page.locator('.tickets a', { hasText: 'First' }).click()
    await isOpen(ids[0])
    await editorOf(page).waitFor()
    await page
      .locator('.composer form[action$="/replies"]')
      .evaluate((form: HTMLFormElement) => form.requestSubmit(form.querySelector<HTMLElement>('[data-send]')))
    await page.getByText('Write something to send.').first().waitFor()
    await page.waitForFunction(() => document.activeElement?.id === 'field-answer')
    expect(new URL(page.url()).pathname).toBe(`/console/tickets/${ids[0]}`)
    expect(await isSamePage()).toBe(true)
  })

  test('finds a tag by a few letters, adds what is not there, and asks in place before tickets are merged', async () => {
    await acme.put(`/v1/tickets/${ids[2]}/tags`, { tags: ['late delivery', 'billing'] })
    await page.locator('.tickets a', { hasText: 'First' }).click()
    await isOpen(ids[0])
    await leave()
    await press(page, 't')
    await page.keyboard.type('deli')
    await press(page, 'Enter')
    await page.locator('.beside .tag-list', { hasText: 'late delivery' }).waitFor()
    await press(page, 't')
    await page.keyboard.type('brand new')
    await press(page, 'Enter')
    await page.locator('.beside .tag-list', { hasText: 'brand new' }).waitFor()
    expect((await ticket(ids[0])).tags).toEqual(['brand new', 'late delivery'])
    await page.locator('.tickets .current input').check()
    await page.locator('.tickets li', { hasText: 'Third' }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Merge two tickets' }).click()
    await page.getByRole('heading', { name: /^Merge T-/ }).waitFor()
    expect(await isSamePage()).toBe(true)
    await expectSound(page)
    await page.locator('.asked').getByRole('button', { name: 'Merge' }).click()
    await page.getByText('The tickets were merged.').waitFor()
    await isOpen(ids[2])
    await page.locator('[data-said] button').click()
    await page.getByText('The merge was undone.').waitFor()
    expect((await ticket(ids[0])).status).toBe('open')
    expect(await isSamePage()).toBe(true)
  })

  test('goes on from where a ticket stood when it was opened, and to none that was answered a moment ago', async () => {
    await page.locator('.tickets a', { hasText: 'Second' }).click()
    await isOpen(ids[1])
    await leave()
    app.clock.advance(1000)
    await press(page, 't')
    await page.keyboard.type('billing')
    await press(page, 'Enter')
    // What was changed last stands above.
    await page.locator('.tickets li:first-child.current').waitFor()
    await editorOf(page).waitFor()
    await leave()
    await press(page, 'r')
    await page.keyboard.insertText('It is here.')
    await press(page, 'Control+Enter')
    await isOpen(ids[2])
    await editorOf(page).waitFor()
    await leave()
    await press(page, 'r')
    await page.keyboard.insertText('That, too.')
    await press(page, 'Control+Shift+Enter')
    await page.getByText('Choose a ticket').waitFor()
    expect(await isSamePage()).toBe(true)
    app.clock.advance(10_000)
    await app.runDue()
    expect([(await ticket(ids[1])).status, (await ticket(ids[2])).status]).toEqual(['open', 'closed'])
  })

  test('shows what a colleague, or a program, makes of the ticket that is open, and keeps what is being written', async () => {
    await page.locator('.tickets a', { hasText: 'Second' }).click()
    await isOpen(ids[1])
    await editorOf(page).focus()
    await page.keyboard.type('I am still here')
    await acme.put(`/v1/tickets/${ids[1]}/assignee`, { userId })
    await acme.put(`/v1/tickets/${ids[1]}/tags`, { tags: ['taken'] })
    await until(
      () => page.locator('.beside .tag-list', { hasText: 'taken' }).isVisible(),
      () => app.runDue(),
    )
    expect(await page.locator('.ticket-head .menu.assign [aria-current]').first().getAttribute('value')).toBe(userId)
    expect(await editorOf(page).textContent()).toBe('I am still here')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-answer')
    expect(await isSamePage()).toBe(true)
  })

  test('says that the ticket was merged meanwhile, and keeps what is being written, for the other one', async () => {
    await page.locator('.tickets a', { hasText: 'Second' }).click()
    await isOpen(ids[1])
    await editorOf(page).focus()
    await page.keyboard.type('I am still here')
    await acme.perform((tx, caller) => mergeTickets(tx, caller, ids[1] as string, ids[2] as string))
    await until(
      () => page.locator('.thread-place').getByText('This ticket was merged into').isVisible(),
      () => app.runDue(),
    )
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-answer')
    await page.keyboard.type(', am I?')
    await press(page, 'Control+Enter')
    await page.getByText('This ticket was merged into another one.').waitFor()
    expect(await editorOf(page).textContent()).toBe('I am still here, am I?')
    await page.locator('.thread-place').getByRole('link').click()
    await isOpen(ids[2])
    expect(await editorOf(page).textContent()).toBe('I am still here, am I?')
    expect(await isSamePage()).toBe(true)
  })
})
