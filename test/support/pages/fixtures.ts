import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test'
import type { Page } from 'playwright-core'
import { startApp, type TestApp, type TestTenant } from '../app.ts'
import { createPublished, type TestForm } from '../forms/collecting.ts'
import { complaintsOf, openBrowser } from './browser.ts'
import { signedIn } from './console.ts'

/*
 * What many files of tests begin with. Each registers hooks for the file or the `describe` that calls it, and hands what
 * they make to `use`, before each test and before the hooks that are registered after it.
 */

/** For as many respondents as tests have, all from one address. */
const environment = { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' }

interface PageFixture {
  app: TestApp
  acme: TestTenant
  browser: Awaited<ReturnType<typeof openBrowser>>
  page: Page
  /** What went wrong in the page: errors and refused loads. */
  complaints: string[]
}

/** One service, tenant and browser for all tests, and for each a page of its own. Whatever pages it opens are closed after it. */
export function setUpPage(use: (fixture: PageFixture) => void): void {
  let app: TestApp
  let acme: TestTenant
  let browser: PageFixture['browser']
  beforeAll(async () => {
    app = await startApp({ environment })
    acme = await app.createTenant('Acme Roasters')
    browser = await openBrowser()
  })
  beforeEach(async () => {
    const page = await browser.context.newPage()
    use({ app, acme, browser, page, complaints: complaintsOf(page) })
  })
  afterEach(async () => {
    for (const opened of browser.context.pages()) await opened.close()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })
}

interface AgentFixture {
  app: TestApp
  acme: TestTenant
  agent: Awaited<ReturnType<typeof signedIn>>
}

/** One service for all tests, and for each a tenant of its own with an agent who is signed in. */
export function setUpAgent(use: (fixture: AgentFixture) => void): void {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ environment })
  })
  beforeEach(async () => {
    const acme = await app.createTenant()
    use({ app, acme, agent: await signedIn(app, acme, 'agent') })
  })
  afterAll(() => app?.close())
}

interface FormFixture {
  app: TestApp
  acme: TestTenant
  form: TestForm
}

/** One service for all tests, and for each a tenant of its own with a published form that asks these questions. */
export function setUpForm(questions: object[], use: (fixture: FormFixture) => void): void {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp()
  })
  beforeEach(async () => {
    const acme = await app.createTenant()
    use({ app, acme, form: await createPublished(acme, questions) })
  })
  afterAll(() => app?.close())
}
