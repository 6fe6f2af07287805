import type { QuestionType } from '../../forms/question-types/index.ts'
import { answerOf } from './answering/answers.ts'
import { faults } from './answering/faults.ts'
import { prefill } from './answering/prefill.ts'
import { dropdowns, others, sliders } from './answering/small.ts'
import type { FormPage } from './parts/form-page.ts'
import { partsOf } from './parts/loading.ts'
import type { FirstPart } from './parts/names.ts'
import type { Payment } from './parts/parts.ts'
import { type Asked, type Controls, everything } from './progress/asked.ts'
import { ending } from './progress/ending.ts'
import { remember } from './progress/memory.ts'
import { proceeding } from './progress/proceeding.ts'
import { screensOf } from './progress/screens.ts'
import { sender } from './progress/sending.ts'
import { afterPaint, all, one } from './tools/dom.ts'
import { announceReady, bringIntoView } from './tools/frame.ts'
import { tools } from './tools/index.ts'
import { say } from './tools/words.ts'

/* The script of a hosted form's page: pages, checks, saving and resuming. What it shows is in the page already. */

/** Above the question that a preview begins with, in pixels. */
const MARGIN = 24

/** Parts that this one cannot begin without have run before it. */
const page = window as unknown as { formPage?: Partial<FormPage> }
const formPage: FormPage = { parts: {}, ...page.formPage, tools }
page.formPage = formPage

const form = one<HTMLFormElement>(document, '#form')
const path = form.dataset.path as string
const questions = all(form, '.question')
const next = one<HTMLButtonElement>(form, '#next')
const parts = partsOf(formPage, (document.currentScript as HTMLScriptElement).src)

const { memory, linked, isCarried, store, storeSoon, restore, carry, forget } = remember(form)
const hiddenFields = form.dataset.hidden ? JSON.parse(form.dataset.hidden) : undefined
const priceOf: Controls['priceOf'] = (question) => payment?.priceOf(question) ?? { amount: null, currency: null }
const beganWith = memory.response ? memory.hiddenFields : undefined
const { logic } = formPage.parts
const asked: Asked = logic?.(form, beganWith ?? hiddenFields ?? {}, { answerOf, priceOf }) ?? everything
const payment: Payment | undefined = formPage.parts.payment?.(form, asked)
const { isAsked } = asked
const screens = screensOf(form, memory, asked)
const { isStepped, current, at, show, following } = screens
const judge = faults(form)
const { announce, reconsider, note } = judge
const save = sender({ path, hiddenFields }, memory, store, (seconds) => {
  one(form, '#status').textContent = say('sendingIn', { count: seconds })
})
const end = ending({ form, path, memory, asked, parts: formPage.parts, payment, forget })
const { attend } = parts
const beforeSave = new Map<HTMLElement, () => Promise<string | null>>()
const { proceed, goBack, saveAll, refuse } = proceeding({
  form,
  asked,
  screens,
  judge,
  parts,
  save,
  beforeSave,
  leadsToPayment: (answered) => end.paysOnline && end.owes(answered),
  turnTo,
  finish: end.finish,
  wasSent() {
    forget()
    end.replaceBy('#already-sent')
  },
})

/** What is done for a question whose part of the script has come. */
const attendTo: { readonly [T in QuestionType]?: (question: HTMLElement) => void } = {
  ranking: (question) =>
    attend('ranking', question, (ranking) => {
      ranking(question)
      catchUp(question)
    }),
  file_upload: (question) =>
    attend('files', question, (files) => {
      files(question, path, (fault) => note(question, fault))
      catchUp(question)
    }),
  signature: (question) =>
    attend('signature', question, (signature) => {
      beforeSave.set(question, signature(question, path).beforeSave)
      catchUp(question)
    }),
}

// What the server wrote is painted first; only who comes back, to be shown something else, waits for the script.
const isFresh = !linked.kind && !memory.response && Object.keys(memory.inputs).length === 0 && location.search === ''
// Without what the page names beside this script, a part of it is missing, as without this one.
const needed: Record<FirstPart, string> = { logic: '#logic', payment: '.type-payment', steps: '.stepped' }
const isWhole = Object.entries(needed).every(
  ([name, selector]) => name in formPage.parts || document.querySelector(selector) === null,
)
if (isWhole && isFresh && !document.hidden) afterPaint(start)
else if (isWhole) start()

