import { afterAll, beforeAll, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Case, UPLOAD } from '../../forms/logic/case.ts'
import { cases } from '../../forms/logic/cases.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { testOfSqlite } from '../../support/data/postgres.ts'
import { publishNew } from '../../support/forms/collecting.ts'
import { createTestUpload } from '../../support/forms/hosted.ts'
import { complaintsOf, hasBrowser, openBrowser } from '../../support/pages/browser.ts'
import { expectThanks } from '../../support/pages/pages.ts'
import { type Entered, enter } from './controls.ts'
import { together } from './together.ts'

interface Question {
  id: number
  type: string
  friendlyId: string
}

let app: TestApp
let acme: TestTenant
let browser: Awaited<ReturnType<typeof openBrowser>>
let page: Page
/** What went wrong in the page: errors and refused loads. */
let complaints: string[]

describe.skipIf(!hasBrowser)('the page of a form decides as the service does', () => {
  beforeAll(async () => {
    const environment = { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' }
    app = await startApp({ environment })
    acme = await app.createTenant('Acme Roasters')
    browser = await openBrowser()
    page = await browser.context.newPage()
    complaints = complaintsOf(page)
    await page.route('https://example.com/**', (route) => route.fulfill({ body: 'another site' }))
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  async function published({ form, hiddenFields = [] }: Case) {
    const settings = { hidden: [...hiddenFields] }
    const body = await publishNew(acme, { title: 'A case', active: true, ...form }, settings)
    const questions: Question[] = body.pages.flatMap(({ questions }: { questions: Question[] }) => questions)
    return { id: body.id as string, launchCode: body.launchCode as string, pages: body.pages.length, questions }
  }

  type Published = Awaited<ReturnType<typeof published>>

  async function answersOf({ answers }: Case, form: Published): Promise<Entered[]> {
    const entered = form.questions.flatMap(({ id, type, friendlyId }) =>
      friendlyId in answers ? { id, type, answer: answers[friendlyId] } : [],
    )
    if (!JSON.stringify(entered).includes(UPLOAD)) return entered
    const upload = await createTestUpload(acme, { ...form, title: '', questionIds: [] })
    return JSON.parse(JSON.stringify(entered).replaceAll(UPLOAD, upload))
  }

  // What a page decides is the same whatever the answers are stored in.
  testOfSqlite.each(together(cases).map((each) => [each.name, each] as const))('%s', async (_, each) => {
    const form = await published(each)
    const { shown, shownPages = form.questions.length > 0 ? [...Array(form.pages).keys()] : [] } = each
    await page.goto(`${app.url}/f/${form.launchCode}?${new URLSearchParams(each.hidden)}`)
    await page.waitForSelector('#next:enabled')
    await enter(page, await answersOf(each, form))
    const namesOf = (ids: string[]) =>
      form.questions.filter(({ id }) => ids.includes(`q${id}`)).map(({ friendlyId }) => friendlyId)
    expect(
      namesOf(await page.locator('.question:not([hidden])').evaluateAll((all) => all.map(({ id }) => id))),
    ).toEqual([...shown])

    app.clock.advance(5000)
    const passed: string[] = []
    for (const index of shownPages.keys()) {
      await page.waitForSelector(`.page[data-page="${shownPages[index]}"]:not([hidden])`)
      expect(await page.locator('#progress-text').allTextContents()).toEqual(
        form.pages > 1 ? [`Page ${index + 1} of ${shownPages.length}`] : [],
      )
      passed.push(...(await page.locator('.question:visible').evaluateAll((all) => all.map(({ id }) => id))))
      if (index < shownPages.length - 1) await page.click('#next')
    }
    expect(namesOf(passed)).toEqual([...shown])

    const end = each.end === undefined ? undefined : each.form.ends?.[each.end]
    await page.click('#next')
    if (end?.redirect) await page.waitForURL(/^https:\/\/example\.com\/sorry\?response=r_\w+$/)
    else await expectThanks(page)
    if (end?.thanks) expect(await page.innerHTML('#thanks')).toBe(end.thanks)

    const { items } = (await acme.get(`/v1/forms/${form.id}/responses`)).body
    const kept = items[0].answers.filter(({ value }: { value: unknown }) => value !== null)
    expect(namesOf(kept.map(({ questionId }: { questionId: number }) => `q${questionId}`))).toEqual(
      shown.filter((name) => name in each.answers),
    )
    expect(items[0].variables).toEqual(each.variables ?? {})
    expect(complaints).toEqual([])
  })
})
