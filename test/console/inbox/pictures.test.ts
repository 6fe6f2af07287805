import { describe, expect, test } from 'bun:test'
import { receiveMessage } from '../../../src/tickets/incoming/receiving.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { signedIn } from '../../support/pages/console.ts'
import { setUpAgent } from '../../support/pages/fixtures.ts'
import { expectSound, press, signInAt } from '../../support/pages/pages.ts'
import { createTestAttachment, createTicket } from '../../support/tickets/tickets.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let path: string

setUpAgent((fixture) => ({ app, acme, agent } = fixture))

/** A ticket whose customer sends these files. Returns their ids. */
async function send(
  files: readonly (readonly [fileName: string, content: Uint8Array<ArrayBuffer> | string, contentType?: string])[],
) {
  const { id } = await createTicket(acme)
  path = `/console/tickets/${id}`
  const stored = await Promise.all(
    files.map(([fileName, content, contentType]) =>
      createTestAttachment(acme, { fileName, ...(contentType ? { contentType } : {}) }, content),
    ),
  )
  app.clock.advance(1000)
  await acme.perform((tx, caller) => receiveMessage(tx, caller, id, { text: 'See these.', attachments: stored }))
  return stored.map((file) => file.id) as [string, ...string[]]
}

describe('files in the thread', () => {
  test('are small pictures where every browser draws them, and others are saved', async () => {
    const [shot, drawing, text] = await send([
      ['&shot.png', PNG],
      // Its sender calls them pictures: what counts is what they are.
      ['drawing.svg', SVG, 'image/svg+xml'],
      ['notes.png', 'plain', 'image/png'],
    ])
    const page = (await agent.get(path)).text
    expect(page).toContain(
      `<a href="/console/pictures/${shot}" data-picture="/console/attachments/${shot}"><img src="/console/attachments/${shot}" alt="" width="128" height="96" loading="lazy"`,
    )
    expect(page).toContain('<bdi>&amp;shot.png</bdi>')
    for (const id of [drawing, text]) {
      expect(page).toContain(`<a href="/console/attachments/${id}" download>`)
      expect(page).not.toContain(`src="/console/attachments/${id}"`)
      expect((await agent.get(`/console/pictures/${id}`)).status).toBe(404)
    }
  })

  test('are shown large on a page of their own, to their own people alone', async () => {
    const [shot] = await send([['&shot.png', PNG]])
    const page = await agent.get(`/console/pictures/${shot}`)
    expect(page.text).toContain(`<img src="/console/attachments/${shot}" alt="&amp;shot.png">`)
    expect(page.text).toContain(`href="${path}"`)
    const stranger = await signedIn(app, await app.createTenant())
    expect((await stranger.get(`/console/pictures/${shot}`)).status).toBe(404)
    expect((await agent.get('/console/pictures/none')).status).toBe(404)
  })
})

test.skipIf(!hasBrowser)('a picture opens above the thread, and keys go through them', async () => {
  const [first, second] = await send([
    ['first.png', PNG],
    ['second.png', PNG],
  ])
  const browser = await openBrowser()
  try {
    const page = await browser.context.newPage()
    await signInAt(page, app, agent.person.email, path)
    const viewer = page.getByRole('dialog', { name: 'Picture' })
    const shown = () => viewer.locator('img').getAttribute('src')
    await page.getByRole('link', { name: 'first.png' }).click()
    await viewer.waitFor()
    expect(await shown()).toBe(`/console/attachments/${first}`)
    await expectSound(page)
    await press(page, 'ArrowRight')
    expect(await shown()).toBe(`/console/attachments/${second}`)
    // There is no other one, and no key of the desk acts behind it.
    await press(page, 'ArrowRight', 'e', '?')
    expect(await shown()).toBe(`/console/attachments/${second}`)
    expect(await page.getByRole('dialog').count()).toBe(1)
    await viewer.getByRole('button', { name: 'Previous picture' }).click()
    expect(await shown()).toBe(`/console/attachments/${first}`)
    await press(page, 'Escape')
    await viewer.waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => document.activeElement?.querySelector('bdi')?.textContent)).toBe('first.png')
    expect(page.url()).toEndWith(path)
  } finally {
    await browser.close()
  }
})
