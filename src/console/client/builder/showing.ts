import { showInPreview } from '../preview-frame.ts'
import { followChoices, type Sent } from './conditions.ts'
import { draggable } from './dragging.ts'
import { enrich } from './rich.ts'

/* Puts the parts of a page that came into the page that is shown. */

/** What an editor is left with: what is typed in it stays, and what is said about it comes anew. */
export interface Keeping {
  /** Whether fields that somebody is in are told what is wrong with them. */
  readonly isFinished: boolean
  /** What the page was answered to; null where more was typed since, and conditions stay as they are until that is sent. */
  readonly sent: Sent | null
}

/** Shows a page that came. `keeping` leaves the editor there is, if the page is of the same part. */
export function show(root: HTMLElement, page: Document, keeping: Keeping | null): void {
  const focused = focusIn(root)
  replace(root, page, '#do')
  replacePart(root, page, 'head')
  replacePart(root, page, 'outline')
  const [pane, next] = [one(root, '#pane'), one(page, '#pane')]
  const isSame = pane.dataset.show === next.dataset.show
  if (keeping && isSame && pane.querySelector('[data-editor]')) {
    if (keeping.sent) followChoices(pane, next, keeping.sent)
    tell(pane, next, keeping)
  } else pane.replaceWith(document.adoptNode(next))
  showInPreview(one(root, '.preview'), one(page, '.preview iframe').getAttribute('src') ?? '')
  enhance(root)
  focused()
  for (const old of root.querySelectorAll('#pane > .problem')) old.remove()
  const problem = page.querySelector('main > .problem')
  // The field shows its own problem; a second one on top would make the page jump while somebody writes.
  const isSaid = keeping && isSame && problem?.querySelector('a[href^="#field-"]')
  if (problem && !isSaid) one(root, '#pane').prepend(document.adoptNode(problem))
}

/** Gives what is new in the page what only a script can. */
export function enhance(root: HTMLElement): void {
  enrich(root)
  draggable(root)
  // What is wrong is said by the server, beside the field.
  for (const form of root.querySelectorAll<HTMLFormElement>('[data-editor] form')) form.noValidate = true
}

/** What the page says of what was done. */
export function saidIn(page: Document): string {
  return page.querySelector('.flash')?.textContent ?? ''
}

function one(root: ParentNode, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector)
  if (!found) throw new Error(`The builder has no ${selector}`)
  return found
}

function replace(root: HTMLElement, page: Document, selector: string): void {
  one(root, selector).replaceWith(document.adoptNode(one(page, selector)))
}

function replacePart(root: HTMLElement, page: Document, part: string): void {
  const next = one(page, `[data-part="${part}"]`)
  // What is read out as it changes has to stay.
  const status = next.querySelector('[data-status]')
  status?.replaceWith(one(root, '[data-status]'))
  const shown = one(root, `[data-part="${part}"]`)
  const { scrollTop } = shown
  shown.replaceWith(document.adoptNode(next))
  next.scrollTop = scrollTop
}

/** What the outline lists: questions and ends, and around those the pages. */
const ROWS = ['.form-questions li', '.form-pages > li']

/** Notes what has the focus, by what it does; whoever calls back gives it to what does that now, or to what is next. */
function focusIn(root: HTMLElement): () => void {
  const { activeElement } = document
  const { tool, show } = (activeElement as HTMLElement | null)?.dataset ?? {}
  const inPane = one(root, '#pane').contains(activeElement)
  const list = ROWS.find((rows) => activeElement?.closest(rows)) ?? ''
  const at = list === '' ? -1 : [...root.querySelectorAll(list)].indexOf(activeElement?.closest(list) as Element)
  return () => {
    if (document.activeElement !== document.body) return
    const same = tool ? `[data-tool="${tool}"]` : show ? `[data-show="${show}"]:not(#pane)` : null
    const rows = list === '' ? [] : root.querySelectorAll(list)
    const next = rows[Math.min(at, rows.length - 1)]?.querySelector<HTMLElement>('.part')
    if (inPane) focusPane(root)
    else (same && root.querySelector<HTMLElement>(same) ? root.querySelector<HTMLElement>(same) : next)?.focus()
  }
}

/** Where somebody goes on who has chosen what to work on. */
export function focusPane(root: HTMLElement): void {
  const pane = one(root, '#pane')
  const field = pane.querySelector<HTMLElement>(
    '[role="textbox"], :is(input:not([type="hidden"]), textarea, select, button:not([type="button"])):not([hidden], [hidden] *)',
  )
  const target = field ?? pane
  target.focus()
  if (!field?.isContentEditable) return
  // Behind what is there.
  getSelection()?.selectAllChildren(field.lastElementChild ?? field)
  getSelection()?.collapseToEnd()
}

/** What is wrong with the fields of an editor, and what its form is to be sent with. */
function tell(pane: HTMLElement, next: HTMLElement, { isFinished }: Keeping): void {
  for (const name of ['csrf', 'version', 'was']) {
    const selector = `[data-editor] input[name="${name}"]`
    const own = pane.querySelector<HTMLInputElement>(selector)
    if (own) own.value = next.querySelector<HTMLInputElement>(selector)?.value ?? ''
  }
  one(pane, '#pane-title').textContent = one(next, '#pane-title').textContent
  tellGroups(pane, next)
  for (const control of next.querySelectorAll<HTMLElement>('.field [id^="field-"]:not(p)')) {
    const own = pane.querySelector<HTMLElement>(`#${CSS.escape(control.id)}`)
    const field = own?.closest('.field')
    if (!own || !field) continue
    const error = control.closest('.field')?.querySelector('.error') ?? null
    // Nobody is told what is wrong while they still write it; what they were told stands until it is mended.
    const isSeen = isFinished || field.matches('.wrong') || !field.contains(document.activeElement)
    const isTold = error !== null && isSeen
    field.classList.toggle('wrong', isTold)
    field.querySelector('.error')?.remove()
    if (isTold) field.append(document.importNode(error, true))
    own.ariaInvalid = isTold ? 'true' : null
    const help = own.isContentEditable ? null : (field.querySelector('.help')?.id ?? null)
    const about = [help, isTold ? error.id : null].filter(Boolean).join(' ')
    if (about === '') own.removeAttribute('aria-describedby')
    else own.setAttribute('aria-describedby', about)
  }
}

/** What is said of several fields together, below their legend. */
function tellGroups(pane: HTMLElement, next: HTMLElement): void {
  for (const group of next.querySelectorAll<HTMLElement>('fieldset[id]')) {
    const own = pane.querySelector<HTMLElement>(`#${CSS.escape(group.id)}`)
    const [shown, note] = [own, group].map((one) => one?.querySelector(':scope > [id$="-note"]'))
    if (note && shown) shown.replaceWith(document.importNode(note, true))
    else if (note) own?.querySelector(':scope > legend')?.after(document.importNode(note, true))
    else shown?.remove()
    const about = group.getAttribute('aria-describedby')
    if (about !== null) own?.setAttribute('aria-describedby', about)
    else own?.removeAttribute('aria-describedby')
  }
}
