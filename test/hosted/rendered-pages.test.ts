import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { closeForm, publishForm, reopenForm } from '../../src/forms/publishing.ts'
import { RenderedPages } from '../../src/hosted/rendered-pages.ts'
import { SplicedText } from '../../src/lib/text/spliced-text.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { questionBody } from '../support/forms/questions.ts'

describe('rendered pages', () => {
  let made: string[] = []
  const render = (key: string) => async () => {
    made.push(key)
    await Bun.sleep(0)
    return SplicedText.around('MARK', `${'x'.repeat(1000)}MARK`)
  }
  const see = (pages: RenderedPages, ...keys: string[]) => {
    made = []
    return Promise.all(keys.map((key) => pages.find(key, render(key))))
  }

  test('are made once, for all who wait', async () => {
    const pages = new RenderedPages()
    await see(pages, 'a', 'a', 'b')
    expect(made).toEqual(['a', 'b'])
    await see(pages, 'b', 'a')
    expect(made).toEqual([])
  })

  test('go when there are too many, what was not seen for longest first', async () => {
    const pages = new RenderedPages(2 * 1100)
    await see(pages, 'a')
    await see(pages, 'b')
    await see(pages, 'a')
    await see(pages, 'c')
    await see(pages, 'a')
    expect(made).toEqual([])
    await see(pages, 'b')
    expect(made).toEqual(['b'])
  })

  test('are made again after one could not be', async () => {
    const pages = new RenderedPages()
    const failing = pages.find('a', () => Promise.reject(new Error('no')))
    expect(await failing.catch(({ message }) => message)).toBe('no')
    await see(pages, 'a')
    expect(made).toEqual(['a'])
  })
})

describe('the page of a form', () => {
  let app: TestApp
  let acme: TestTenant
  beforeAll(async () => {
    app = await startApp()
    acme = await app.createTenant()
  })
  afterAll(() => app.close())

  const see = async (launchCode: string, headers: Record<string, string> = {}) =>
    (await fetch(`${app.url}/f/${launchCode}`, { headers })).text()
  const tokenIn = (page: string) => /data-token="([^"]*)"/.exec(page)?.[1] ?? ''

  test('is the same text with and without compression, and its token is of the moment it is looked at', async () => {
    const { launchCode } = await createPublished(acme, [questionBody('nps')])
    const plain = await see(launchCode, { 'accept-encoding': 'identity' })
    expect(await see(launchCode, { 'accept-encoding': 'gzip' })).toBe(plain)
    app.clock.advance(1)
    const later = await see(launchCode)
    expect(tokenIn(later)).toMatch(/^\w+\.[\w-]{43}$/)
    expect(tokenIn(later)).not.toBe(tokenIn(plain))
    expect(later.replace(tokenIn(later), tokenIn(plain))).toBe(plain)
  })

  test('shows another form’s questions never, and follows what is done to its own', async () => {
    const [one, other] = [
      await createPublished(acme, [questionBody('nps', { text: 'The first' })]),
      await createPublished(acme, [questionBody('nps', { text: 'The second' })]),
    ]
    expect(await see(one.launchCode)).toContain('The first')
    expect(await see(other.launchCode)).toContain('The second')
    await acme.perform((tx, caller) => closeForm(tx, caller, one.id))
    expect(await see(one.launchCode)).toContain('This form is not available')
    app.clock.advance(1)
    await acme.perform((tx, caller) => reopenForm(tx, caller, one.id))
    await acme.perform((tx, caller) => publishForm(tx, caller, one.id))
    expect(await see(one.launchCode)).toContain('The first')
  })
})
