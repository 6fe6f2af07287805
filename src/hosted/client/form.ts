import type { Told } from '../refused.ts'
import { amounts, dueIn, isWanted, priceOf } from './amounts.ts'
import { answerOf, sentAnswer } from './answers.ts'
import { type End, everything, type MakeLogic } from './asked.ts'
import { type Fault, serverFault } from './checks.ts'
import { afterPaint, all, one } from './dom.ts'
import { faults } from './faults.ts'
import { files } from './files.ts'
import { announceReady, bringIntoView, leaveFor, post } from './frame.ts'
import { answerKeys } from './keys.ts'
import { languageLinks } from './languages.ts'
import { goOnLater } from './later.ts'
import { remember } from './memory.ts'
import { payments } from './paying.ts'
import { prefill } from './prefill.ts'
import { ranking } from './ranking.ts'
import { screensOf } from './screens.ts'
import { type Outcome, sender } from './sending.ts'
import { signature } from './signature.ts'
import { dropdowns, others, sliders } from './small.ts'
import { say } from './words.ts'

/* The script of a hosted form's page: pages, checks, saving and resuming. What it shows is in the page already. */

/** A save that takes longer than this is said to be on its way, in milliseconds. */
const SLOW = 400

/** Above the question that a preview begins with, in pixels. */
const MARGIN = 24

const form = one<HTMLFormElement>(document, '#form')
const path = form.dataset.path as string
const questions = all(form, '.question')
const hasAmounts = form.querySelector('.type-payment') !== null
const next = one<HTMLButtonElement>(form, '#next')
const status = one(form, '#status')

const { memory, linked, isCarried, store, storeSoon, restore, carry, forget } = remember(form)
const hiddenFields = form.dataset.hidden ? JSON.parse(form.dataset.hidden) : undefined
/** Comes with a script of its own, which only forms that have logic load before this one. */
const { formLogic } = window as { formLogic?: MakeLogic }
const beganWith = memory.response ? memory.hiddenFields : undefined
const asked = formLogic?.(form, beganWith ?? hiddenFields ?? {}, { answerOf, priceOf }) ?? everything
const { isAsked } = asked
const { isStepped, screens, at, current, following, preceding, isLast, show, tell, focus } = screensOf(
  form,
  memory,
  asked,
)
const { announce, check, complain, reconsider, note } = faults(form)
const save = sender({ path, hiddenFields }, memory, store, (seconds) => {
  status.textContent = say('sendingIn', { count: seconds })
})
const { takesPayments, pay, owe, comeBack } = payments(path)
let isBusy = false
const signatures = new Map<HTMLElement, ReturnType<typeof signature>>()

// What the server wrote is painted first; only who comes back, to be shown something else, waits for the script.
const isFresh = !linked.kind && !memory.response && Object.keys(memory.inputs).length === 0 && location.search === ''
// Without the logic that the form has, a part of the page is missing, as without this script.
const isWhole = formLogic !== undefined || document.querySelector('#logic') === null
if (isWhole && isFresh && !document.hidden) afterPaint(start)
else if (isWhole) start()

function start(): void {
  for (const question of questions) bind(question)
  const isResumed = restore() || memory.response !== null
  if (!isResumed) prefill(form)
  for (const question of questions) question.dispatchEvent(new Event('sync'))
  one(form, '#resumed').hidden = !isResumed || isCarried
  languageLinks(form, carry, refuse)
  // A preview in a frame is to look as the page does by itself.
  if (path !== '') announceReady()
  refresh(questions)
  show(at())
  if (path === '') showAsked()

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
  if (isStepped) answerKeys(form, { question: () => current().questions[0], proceed, goBack })
  one(form, '#start-over').addEventListener('click', () => {
    forget()
    location.reload()
  })
  one(form, '#stalled').remove()
  next.disabled = false
  const back = comeBack()
  if (back) thank(back.thanks)
  goOnLater(form, memory, saveAll)
  const over = form.querySelector<HTMLElement>('#link-over')
  if (over) over.hidden = linked.kind !== 'over'
  if (linked.kind === 'sent') replaceBy('#already-sent')
  else if (linked.memory) store()
}

/** A preview begins with the question that is being worked on. The browser would take its plain id for one to focus. */
function showAsked(): void {
  const wanted = questions.find(({ id }) => `#at-${id}` === location.hash)
  const screen = screens.findIndex(({ questions }) => wanted && questions.includes(wanted))
  if (!wanted || screen < 0) return
  asked.pin(wanted)
  refresh([wanted])
  show(screen)
  // Bringing it into view would move the page around the frame as well.
  scrollTo(0, wanted.getBoundingClientRect().top + scrollY - MARGIN)
}

function bind(question: HTMLElement): void {
  if (question.dataset.type === 'ranking') ranking(question)
  if (question.dataset.type === 'signature') signatures.set(question, signature(question, path))
  if (question.dataset.type === 'file_upload') files(question, path, (fault) => note(question, fault))
  sliders(question)
  others(question)
  dropdowns(question)
  one(question, '.clear').addEventListener('click', () => clear(question))
}

