import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { listenForMail, type MailListener } from '../../../../src/channels/email/listener/index.ts'
import { mailIntake } from '../../../../src/channels/email/listener/intake.ts'
import { startApp, type TestApp, type TestTenant } from '../../../support/app.ts'
import { rawMail, type TestMail } from '../../../support/mail/mails.ts'
import { type MailServer, refusal, startMailServer } from '../../../support/mail/server.ts'
import { connectSmtp } from '../../../support/mail/smtp.ts'
import { hasBrowser, openBrowser } from '../../../support/pages/browser.ts'
import { createPerson, signedIn, stayAtTickets } from '../../../support/pages/console.ts'
import { editorOf, signInAt, violations } from '../../../support/pages/pages.ts'
import { createEmailInbox } from '../../../support/tickets/tickets.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** What Word puts on the clipboard, and what a page from the web may. */
const PASTED = `<html xmlns:o="x"><head><style>p{color:red}</style></head><body><!--StartFragment-->
<p class=MsoNormal><b><span style='color:red'>Pasted</span></b> words<o:p></o:p></p>
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp;</span></span>one</p>
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>two</p>
<p onclick="alert(1)">x<img src="https://track.test/1.png"><script>alert(1)</script><a href="javascript:alert(1)">y</a></p>
<!--EndFragment--></body></html>`

