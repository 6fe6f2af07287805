import { decide } from '../../../forms/logic/decide.ts'
import type { FormLogic, LogicQuestion } from '../../../forms/logic/model.ts'
import { fillHtml, valuesIn } from '../../../forms/logic/texts.ts'
import type { QuestionType } from '../../../forms/question-types/index.ts'
import type { PageLogic } from '../../page/logic.ts'
import { sentIn } from '../answering/sent-files.ts'
import type { Asked, MakeLogic } from '../progress/asked.ts'
import { all, fieldValue, one } from '../tools/dom.ts'
import { give } from './kit.ts'

/*
 * The script that a form's page loads beside its own where the form has logic: what is asked, by the decision that the
 * server makes too, and answers in texts.
 */

const makeLogic: MakeLogic = (form, hidden, controls) => {
  const template = (id: string) => one<HTMLTemplateElement>(document, `#${id}`)
  const logic = JSON.parse(template('logic').content.textContent as string) as PageLogic
  const locale = template('words').dataset.locale as string
  const write = new Intl.NumberFormat(locale).format
  const questions = all(form, '.question')
  const answers = new Map<number, unknown>()
  /** What shows of each question, and of each text that answers stand in. */
  const shown = new Map<HTMLElement, boolean>()
  const written = new Map<string, string>()
  const decided = logicIn(form, logic)
  let pinned: HTMLElement | null = null
  let decision = decideAnew()

  function decideAnew() {
    return decide(decided, (id) => answers.get(id) ?? null, hidden)
  }

  const asked: Asked = {
    isAsked: (question) => question === pinned || decision.isShown(idOf(question)),
    isPageAsked: (page) => decision.isPageShown(Number(page.dataset.page)) || page.contains(pinned),
    variable: (name) => (Object.hasOwn(decision.variables, name) ? (decision.variables[name] as number) : 0),
    update(changed) {
      if (changed.length === 0) return []
      for (const question of changed) answers.set(idOf(question), answerOf(question))
      decision = decideAnew()
      const moved = questions.filter((question) => shown.get(question) !== asked.isAsked(question))
      for (const question of moved) shown.set(question, asked.isAsked(question))
      if (moved.length > 0) count()
      writeTexts()
      return moved
    },
    pin(question) {
      pinned = question
    },
    end() {
      const end = decision.end === null ? undefined : logic.ends[decision.end]
      return end ? { redirect: end.redirect, thanks: end.thanks && fillHtml(end.thanks, valueFor()) } : null
    },
  }

  /** A signature is an answer before it has been sent. */
  function answerOf(question: HTMLElement): unknown {
    const isDrawn = question.dataset.type === 'signature' && fieldValue(question, '[type=hidden]') !== ''
    return controls.answerOf(question) ?? (isDrawn ? {} : null)
  }

  /** Questions are counted as they show. */
  function count(): void {
    let number = 0
    for (const question of questions) {
      if (shown.get(question)) one(question, '.number').textContent = write(++number)
    }
  }

  function writeTexts(): void {
    const value = valueFor()
    for (const [id, html] of Object.entries(logic.texts)) {
      const text = fillHtml(html, value)
      if (written.get(id) === text) continue
      written.set(id, text)
      one(document, `#${id}`).innerHTML = text
    }
  }

  function valueFor() {
    const answerOf = (id: number) => (decision.isShown(id) ? spokenAnswer(id) : null)
    const { variables } = decision
    const { named, hiddenNames } = logic
    return valuesIn(named, { answerOf, variables, hiddenNames, hidden }, locale)
  }

  /** An answer with what the server adds to it, as far as a text says it. */
  function spokenAnswer(id: number): unknown {
    const answer = answers.get(id) ?? null
    const question = questions.find((question) => idOf(question) === id)
    if (answer === null || !question) return null
    if (question.dataset.type === 'payment') return controls.priceOf(question)
    if (question.dataset.type !== 'file_upload') return answer
    const sent = all<HTMLInputElement>(question, '.slot input[type=hidden]').flatMap(sentIn)
    return sent.map(({ name }) => ({ fileName: name }))
  }

  return asked
}

/** A form as `decide` takes it: its conditions, and what else the page itself says. Pages are told apart by their places. */
function logicIn(form: HTMLElement, { showIf, otherTexts, variables, ends }: PageLogic): FormLogic {
  const question = (element: HTMLElement): LogicQuestion => {
    const id = idOf(element)
    return {
      id,
      type: element.dataset.type as QuestionType,
      friendlyId: element.dataset.friendly ?? null,
      showIf: showIf[element.id] ?? null,
      otherText: otherTexts[id],
      inputLimitation: element.querySelector<HTMLElement>('[data-limitation]')?.dataset.limitation,
    }
  }
  const pages = all(form, '.page').map((page, id) => ({
    id,
    showIf: showIf[`page-${id}`] ?? null,
    questions: all(page, '.question').map(question),
  }))
  return { pages, variables, ends }
}

function idOf({ dataset }: HTMLElement): number {
  return Number(dataset.question)
}

give('logic', makeLogic)