function start(): void {
  for (const question of questions) bind(question)
  const isResumed = restore() || memory.response !== null
  if (!isResumed) prefill(form)
  for (const question of questions) question.dispatchEvent(new Event('sync'))
  one(form, '#resumed').hidden = !isResumed || isCarried
  attendToPage()
  // A preview in a frame is to look as the page does by itself.
  if (path !== '') announceReady()
  refresh(questions)
  show(at())
  prepare()
  if (path === '') showAsked()
  listen()
  const over = form.querySelector<HTMLElement>('#link-over')
  if (over) over.hidden = linked.kind !== 'over'
  void end.comeBack(() => parts.load('checkout'))
  form.querySelector('#stalled')?.remove()
  for (const button of all<HTMLButtonElement>(form, '#next, #go-on-later')) button.disabled = false
  if (linked.kind === 'sent') end.replaceBy('#already-sent')
  else if (linked.memory) store()
}

function listen(): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    proceed()
  })
  form.addEventListener('input', ({ target }) => {
    const question = (target as Element).closest<HTMLElement>('.question')
    if (!question) return
    refresh([question])
    storeSoon(question)
    reconsider(target as Node, false)
  })
  form.addEventListener('change', ({ target }) => reconsider(target as Node, true))
  form.querySelector('#back')?.addEventListener('click', goBack)
  if (isStepped) formPage.parts.steps?.(form, { question: () => current().questions[0], proceed, goBack })
  one(form, '#start-over').addEventListener('click', () => {
    forget()
    location.reload()
  })
}

/** A preview begins with the question that is being worked on. The browser would take its plain id for one to focus. */
function showAsked(): void {
  const wanted = questions.find(({ id }) => `#at-${id}` === location.hash)
  const screen = screens.screens.findIndex(({ questions }) => wanted && questions.includes(wanted))
  if (!wanted || screen < 0) return
  asked.pin(wanted)
  refresh([wanted])
  show(screen)
  // Bringing it into view would move the page around the frame as well.
  scrollTo(0, wanted.getBoundingClientRect().top + scrollY - MARGIN)
}

/** Helps that a question's controls need beside the browser's own; those with a script of their own come to it. */
function bind(question: HTMLElement): void {
  sliders(question)
  others(question)
  dropdowns(question)
  one(question, '.clear').addEventListener('click', () => clear(question))
  attendTo[question.dataset.type as QuestionType]?.(question)
}

/** Shows what is known already of a question that its part has just taken on. */
function catchUp(question: HTMLElement): void {
  question.dispatchEvent(new Event('sync'))
  refresh([question])
}

/** What stands on the page beside its questions and has a script of its own. */
function attendToPage(): void {
  const links = form.querySelector<HTMLElement>('.languages')
  if (links) attend('languages', links, (bindLinks) => bindLinks(form, carry, refuse))
  const later = form.querySelector<HTMLButtonElement>('#go-on-later')
  if (later) attend('later', later, (goOnLater) => goOnLater(form, later, memory, saveAll), false)
}

/** What comes next is there when it shows. */
function prepare(): void {
  const ahead = following()
  if (ahead !== undefined) void parts.need(screens.screens[ahead]?.questions ?? [])
}

/** What follows from the answers: what is asked, amounts, and which of those that may have changed can be cleared. */
function refresh(changed: readonly HTMLElement[]): void {
  if (logic) follow(asked.update(changed))
  payment?.show(following() === undefined)
  for (const question of changed) {
    const canClear = question.querySelector('[type=radio], [type=range], .ranking') !== null
    one(question, '.clear').hidden = !canClear || 'required' in question.dataset || answerOf(question) === null
  }
}

/** Shows the questions that came in, and says so to whoever does not see it; the focus stays where it is. */
function follow(moved: readonly HTMLElement[]): void {
  screens.tell()
  if (isStepped) return
  for (const question of moved) question.hidden = !isAsked(question)
  const came = moved.filter((question) => !question.hidden && current().questions.includes(question))
  const [first] = came
  // What the page begins with is read as a page is.
  if (moved.length === 0 || next.disabled) return
  for (const question of came) question.classList.add('came')
  one(form, '#news').textContent = first ? say('moreQuestions', { count: came.length, question: textOf(first) }) : ''
}

function textOf(question: HTMLElement): string {
  return (one(question, '.asked-text').textContent as string).trim()
}

function clear(question: HTMLElement): void {
  for (const input of all<HTMLInputElement>(question, 'input')) {
    if (input.type === 'radio' || input.type === 'checkbox') input.checked = false
    else if (input.type !== 'range') input.value = ''
  }
  question.dispatchEvent(new Event('sync'))
  note(question, null)
  refresh([question])
  store()
  question.focus()
}

function turnTo(screen: number): void {
  show(screen)
  refresh([])
  prepare()
  if (logic) one(form, '#news').textContent = ''
  announce('')
  store()
  screens.focus()
  bringIntoView(null)
}