/** What follows from the answers: what is asked, amounts, and which of those that may have changed can be cleared. */
function refresh(changed: readonly HTMLElement[]): void {
  if (formLogic) follow(asked.update(changed))
  if (hasAmounts) amounts(form, isLast(), asked)
  for (const question of changed) {
    const canClear = question.querySelector('[type=radio], [type=range], .ranking') !== null
    one(question, '.clear').hidden = !canClear || 'required' in question.dataset || answerOf(question) === null
  }
}

/** Shows the questions that came in, and says so to whoever does not see it; the focus stays where it is. */
function follow(moved: readonly HTMLElement[]): void {
  tell()
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

/** Checks the page, saves everything up to it, and goes to the next or to the end. A second click changes nothing. */
async function proceed(): Promise<void> {
  if (isBusy) return
  isBusy = true
  next.ariaDisabled = 'true'
  form.classList.add('busy')
  const slow = setTimeout(() => {
    status.textContent ||= say('sending')
  }, SLOW)
  try {
    await checkAndSave()
  } finally {
    isBusy = false
    clearTimeout(slow)
    status.textContent = ''
    next.ariaDisabled = null
    form.classList.remove('busy')
  }
}

async function checkAndSave(): Promise<void> {
  const here = at()
  const next = following()
  if (!check(current().questions.filter(isAsked))) return
  // The steps of a page are saved together, as the page is where it shows whole.
  if (next !== undefined && screens[next]?.page === current().page) return turnTo(next)
  const answered = screens.slice(0, here + 1).flatMap(({ questions }) => questions.filter(isAsked))
  for (const [question, { beforeSave }] of signatures) {
    const message = answered.includes(question) ? await beforeSave() : null
    if (message) return refuse(question, { message })
  }
  const complete = next === undefined
  const outcome = await save({ answers: answered.map(sentAnswer), complete, ...page() })
  switch (outcome.kind) {
    case 'saved':
      return next === undefined ? finish(outcome.end) : turnTo(next)
    case 'refused':
      return refused(outcome.told)
    case 'sent':
      forget()
      return replaceBy('#already-sent')
    case 'closed':
      return announce(say('closedKept'))
    case 'unreachable':
      return announce(say('notSent'))
  }
}

/** Saves what is answered so far on all pages, right or wrong. */
async function saveAll(): Promise<Outcome> {
  for (const { beforeSave } of signatures.values()) await beforeSave()
  return save({ answers: questions.filter(isAsked).map(sentAnswer), complete: false, ...page() })
}

/** What goes with every save, and is the page's and not an answer's. */
function page() {
  const { token = '', language } = form.dataset
  return { language, page: { token, website: one<HTMLInputElement>(form, '#website').value } }
}

/** What the server alone can tell is shown where it belongs. */
function refused(told: Told | null): void {
  const id = told && /question (\d+)\b/.exec(told.place)?.[1]
  const question = questions.find(({ dataset }) => dataset.question === id)
  if (told && question && isAsked(question)) refuse(question, serverFault(question, told))
  else announce(say(told?.place === 'page.token' ? told.word : 'answersRefused'))
}

function refuse(question: HTMLElement, fault: Fault): void {
  const screen = screens.findIndex(({ questions }) => questions.includes(question))
  if (screen !== at()) show(screen)
  complain(question, fault)
}

function turnTo(screen: number): void {
  show(screen)
  refresh([])
  if (formLogic) one(form, '#news').textContent = ''
  announce('')
  store()
  focus()
  bringIntoView(null)
}

function goBack(): void {
  const screen = preceding()
  if (!isBusy && screen !== undefined) turnTo(screen)
}

function finish(told: End | null): void {
  const own = memory.response
  const due = dueIn(form, asked)
  const owes = questions.some((question) => isWanted(question, asked))
  const end = told ?? asked.end()
  forget()
  thank(end?.thanks)
  post({ frontdesk: 'complete' })
  const redirect = end ? (end.redirect ?? undefined) : one(document, '#done').dataset.redirect
  if (!takesPayments) owe(due)
  else if (owes && own) return void pay({ ...own, redirect, thanks: end?.thanks })
  if (redirect && own) leaveFor(redirect, own.id)
}

/** Says what the owner of the form says at this end, as HTML that the server has made safe. */
function thank(thanks?: string | null): void {
  if (thanks) one(document, '#thanks').innerHTML = thanks
  replaceBy('#done')
}

/** Shows what stands in the place of the form from now on. */
function replaceBy(end: string): void {
  const shown = one(document, end)
  form.remove()
  document.querySelector('#later')?.remove()
  shown.hidden = false
  shown.focus({ preventScroll: true })
  bringIntoView(null)
}
