import { released } from '../../presses.ts'
import { morph, taken } from '../morph.ts'
import { fetchPage } from '../page.ts'
import { watchOwnAnswers } from './own-answers.ts'

/** How often it is looked whether a reply has gone out, in milliseconds, and how often at most. */
const EVERY = 1500
const LOOKS = 40

/** What an answer that goes out may change: it can close its ticket. With each, where the focus goes from what is gone. */
const PARTS = [
  ['.thread', '#answer'],
  ['.ticket-head .facts', 'main'],
  ['.ticket-head .actions', 'main'],
] as const

/** How often the ticket was asked for, the latest of these that is shown, and the latest when a form's answer was shown. */
let asked = 0
let shown = 0
let settled = 0

/** Puts the ticket as it is now in the place of the one that is shown; what is being written stays. */
export async function showThread(): Promise<void> {
  const turn = ++asked
  const { ok, redirected, page } = await fetchPage(location.href)
  if (!ok || redirected) return
  await released()
  if (!isOfShown(page)) return
  if (turn <= settled) return showThread()
  // Looks overlap: what was asked for earlier, and comes later, is how it was before.
  if (turn < shown) return
  shown = turn
  const sayWhatBecame = watchOwnAnswers()
  for (const [part, next] of PARTS) replace(part, page, next)
  // All of it is there now.
  const news = document.querySelector<HTMLElement>('.foot > .news')
  if (news) news.hidden = true
  sayWhatBecame()
  noteNews(page)
}

/** Shows how the ticket stands by now, and what is known beside it; what is said in it stays as it is shown. */
export async function showFiling(): Promise<void> {
  const turn = ++asked
  const { ok, redirected, page } = await fetchPage(location.href)
  if (!ok || redirected) return
  await released()
  if (!isOfShown(page)) return
  if (turn <= settled) return showFiling()
  if (turn < shown) return
  shown = turn
  morphParts(['.ticket-head', '.beside', ...(canBeAnswered(page) ? [] : ['.thread-place'])], page)
}

/** Whether the ticket of a page takes an answer: one that was merged says so in the place of its thread. */
export function canBeAnswered(page: Document): boolean {
  return page.querySelector('[data-pane="ticket"] .composer') !== null
}

/** Whoever looked has gone to another ticket meanwhile. */
function isOfShown(page: Document): boolean {
  const [one, other] = [document, page].map((of) => of.querySelector<HTMLElement>('[data-ticket]')?.dataset.ticket)
  return one === other
}

/** Shows the ticket as it is in a page that came, a form's answer say, all of it but what is being written. */
export function showTicket(page: Document): void {
  // Looks that are under way may be from before what the form did: each looks once more.
  settled = asked
  morphParts(['.ticket-head', '.thread-place', '.beside', '.foot > .news'], page)
  noteNews(page)
}

function morphParts(parts: readonly string[], page: Document): void {
  for (const part of parts) {
    const [shown, next] = [document, page].map((of) => of.querySelector(part))
    if (shown && next) morph(shown, next)
  }
}

/** What is being written answers what is shown now. */
function noteNews(page: Document): void {
  const [newest, now] = [document, page].map((of) =>
    of.querySelector<HTMLInputElement>('.composer input[name="newest"]'),
  )
  if (newest && now) newest.value = now.value
  showRecipients(page)
  const [writing, fresh] = [document, page].map((of) => of.querySelector<HTMLElement>('[data-mine]'))
  if (writing && fresh) writing.dataset.mine = fresh.dataset.mine
}

/** Puts a part as it is now in the place of the one that is shown, unless somebody is filling it in. */
function replace(part: string, page: Document, next: string): void {
  const shown = document.querySelector(part)
  const current = document.activeElement
  if (!shown || (current?.matches('input') && shown.contains(current))) return
  const focused = shown.contains(current) ? current : null
  shown.replaceWith(...optional(page.querySelector(part)))
  if (!focused) return
  const same = focused.id === '' ? null : document.getElementById(focused.id)
  const to = same ?? document.querySelector<HTMLElement>(next)
  to?.focus({ preventScroll: true })
}

/** Whoever has written since is among those whom an answer goes to, unless its writer has chosen them. */
function showRecipients(page: Document): void {
  const names = ['to', 'cc', 'offered']
  const fieldsOf = (of: Document) =>
    names.map((name) => of.querySelector<HTMLInputElement>(`.composer input[name="${name}"]`))
  const [shown, fresh] = [fieldsOf(document), fieldsOf(page)]
  const [to, cc, offered] = shown
  if (`${to?.value}|${cc?.value}` !== offered?.value) return
  for (const [index, input] of shown.entries()) {
    const now = fresh[index]
    if (input && now) input.value = now.value
  }
  // Who gets a blind copy is the writer's to say, and may not be kept yet.
  for (const name of ['to', 'cc']) {
    const [list, now] = [document, page].map((of) => of.querySelector(`[data-recipients] [data-of="${name}"]`))
    if (list && now) list.replaceWith(taken(now))
  }
}

const optional = (element: Element | null): Element[] => (element ? [taken(element)] : [])

/** Counts down how long a reply can be taken back, and then shows what has become of it. */
export function watchPending(signal: AbortSignal): void {
  const language = document.documentElement.lang
  const format = new Intl.NumberFormat(language, { style: 'unit', unit: 'second', unitDisplay: 'long' })
  const ends = new Map<Element, number>()
  let looks = 0
  const tick = async () => {
    if (signal.aborted) return
    const waiting = [...document.querySelectorAll<HTMLElement>('[data-waiting]')]
    for (const place of waiting) {
      const end = ends.get(place) ?? performance.now() + Number(place.dataset.waiting) * 1000
      ends.set(place, end)
      const left = Math.max(0, Math.ceil((end - performance.now()) / 1000))
      const text = place.querySelector<HTMLElement>('[data-text]')
      if (text) text.textContent = (text.dataset.text ?? '').replace('%', format.format(left))
    }
    const isOver = waiting.some((place) => (ends.get(place) ?? 0) <= performance.now())
    const isUnderWay = isOver || document.querySelector('[data-sending]') !== null
    if (isUnderWay && looks < LOOKS) {
      looks += 1
      await showThread().catch(() => {})
      await new Promise((go) => setTimeout(go, EVERY))
    }
    if (document.querySelector('[data-waiting], [data-sending]') && looks < LOOKS) setTimeout(tick, 250)
  }
  void tick()
}
