import type { Told } from '../refused.ts'
import { amounts, dueIn } from './amounts.ts'
import { answerOf, sentAnswer } from './answers.ts'
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
const { isStepped, screens, at, current, isLast, show, focus } = screensOf(form, memory)
const { announce, check, complain, reconsider, note } = faults(form)
const hiddenFields = form.dataset.hidden ? JSON.parse(form.dataset.hidden) : undefined
const save = sender({ path, hiddenFields }, memory, store, (seconds) => {
  status.textContent = say('sendingIn', { count: seconds })
})
const { takesPayments, pay, owe, comeBack } = payments(path)
let isBusy = false
const signatures = new Map<HTMLElement, ReturnType<typeof signature>>()

// What the server wrote is painted first; only who comes back, to be shown something else, waits for the script.
const isFresh = !linked.kind && !memory.response && Object.keys(memory.inputs).length === 0 && location.search === ''
if (isFresh && !document.hidden) afterPaint(start)
else start()

function start(): void {
  for (const question of questions) bind(question)
  const isResumed = restore() || memory.response !== null
  if (!isResumed) prefill(form)
  for (const question of questions) question.dispatchEvent(new Event('sync'))
  one(form, '#resumed').hidden = !isResumed || isCarried
  languageLinks(form, carry)
  // A preview in a frame is to look as the page does by itself.
  if (path !== '') announceReady()
  show(at())
  if (path === '') showAsked()
  refresh(questions)

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
  if (comeBack()) thank()
  goOnLater(form, memory, saveAll)
  const over = form.querySelector<HTMLElement>('#link-over')
  if (over) over.hidden = linked.kind !== 'over'
  if (linked.kind === 'sent') replaceBy('#already-sent')
  else if (linked.memory) store()
}

/** A preview begins with the question that is being worked on. The browser would take its plain id for one to focus. */
function showAsked(): void {
  const asked = questions.find(({ id }) => `#at-${id}` === location.hash)
  const screen = screens.findIndex(({ questions }) => asked && questions.includes(asked))
  if (!asked || screen < 0) return
  show(screen)
  // Bringing it into view would move the page around the frame as well.
  scrollTo(0, asked.getBoundingClientRect().top + scrollY - MARGIN)
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

/** What follows from the answers: amounts, and which of those that may have changed can be cleared. */
function refresh(changed: readonly HTMLElement[]): void {
  if (hasAmounts) amounts(form, isLast())
  for (const question of changed) {
    const canClear = question.querySelector('[type=radio], [type=range], .ranking') !== null
    one(question, '.clear').hidden = !canClear || 'required' in question.dataset || answerOf(question) === null
  }
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
  const following = screens[here + 1]
  if (!check(current().questions)) return
  // The steps of a page are saved together, as the page is where it shows whole.
  if (following?.page === current().page) return turnTo(here + 1)
  const asked = screens.slice(0, here + 1).flatMap(({ questions }) => questions)
  for (const [question, { beforeSave }] of signatures) {
    const message = asked.includes(question) ? await beforeSave() : null
    if (message) return refuse(question, { message })
  }
  const complete = following === undefined
  const outcome = await save({ answers: asked.map(sentAnswer), complete, ...page() })
  switch (outcome.kind) {
    case 'saved':
      return complete ? finish() : turnTo(here + 1)
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
  return save({ answers: questions.map(sentAnswer), complete: false, ...page() })
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
  if (told && question) refuse(question, serverFault(question, told))
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
  announce('')
  store()
  focus()
  bringIntoView(null)
}

function goBack(): void {
  if (!isBusy && at() > 0) turnTo(at() - 1)
}

function finish(): void {
  const own = memory.response
  const due = dueIn(form)
  const owes = questions.some((question) => question.dataset.type === 'payment' && answerOf(question) !== null)
  forget()
  thank()
  post({ frontdesk: 'complete' })
  const { redirect } = one(document, '#done').dataset
  if (!takesPayments) owe(due)
  else if (owes && own) return void pay(own, redirect)
  if (redirect && own) leaveFor(redirect, own.id)
}

function thank(): void {
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