describe.skipIf(!hasBrowser)('a mail that is answered', () => {
  let mailServer: MailServer
  let app: TestApp
  let acme: TestTenant
  let listener: MailListener
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let address: string
  let refusesMail = false

  beforeAll(async () => {
    mailServer = await startMailServer({
      onRcptTo: (_address, _session, callback) =>
        refusesMail ? callback(refusal(550, 'no such mailbox here')) : callback(),
    })
    app = await startApp({
      environment: { FRONTDESK_SMTP_URL: mailServer.url, FRONTDESK_INBOUND_SMTP_PORT: '0' },
    })
    acme = await app.createTenant()
    address = (await createEmailInbox(acme)).emailAddress as string
    const { config, clock, log } = app.deps
    if (!config.inboundSmtp) throw new Error('no listener is configured')
    listener = await listenForMail(config.inboundSmtp, { config, clock, log, intake: mailIntake(app.deps) })
    const person = await createPerson(acme, 'agent')
    await stayAtTickets(acme, person)
    browser = await openBrowser()
    page = await browser.context.newPage()
    await signInAt(page, app, person.email, '/console/inbox')
  })
  afterAll(async () => {
    await browser?.close()
    await listener?.stop()
    await app.close()
    await mailServer.close()
  })

  const field = () => editorOf(page)
  const written = () => field().innerHTML()
  /** This computer has nothing that the server has not. */
  const isKept = () => page.waitForFunction(() => localStorage.length === 0)
  /** The browser goes there by itself, some time after it shows the page. */
  const isAtUndo = () => page.waitForFunction(() => document.activeElement?.textContent === 'Undo')
  const waitUntilSent = async () => {
    app.clock.advance(10_000)
    await app.runDue()
  }
  /** A customer's mail server brings a mail. */
  const receive = async (mail: TestMail & { to: string }) => {
    const client = await connectSmtp(listener.port)
    await client.begin(mail.to, 'ada@acme.test')
    client.write(rawMail(mail))
    expect(await client.say('\r\n.')).toStartWith('250')
    client.close()
  }

  test('shows up in an open inbox by itself', async () => {
    await page.getByText('Nothing is waiting: no ticket is open.').waitFor()
    await receive({ from: 'Ada <ada@acme.test>', to: address, subject: 'The broken lamp', text: 'It does not light.' })
    await page.getByRole('link', { name: /The broken lamp/ }).click()
    await page.waitForURL(/\/console\/tickets\//)
    await page.locator('.thread').getByText('It does not light.').waitFor()
  })

  test('is answered by keyboard in an editor that says what it does, and cleans what is pasted', async () => {
    await field().focus()
    await page.keyboard.type('Hello Ada, this is ')
    await page.keyboard.press('Control+b')
    await page.getByRole('button', { name: 'Bold', pressed: true }).waitFor()
    await page.keyboard.type('bold')
    await page.keyboard.press('Control+b')
    await page.keyboard.type(' and ')
    await page.getByRole('button', { name: 'Link' }).click()
    await page.getByLabel('Address of the link').waitFor()
    await page.keyboard.type('acme.test/lamps')
    await page.keyboard.press('Enter')
    await page.keyboard.type(' too.')
    const said = '<p>Hello Ada, this is <b>bold</b> and <a href="https://acme.test/lamps">acme.test/lamps</a> too.'
    expect(await written()).toStartWith(said)
    // One stop for all the buttons, and arrows between them.
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Italic')
    await field().focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Enter')
    await page.evaluate((html) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', html)
      clipboardData.setData('text/plain', 'Pasted')
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(paste)
    }, PASTED)
    await field().getByText('two').waitFor()
    expect((await written()).replace(/<br>|\n/g, '')).toBe(
      `${said}</p><p><b>Pasted</b> words</p><ul><li>one</li><li>two</li></ul><p>xy</p>`,
    )
    expect(await violations(page)).toEqual([])
  })

  test('is kept whole when its writer goes on, and stops, while what they wrote first is being saved', async () => {
    await isKept()
    const answered = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const hold = async (route: Route) => {
      asked.resolve()
      await answered.promise
      await route.continue()
    }
    await page.route('**/draft', hold)
    await field().focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('z')
    await asked.promise
    await page.keyboard.type('!')
    // After the pause in which what was typed is saved.
    await page.evaluate(() => new Promise((pause) => setTimeout(pause, 1000)))
    answered.resolve()
    await isKept()
    await page.unroute('**/draft', hold)
    await page.reload()
    await field().getByText('xyz!').waitFor()
  })

  test('is there again when the server was gone in the middle', async () => {
    await isKept()
    await browser.context.setOffline(true)
    await field().focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Half. ')
    await page.getByText('Not saved').waitFor()
    const before = await written()
    await browser.context.setOffline(false)
    await page.reload()
    expect(await written()).toBe(before)
    await isKept()
  })

  test('says who else is there, and goes out with its file unless it is taken back', async () => {
    const colleague = await signedIn(app, acme, 'agent')
    const headers = { 'content-type': 'application/json', 'x-csrf-token': await colleague.csrf() }
    await colleague.request('POST', `${new URL(page.url()).pathname}/typing`, '{}', headers)
    await page.getByText('is writing an answer.').waitFor()
    await field().focus()
    await page.keyboard.press('Control+End')
    await page.evaluate((base64) => {
      const clipboardData = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      clipboardData.items.add(new File([bytes], 'lamp.png', { type: 'image/png' }))
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(paste)
    }, PNG)
    await field().getByRole('img', { name: 'lamp.png' }).waitFor()
    await field().evaluate((editor) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File(['%PDF'], 'terms.pdf', { type: 'application/pdf' }))
      editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await page.getByRole('link', { name: 'terms.pdf' }).waitFor()
    await page.getByRole('button', { name: /terms\.pdf/ }).click()
    await page.getByRole('link', { name: 'terms.pdf' }).waitFor({ state: 'detached' })
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'lamp.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Nothing was sent.').waitFor()
    expect(await written()).toStartWith('<p>Half. Hello Ada')
    expect(mailServer.mails).toEqual([])
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText(/^Goes out in \d+ seconds?\.$/).waitFor()
    await isAtUndo()
    await waitUntilSent()
    const [mail] = mailServer.mails
    const files = mail?.attachments.map(({ filename, disposition }) => [filename, disposition])
    expect(files).toEqual([
      ['lamp.png', 'inline'],
      ['lamp.txt', 'attachment'],
    ])
    expect(mail?.html).toContain(`src="cid:${mail?.attachments[0]?.contentId?.slice(1, -1)}"`)
    expect(mail?.html).toContain('<b>bold</b> and <a href="https://acme.test/lamps"')
    expect(mail?.text).toContain('this is bold and acme.test/lamps')
    // The page sees by itself that it has gone out.
    await page.getByText('Sent', { exact: true }).waitFor()
    expect(await field().textContent()).toBe('')
  })

  test('and what the customer answers to that joins it, under the eyes of whoever reads it', async () => {
    const [mail] = mailServer.mails
    await receive({
      from: 'Ada <ada@acme.test>',
      to: mail?.replyTo?.[0]?.address as string,
      subject: `Re: ${mail?.subject}`,
      headers: { 'In-Reply-To': mail?.messageId as string },
      text: 'Thank you!',
    })
    await page.getByText('1 new message').waitFor()
    await page.getByRole('link', { name: 'Show', exact: true }).click()
    await page.locator('.thread').getByText('Thank you!').waitFor()
  })

  test('closes its ticket under the eyes of its writer, who is offered what can be done with a closed one', async () => {
    const flash = page.locator('.flash')
    const offered = () => page.locator('.ticket-head').getByRole('button').allTextContents()
    const snooze = page.locator('.ticket-head .menu.snooze')
    await field().focus()
    await page.keyboard.type('You are welcome.')
    await page.locator('.send summary').click()
    await page.getByRole('button', { name: 'Send and close' }).click()
    await page.getByText(/^Goes out in \d+ seconds?\.$/).waitFor()
    await isAtUndo()
    expect(await flash.textContent()).toContain('goes out in a moment')
    expect(await offered()).toEqual(['Close ticket'])
    expect(await snooze.count()).toBe(1)
    await waitUntilSent()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    expect(await offered()).toEqual(['Reopen'])
    expect(await flash.textContent()).toBe('Your answer was sent.')
    expect(await snooze.count()).toBe(0)
    expect(await page.locator('.ticket-head .facts').textContent()).toContain('Closed')
    // Undo is gone: whoever was there goes on at the answer.
    await page.waitForFunction(() => document.activeElement?.id === 'answer')
  })

  test('that was taken back in another tab is not said to have gone', async () => {
    const cdp = await browser.context.newCDPSession(page)
    await cdp.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
    await page.getByRole('button', { name: 'Reopen' }).click()
    await field().focus()
    await page.keyboard.type('One more thing.')
    await page.locator('.send summary').click()
    await page.getByRole('button', { name: 'Send and close' }).click()
    await page.getByText(/^Goes out in \d+ seconds?\.$/).waitFor()
    // However long the rest takes, the page does not look by itself at what has become of it.
    await page.evaluate(() => {
      performance.now = () => 0
    })
    const other = await browser.context.newPage()
    await other.goto(page.url())
    await other.getByRole('button', { name: 'Undo' }).click()
    await other.getByText('Nothing was sent.').waitFor()
    await other.close()
    // What somebody else sends shows the ticket anew.
    const id = new URL(page.url()).pathname.split('/').at(-1)
    expect((await acme.post(`/v1/tickets/${id}/replies`, { html: '<p>Goodbye.</p>' })).status).toBe(201)
    await page.locator('.thread').getByText('Goodbye.').waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    expect(await page.locator('.flash').textContent()).toBe('')
    expect(await page.getByRole('button', { name: 'Close ticket' }).count()).toBe(1)
    const zones = page.locator('.ticket-head input[data-zone]')
    expect(await zones.evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))).toEqual([
      'Asia/Tokyo',
      'Asia/Tokyo',
    ])
  })

  test('that was refused says why in the thread, and its ticket can still be closed', async () => {
    refusesMail = true
    await page.reload()
    await field().focus()
    await page.keyboard.type('Are you there?')
    await page.locator('.send summary').click()
    await page.getByRole('button', { name: 'Send and close' }).click()
    await page.getByText(/^Goes out in \d+ seconds?\.$/).waitFor()
    await waitUntilSent()
    // It is seen once its time is over here, too: nothing tells of what was not sent.
    await page.locator('.thread').getByText('no such mailbox here').waitFor()
    expect(await page.locator('.flash').textContent()).toBe('')
    expect(await page.getByRole('button', { name: 'Close ticket' }).count()).toBe(1)
  })

  test('that goes out takes no button from under the hand that presses it', async () => {
    refusesMail = false
    await page.reload()
    await field().focus()
    await page.keyboard.type('Here it is.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText(/^Goes out in \d+ seconds?\.$/).waitFor()
    await isAtUndo()
    const { pathname } = new URL(page.url())
    const seen = page.waitForResponse(
      (answer) => answer.request().resourceType() === 'fetch' && new URL(answer.url()).pathname === pathname,
    )
    await page.getByRole('button', { name: 'Close ticket' }).hover()
    await page.mouse.down()
    await waitUntilSent()
    await (await seen).finished()
    for (const _ of [1, 2]) await page.evaluate(() => new Promise(requestAnimationFrame))
    await page.mouse.up()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
  })

  test('is no longer offered what was pressed, although the button has the focus', async () => {
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByRole('button', { name: 'Close ticket' }).waitFor()
    await page.getByRole('button', { name: 'Close ticket' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    expect(await page.locator('.ticket-head').getByText('Closed', { exact: true }).count()).toBe(1)
  })

  test('and what was asked for before it was closed, and comes after, does not show it as open again', async () => {
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByRole('button', { name: 'Close ticket' }).waitFor()
    const { pathname } = new URL(page.url())
    const asked = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    let isFirst = true
    // The server has answered; the answer is long under way.
    const hold = async (route: Route) => {
      if (!isFirst || route.request().method() !== 'GET') return route.fallback()
      isFirst = false
      const response = await route.fetch()
      asked.resolve()
      await closed.promise
      await route.fulfill({ response })
    }
    await page.route((url) => url.pathname === pathname, hold)
    const id = pathname.split('/').at(-1)
    expect((await acme.put(`/v1/tickets/${id}/priority`, { priority: 'high' })).status).toBe(200)
    await app.runDue()
    await asked.promise
    await page.getByRole('button', { name: 'Close ticket' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    const late = page.waitForResponse(
      (answer) => answer.request().method() === 'GET' && new URL(answer.url()).pathname === pathname,
    )
    closed.resolve()
    await (await late).finished()
    for (const _ of [1, 2]) await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await page.getByRole('button', { name: 'Reopen' }).count()).toBe(1)
    await page.unrouteAll()
  })

  test('shows what a colleague does to it while the page begins to listen anew', async () => {
    const begun = Promise.withResolvers<void>()
    await page.route(/\/events\?/, async (route) => {
      await begun.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByRole('button', { name: 'Close ticket' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    expect((await acme.put(`/v1/tickets/${id}/priority`, { priority: 'urgent' })).status).toBe(200)
    await app.runDue()
    await page.locator('.ticket-head').getByText('Priority: Urgent').waitFor()
    begun.resolve()
    await page.unrouteAll({ behavior: 'wait' })
  })
})
