import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { addCannedReply } from '../../../../src/tickets/writing/canned-replies.ts'
import { changeProfile } from '../../../../src/users/changes.ts'
import { startApp, type TestApp, type TestTenant } from '../../../support/app.ts'
import { hasBrowser, openBrowser } from '../../../support/pages/browser.ts'
import { createPerson } from '../../../support/pages/console.ts'
import { editorOf, expectSound, press, signInAt } from '../../../support/pages/pages.ts'
import { createEmailInbox, createTicket } from '../../../support/tickets/tickets.ts'

describe.skipIf(!hasBrowser)('the box at the foot of a ticket', () => {
  let app: TestApp
  let acme: TestTenant
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let ticketId: string

  beforeAll(async () => {
    app = await startApp()
    acme = await app.createTenant()
    const { email } = await createPerson(acme, 'agent')
    const { userId } = await createPerson(acme, 'agent')
    const inboxId = (await createEmailInbox(acme)).id
    ticketId = (await createTicket(acme, { inboxId })).id
    await acme.perform(async (tx, caller) => {
      await changeProfile(tx, caller, userId, { name: 'Grace Hopper', language: null })
      await addCannedReply(tx, caller, null, {
        name: 'Refund is on its way',
        text: 'Dear {{contact.first_name}},\n\nit comes.',
      })
      await addCannedReply(tx, caller, null, { name: 'Not our fault', text: 'We are sorry.' })
    })
    browser = await openBrowser()
    page = await browser.context.newPage()
    await signInAt(page, app, email, `/console/tickets/${ticketId}`)
  })
  afterAll(async () => {
    await browser?.close()
    await app.close()
  })

  const offered = () => page.locator('.suggestions:visible li')
  const names = () => offered().locator('span').allTextContents()

  test('puts a canned reply in behind a slash, by a few letters', async () => {
    await editorOf(page).focus()
    await page.keyboard.type('Half and/or whole. /')
    await offered().first().waitFor()
    expect(await names()).toEqual(['Not our fault', 'Refund is on its way'])
    await expectSound(page)
    await page.keyboard.type('way ref')
    await page.waitForFunction(() => document.querySelectorAll('.suggestions:not([hidden]) li').length === 1)
    await press(page, 'Enter')
    await page.waitForFunction(() => document.querySelector('#field-answer')?.textContent?.includes('it comes.'))
    const text = await editorOf(page).innerText()
    expect(text).toStartWith('Half and/or whole.')
    expect(text).toContain('Dear Ada Lovelace,')
    expect(text).not.toContain('/way')
    expect(await offered().count()).toBe(0)
  })

  test('leaves a slash that is meant alone', async () => {
    await editorOf(page).fill('')
    await page.keyboard.type('/')
    await offered().first().waitFor()
    await press(page, 'Escape')
    await page.keyboard.type('not')
    expect(await offered().count()).toBe(0)
    await press(page, 'Enter')
    expect(await editorOf(page).innerText()).toStartWith('/not')
    await editorOf(page).fill('')
    await page.keyboard.type('see https://acme.test/not or 1/2')
    expect(await offered().count()).toBe(0)
  })

  test('names a colleague behind an @ in a note, who is told of it', async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await press(page, 'n')
    await page.keyboard.type('Ask ada@acme.test, or @ho')
    await offered().first().waitFor()
    expect(await names()).toEqual(['Grace Hopper'])
    await press(page, 'Tab')
    await page.keyboard.type('please')
    expect(await page.getByLabel('Your note').inputValue()).toBe('Ask ada@acme.test, or @Grace Hopper please')
    expect(await offered().count()).toBe(0)
  })

  test('says in full whom an answer goes to, and takes each out', async () => {
    await page.locator('#write-answer').check({ force: true })
    const line = page.locator('[data-recipients]')
    expect(await line.innerText()).toContain('ada@acme.test')
    await page.locator('.recipients summary', { hasText: /^Cc$/ }).click()
    await page.locator('#field-cc').fill('bob@acme.test, eve@acme.test')
    expect(await line.locator('bdi').allTextContents()).toEqual(['ada@acme.test', 'bob@acme.test', 'eve@acme.test'])
    await page.getByRole('button', { name: 'Take bob@acme.test out' }).click()
    expect(await page.locator('#field-cc').inputValue()).toBe('eve@acme.test')
    await page.locator('.recipients summary', { hasText: /^Bcc$/ }).click()
    await page.locator('#field-bcc').fill('zoe@acme.test')
    await expectSound(page)
    await page.waitForFunction(() => localStorage.length === 0)
    await page.reload()
    expect(await line.locator('bdi').allTextContents()).toEqual(['ada@acme.test', 'eve@acme.test', 'zoe@acme.test'])
    await page.getByRole('button', { name: 'Take zoe@acme.test out' }).click()
    expect(await page.locator('#field-bcc').inputValue()).toBe('')
  })

  test('takes what is dropped anywhere at its ticket, and what is dropped elsewhere leads nowhere', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'frontdesk-dropped-'))
    const inspector = await browser.context.newCDPSession(page)
    /** What browsers do with a file that nobody takes: they open it in place of the page. */
    const drop = async (name: string, selector: string) => {
      const file = join(folder, name)
      writeFileSync(file, name)
      const box = await page.locator(selector).first().boundingBox()
      const place = { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 10 }
      const data = { items: [], files: [file], dragOperationsMask: 1 }
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await inspector.send('Input.dispatchDragEvent', { type, ...place, data })
      }
    }
    try {
      await drop('onto-what-is-said.txt', '.thread .message')
      await page.getByRole('link', { name: 'onto-what-is-said.txt' }).waitFor()
      await drop('elsewhere.txt', '.list-pane .tickets')
      await drop('into-the-field.txt', '#field-answer')
      await page.getByRole('link', { name: 'into-the-field.txt' }).waitFor()
      expect(await page.locator('.files.kept a').allTextContents()).toEqual([
        'onto-what-is-said.txt',
        'into-the-field.txt',
      ])
      // A note takes no files.
      await page.locator('#write-note').check({ force: true })
      await drop('onto-a-note.txt', '#field-note')
      await drop('beside-a-note.txt', '.thread .message')
      await page.locator('#write-answer').check({ force: true })
      await drop('last.txt', '#field-answer')
      await page.getByRole('link', { name: 'last.txt' }).waitFor()
      expect(await page.locator('.files.kept a').count()).toBe(3)
    } finally {
      await inspector.detach()
      rmSync(folder, { recursive: true })
    }
  })
})
