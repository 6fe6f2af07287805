import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import * as display from '../../src/console/components/display.ts'
import * as forms from '../../src/console/components/forms.ts'
import * as lists from '../../src/console/components/lists.ts'
import * as menus from '../../src/console/components/menus.ts'
import { problemSummary } from '../../src/console/components/problem.ts'
import { FormFields } from '../../src/console/form-fields.ts'
import { consoleWordingOf } from '../../src/console/words/index.ts'
import { html, type Markup } from '../../src/lib/html/markup.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { componentPage, serveComponents } from '../support/pages/component-page.ts'
import { expectSound, noticed, violations } from '../support/pages/pages.ts'

const markup = componentPage('en', new URL('http://desk.test/?cursor=x'))

test('whatever people wrote is text, and nothing inline runs', () => {
  expect(markup).not.toContain('<script>')
  expect(markup).toContain('&quot;&gt;&lt;script&gt;')
  expect(markup).not.toMatch(/<style|style=| on\w+="/)
})

test('a form that was refused keeps what was typed but for passwords, and says what is wrong where it is', () => {
  expect(markup).toContain('<a href="#field-sender">Sender: Must be an email address.</a>')
  expect(markup).toMatch(
    /<input[^>]* id="field-sender" aria-describedby="field-sender-help field-sender-error" aria-invalid="true" value="ada@"/,
  )
  expect(markup).toContain('<p class="error" id="field-sender-error">Must be an email address.</p>')
  expect(markup).toMatch(/<textarea[^>]*>\nTwo\nlines<\/textarea>/)
  expect(markup).not.toContain('never shown')
})

describe('what is above a page whose form was refused', () => {
  const view = { wording: consoleWordingOf('en'), csrf: '', href: (path: string) => path }
  const form = new FormFields()
  const above = (field: string | null, body: Markup) =>
    /<p>(.*)<\/p>/.exec(problemSummary(view, { field, text: 'Is wrong.' }, body).text)?.[1]
  const again = (field: string) => ({ problem: { field, text: 'Is wrong.' }, form })

  test('calls the field what its label says, whatever people wrote into that, and not whether it may be empty', () => {
    const label = 'Name & <b>'
    const body = forms.field(view, { name: 'person.name', label, again: again('person.name') })
    expect(body.text).toContain('(optional)')
    expect(above('person.name', body)).toBe('<a href="#field-person-name">Name &amp; &lt;b&gt;: Is wrong.</a>')
  })

  test('calls several boxes what their legend says', () => {
    const box = forms.checkbox(view, { name: 'scopes', value: 'one', label: 'One' })
    const body = forms.fieldset({ legend: 'Scopes', name: 'scopes', again: again('scopes') }, box)
    expect(above('scopes', body)).toBe('<a href="#field-scopes">Scopes: Is wrong.</a>')
  })

  test('calls a control without a label what it calls itself', () => {
    const body = html`<input id="field-tags" aria-label="Add “a” &amp; “b”">`
    expect(above('tags', body)).toBe('<a href="#field-tags">Add “a” &amp; “b”: Is wrong.</a>')
  })

  test('leads to the field that is wrong where several have its name', () => {
    const fields = ['one', 'two'].map((id) =>
      forms.field(view, { name: 'name', id, label: id, ...(id === 'two' && { again: again('name') }) }),
    )
    expect(above('name', html`${fields}`)).toBe('<a href="#two">two: Is wrong.</a>')
  })

  test('leads nowhere where the page has no such field, or where it is about the whole', () => {
    const body = forms.field(view, { name: 'other', label: 'Other' })
    expect([above('name', body), above(null, body)]).toEqual(['Is wrong.', 'Is wrong.'])
  })
})

test('every component is on the page', async () => {
  const page = await Bun.file(new URL('../support/pages/component-page.ts', import.meta.url)).text()
  const made = Object.entries({ display, forms, lists, menus }).flatMap(([file, exports]) =>
    Object.entries(exports).flatMap(([name, value]) => (typeof value === 'function' ? [`${file}.${name}`] : [])),
  )
  // What others are made of, and what has no look of its own.
  const within = ['forms.fieldId', 'forms.csrfInput', 'lists.withQuery', 'menus.choice']
  expect(made.filter((name) => !page.includes(`${name}(`)).toSorted()).toEqual(within.toSorted())
})

test('ids are not given twice', () => {
  const ids = [...markup.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(ids).toEqual([...new Set(ids)])
})

describe.skipIf(!hasBrowser)('in a browser', () => {
  let served: ReturnType<typeof serveComponents>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  beforeAll(async () => {
    served = serveComponents()
    browser = await openBrowser()
    page = await browser.context.newPage()
  })
  afterAll(async () => {
    await browser.close()
    await served.stop(true)
  })

  test.each(['en', 'de'])(
    'has no violation that axe finds, and nothing that runs out of the page: %s',
    async (language) => {
      await page.goto(`${served.url}?language=${language}`)
      await expectSound(page)
    },
  )

  test.each([true, false])(
    'who sent a form that was refused is at why, and goes on to the field: scripts %p',
    async (runs) => {
      const context = await (browser.context.browser() as Browser).newContext({ javaScriptEnabled: runs })
      const page = await context.newPage()
      await page.goto(String(served.url))
      expect(await page.title()).toStartWith('Error: ')
      await page.locator('.problem:focus').waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.locator('#field-sender:is(:focus, :target)').waitFor()
      await context.close()
    },
  )

  test('stays whole in the reader’s own colours, and at twice its size', async () => {
    // A window of 1,280 pixels at 200 %.
    await page.setViewportSize({ width: 640, height: 450 })
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto(String(served.url))
    for (const summary of await page.locator('main .menu > summary').all()) {
      await summary.click()
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    }
    const outline = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((part) => getComputedStyle(part).outlineStyle)
    expect([await outline('.choice[aria-current]'), await outline('.choice:not([aria-current])')]).toEqual([
      'solid',
      'none',
    ])
    await page.emulateMedia({ forcedColors: null })
  })

  test('a phone shows a row of many columns as a list, in which cells say what they are', async () => {
    await page.goto(String(served.url))
    const cell = page.locator('table.stacks tbody tr:nth-child(2) td').nth(1)
    const label = () => cell.evaluate((element) => getComputedStyle(element, '::before').content)
    await page.setViewportSize({ width: 1280, height: 900 })
    expect(await label()).toBe('none')
    await page.setViewportSize({ width: 360, height: 900 })
    expect(await label()).toBe('"Count"')
    const scroll = page.locator('.scroll', { has: page.locator('table.stacks') })
    expect(await scroll.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  })

  test('a phone has the pages behind a menu, which opens and closes by keyboard', async () => {
    await page.setViewportSize({ width: 375, height: 900 })
    await page.goto(String(served.url))
    const nav = page.locator('nav').first()
    expect(await nav.isVisible()).toBe(false)
    await page.locator('[data-menu] summary').focus()
    await page.keyboard.press('Enter')
    expect(await nav.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await nav.isVisible()).toBe(false)
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await nav.isVisible()).toBe(true)
  })

  test('what is shown once is copied by a button, which says so', async () => {
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(String(served.url))
    const copied = noticed(page, '[data-copy] span', 'Copied')
    await page.getByRole('button', { name: 'Copy' }).click()
    await copied
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('sk_secret')
  })

  test('the first Tab leads past the navigation', async () => {
    await page.goto(`${served.url}?taken`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.id === 'main')
  })
})
