import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { upsertArticle } from '../../../src/articles/operations.ts'
import { setLanguages } from '../../../src/articles/sources.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createTestSource } from '../../support/chat/articles.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { createPerson } from '../../support/pages/console.ts'
import { expectSound, noticed, signInAt } from '../../support/pages/pages.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe.skipIf(!hasBrowser)('articles in a browser', () => {
  let app: TestApp
  let acme: TestTenant
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let path: string
  let sourceId: string

  beforeAll(async () => {
    app = await startApp()
    acme = await app.createTenant()
    const agent = await createPerson(acme, 'agent')
    sourceId = (await createTestSource(acme)).id
    path = `/console/articles/${sourceId}`
    browser = await openBrowser()
    page = await browser.context.newPage()
    await signInAt(page, app, agent.email)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  const status = '[data-draft-kept]'
  const editor = () => page.locator('.editor')
  const markdown = () => page.locator('textarea[name="content"]')
  const preview = () => page.frameLocator('iframe[title="Preview"]')

  test('are kept as drafts while somebody types, shown as they will be, and published', async () => {
    await page.goto(`${app.url}${path}/new`)
    await expectSound(page)
    const kept = noticed(page, status, 'Draft saved')
    await page.getByLabel('Title').fill('Parcels')
    await page.getByText('Markdown', { exact: true }).first().click()
    await markdown().fill('They come **by foot**.')
    await kept
    await page.waitForURL(/\/drafts\//)
    await preview().getByText('by foot').first().waitFor()
    await expectSound(page)
    await page.reload()
    expect(await markdown().inputValue()).toBe('They come **by foot**.')

    await page.setViewportSize({ width: 390, height: 800 })
    expect(await page.locator('iframe').isVisible()).toBe(false)
    await page.getByText('Preview', { exact: true }).first().click()
    await preview().getByText('by foot').first().waitFor()
    await expectSound(page)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('The article is published.').waitFor()
  })

  test('stay what they are where their preview is clicked: its links lead nowhere', async () => {
    await page.goto(`${app.url}${path}/new`)
    await page.locator('[data-view] input[value="markdown"]').check({ force: true })
    await markdown().fill('[Elsewhere](other-article)')
    const link = preview().getByRole('link', { name: 'Elsewhere' })
    await link.click()
    expect(page.frames().map((frame) => frame.url().replace(/#.*/, ''))).toContain('about:srcdoc')
    expect(await link.isVisible()).toBe(true)
  })

  test('are translated beside the original, from right to left where that is so', async () => {
    const language = { language: 'en', languages: ['ar'] }
    await acme.perform((tx, caller) => setLanguages(tx, caller, sourceId, language))
    const original = { title: 'Hours', content: 'Open **at nine**.', format: 'markdown' } as const
    await acme.perform((tx, caller) => upsertArticle(tx, caller, sourceId, 'hours', original))
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${app.url}${path}/edit/hours/in/ar`)
    const frame = (title: string) => page.frameLocator(`iframe[title="${title}"]`)
    await frame('Original').getByText('at nine').first().waitFor()
    expect(await editor().getAttribute('dir')).toBe('rtl')
    await expectSound(page)
    await page.getByText('Start from the original').click()
    await page.getByLabel('Title').fill('ساعات العمل')
    await page.getByText('Preview', { exact: true }).last().click()
    await frame('Preview').locator('html[lang="ar"][dir="rtl"]').getByText('ساعات العمل').first().waitFor()
    expect(await page.locator('iframe[title="Original"]').isVisible()).toBe(false)
    await expectSound(page)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('The translation is published.').waitFor()

    await page.setViewportSize({ width: 390, height: 800 })
    for (const at of ['', '/languages', '/categories', '/edit/hours']) {
      await page.goto(app.url + (at === '' ? `/console/articles?source=${sourceId}` : path + at))
      await expectSound(page)
    }
  })

  test('that cannot be saved are on this computer until they can', async () => {
    await page.goto(`${app.url}${path}/edit/parcels`)
    await page.route('**/keep', (route) => route.abort())
    const told = page.locator('[data-not-kept]', { hasText: 'kept on this computer' }).waitFor()
    await editor().fill('They come by sea.')
    await told
    await page.unroute('**/keep')
    await page.reload()
    await page.locator(status, { hasText: 'Draft saved' }).waitFor()
    expect(await markdown().inputValue()).toBe('They come by sea.')
    await editor().getByText('They come by sea.').waitFor()
  })

  test('are written in the editor without touching what it cannot hold, and byte for byte what nobody touches', async () => {
    let slug = ''
    const source = path.split('/').at(-1)
    const put = (content: string) => {
      slug = `kind-${Bun.hash(content).toString(36)}`
      return acme.put(`/v1/livechat/sources/${source}/articles/${slug}`, { title: 'All kinds', content })
    }
    const held = [
      '# One\n\nA *word*, **bold**, `code`, ~~gone~~ and [another](other-article).\nA line more.',
      '* a\n* b\n    1. c\n    2. d\n\n> said\n> so\n\n```sh\nls -l  <x>\n\ncd\n```',
      '| When | What |\n| :--- | ---: |\n| now | *all* |\n\n---\n\n![A card](https://acme.test/card.png "Card")',
      'z.\u00a0B. 1 * 2 < 3 & \\*so\\*',
    ]
    for (const content of held) {
      await put(content)
      await page.goto(`${app.url}${path}/edit/${slug}`)
      await page.locator('[data-shows]').waitFor()
      expect([content, await page.locator('[data-why-markdown]').textContent(), await editor().isVisible()]).toEqual([
        content,
        '',
        true,
      ])
      const kept = noticed(page, status, 'Draft saved')
      await page.getByLabel('Title').fill('Of all kinds')
      await kept
      expect(await markdown().inputValue()).toBe(content)
    }
    for (const content of [
      '<div class="x">Own <sub>HTML</sub></div>',
      '- [ ] to do\n- [x] done',
      'A[^1]\n\n<details>more</details>',
    ]) {
      await put(content)
      await page.goto(`${app.url}${path}/edit/${slug}`)
      await page.getByText('This article stays in Markdown').waitFor()
      expect(await editor().isVisible()).toBe(false)
      expect(await markdown().inputValue()).toBe(content)
      await page.getByText('Editor', { exact: true }).click()
      expect(await editor().isVisible()).toBe(false)
    }
  })

  test('gain headings, lists and bold words by keyboard, as Markdown', async () => {
    await page.goto(`${app.url}${path}/new`)
    await page.getByLabel('Title').fill('By keyboard')
    await editor().focus()
    await page.keyboard.type('First')
    await page.getByRole('button', { name: 'Heading', exact: true }).click()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('Two')
    await page.keyboard.press('Control+b')
    await page.keyboard.type(' days')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Bulleted list' }).click()
    await page.keyboard.type('one')
    await expectSound(page)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('The article is published.').waitFor()
    expect(await markdown().inputValue()).toBe('## First\n\n**Two** days\n\n- one')
  })

  test('take pictures that are pasted or chosen, and ask what they show', async () => {
    await page.goto(`${app.url}${path}/new`)
    await page.getByLabel('Title').fill('With a picture')
    await editor().fill('Look:')
    await page.evaluate((base64) => {
      const file = new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], 'a.png', {
        type: 'image/png',
      })
      const clipboardData = new DataTransfer()
      clipboardData.items.add(file)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('.editor')?.dispatchEvent(event)
    }, PNG)
    await page.getByLabel('What it shows').fill('A red dot')
    await expectSound(page)
    await page.getByRole('button', { name: 'Insert picture' }).click()
    await editor().getByAltText('A red dot').waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('The article is published.').waitFor()
    expect(await markdown().inputValue()).toMatch(
      /^Look:\s*!\[A red dot\]\(\/help\/[0-9a-f-]{36}\/images\/[0-9a-f-]{36}\)$/,
    )
    await page.goto(`${app.url}${path.replace('/console/articles', '/help')}/with-a-picture`)
    const image = page.getByAltText('A red dot')
    await image.waitFor()
    expect(await image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(1)
  })

  test('are put into order by keyboard', async () => {
    await page.goto(`${app.url}${path}/categories`)
    for (const name of ['Sending', 'Paying']) {
      await page.getByLabel('New category').fill(name)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name }).waitFor()
    }
    await expectSound(page)
    await page.getByRole('button', { name: 'Move “Paying” up' }).press('Enter')
    await page.getByText('The order was changed.').waitFor()
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Paying', 'Sending'])
    await page.goto(`${app.url}${path}/edit/parcels`)
    await page.getByLabel('Category').selectOption('Sending')
    await page.getByRole('button', { name: 'Set category' }).click()
    await page.goto(`${app.url}${path.replace('/console/articles', '/help')}`)
    await expectSound(page)
    expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toBe('Sending')
  })
})
