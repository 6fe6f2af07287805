import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type QuestionType, questionTypeNames } from '../../src/forms/question-types/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createPublished, type TestForm } from '../support/forms/collecting.ts'
import { questionBody } from '../support/forms/questions.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { everyPart } from '../support/pages/pages.ts'

/** What a screen reader is given of one element. */
interface Spoken {
  role: string
  name: string
  description: string
  isInvalid: boolean
}

/** Types whose controls are several, which the group around them speaks for: their own names are those of the choices. */
const CHOICES: Partial<Record<QuestionType, string[]>> = {
  choose_one: ['Red', 'Blue', 'Green'],
  choose_any: ['Red', 'Blue', 'Green'],
  likert: ['1, Disagree', '2', '3', '4', '5, Agree'],
  nps: ['0, Not at all likely', ...'123456789', '10, Extremely likely'],
  binary: ['Yes', 'No'],
  star_rating: [1, 2, 3, 4, 5].map((stars) => `${stars} of 5 stars`),
  matrix: ['Bad', 'Fair', 'Good', 'Bad', 'Fair', 'Good'],
}

/** Controls that say by themselves that what they hold is not right, and why. */
const SINGLE: Partial<Record<QuestionType, string>> = {
  dropdown: 'About dropdown',
  textbox: 'About textbox',
  numeric: 'About numeric',
  date: 'About date',
}

describe.skipIf(!hasBrowser)('a screen reader is told', () => {
  let app: TestApp
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  let form: TestForm
  let before: Map<number, Spoken[]>
  let after: Map<number, Spoken[]>

  beforeAll(async () => {
    app = await startApp()
    const acme = await app.createTenant('Acme')
    const questions = questionTypeNames.map((type) => questionBody(type, { text: `About ${type}`, required: true }))
    form = await createPublished(acme, questions)
    browser = await openBrowser()
    page = await browser.context.newPage()
    await page.goto(`${app.url}/f/${form.launchCode}`)
    await page.waitForSelector('#next:enabled')
    await everyPart(page)
    before = await spoken()
    await page.click('#next')
    await page.waitForSelector('[aria-invalid="true"]')
    after = await spoken()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  /** What the browser hands to screen readers, question by question, in reading order. */
  async function spoken(): Promise<Map<number, Spoken[]>> {
    const session = await page.context().newCDPSession(page)
    const { root } = await session.send('DOM.getDocument')
    const all = new Map<number, Spoken[]>()
    for (const id of form.questionIds) {
      const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: `#q${id}` })
      const { nodes } = await session.send('Accessibility.queryAXTree', { nodeId })
      const heard = nodes.filter(({ ignored }) => !ignored)
      all.set(
        id,
        heard.map(({ role, name, description, properties = [] }) => ({
          role: String(role?.value ?? ''),
          name: String(name?.value ?? '').replace(/\s+/g, ' '),
          description: String(description?.value ?? ''),
          isInvalid: properties.some((property) => property.name === 'invalid' && property.value.value === 'true'),
        })),
      )
    }
    await session.detach()
    return all
  }

  const idOf = (type: QuestionType) => form.questionIds[questionTypeNames.indexOf(type)] as number
  const errorOf = (id: number) => page.textContent(`#q${id} .error`).then((text) => text?.trim() ?? '')

  for (const type of questionTypeNames.filter((name) => name !== 'payment')) {
    test(`of ${type}: the question, that it is required, and what is wrong with the answer`, async () => {
      const id = idOf(type)
      const group = (said: Map<number, Spoken[]>) =>
        said.get(id)?.find(({ role, name }) => role === 'group' && name === `About ${type} required`)
      expect(group(before)?.description).not.toContain('!')
      expect(before.get(id)?.some(({ isInvalid }) => isInvalid)).toBe(false)

      const error = await errorOf(id)
      expect(error).not.toBe('')
      expect(group(after)?.description.endsWith(error)).toBe(true)
      // The mark before a message is for the eyes.
      expect(group(after)?.description).not.toContain('!')
    })
  }

  for (const [type, choices] of Object.entries(CHOICES)) {
    test(`of ${type}: every choice by its name`, () => {
      const controls = after.get(idOf(type as QuestionType))?.filter(({ role }) => /^(radio|checkbox)$/.test(role))
      expect(controls?.map(({ name }) => name)).toEqual(choices)
    })
  }

  for (const [type, name] of Object.entries(SINGLE)) {
    test(`of ${type}: the control itself is called what is asked, and wrong`, async () => {
      const id = idOf(type as QuestionType)
      const control = after.get(id)?.find((one) => one.isInvalid)
      expect(control).toMatchObject({ name, description: await errorOf(id) })
    })
  }

  test('the help that stands under a question', () => {
    const helped = { ranking: 'Best first. Drag, or use the arrows.', file_upload: 'Up to 10 MB each.' }
    for (const [type, help] of Object.entries(helped)) {
      const group = before.get(idOf(type as QuestionType))?.find(({ role }) => role === 'group')
      expect(group?.description).toContain(help)
    }
  })
})
