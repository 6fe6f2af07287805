import { growRows } from './builder/rows.ts'
import { enhance, focusPane, saidIn, show } from './builder/showing.ts'
import { type Answer, load, send } from './builder/talk.ts'

/*
 * The builder where scripts run: what is typed is saved by itself, and its buttons and links change the page in place.
 * Everything goes by the page's own forms and addresses, so there is nothing that it could not do without.
 */

/** Somebody who types saves after a pause; who leaves a field, at once. In milliseconds. */
const PAUSE = 1000
/** Until what could not be sent is sent again. */
const AGAIN = 3000

const root = document.querySelector<HTMLElement>('[data-builder]')
if (root) build(root)

function build(root: HTMLElement): void {
  /** How often something was typed, and how much of that is saved. */
  let [typed, saved] = [0, 0]
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Somebody else changed the same: what is typed is not put over it unasked. */
  let isContested = false

  const editor = () => root.querySelector<HTMLFormElement>('[data-editor] form')
  const outside = () => root.querySelector<HTMLFormElement>('#do') as HTMLFormElement

  enhance(root)
  rememberSize(root)
  scrollToCurrent(root)

  function say(text: string, isBad = false): void {
    const status = root.querySelector<HTMLElement>('[data-status]')
    if (!status) return
    status.textContent = text
    status.classList.toggle('bad', isBad)
  }

  /** Says why nothing came back. */
  function complain({ kind }: Answer): void {
    say((kind === 'lost' ? root.dataset.lost : root.dataset.signedOut) ?? '', true)
  }

  root.addEventListener('input', ({ target }) => {
    // An editor tells by the field that it is for.
    if (!editor()?.contains(target as Node) || (target as HTMLElement).isContentEditable) return
    growRows(target as Element)
    typed++
    saveIn(PAUSE)
  })
  root.addEventListener('change', ({ target }) => {
    if (editor()?.contains(target as Node)) saveIn(0)
  })
  root.addEventListener('focusout', ({ target }) => {
    if (editor()?.contains(target as Node) && typed > saved) saveIn(0)
  })

  function saveIn(milliseconds: number): void {
    clearTimeout(timer)
    if (!isContested) timer = setTimeout(() => save(false), milliseconds)
  }

  /** Saves what is typed. Returns whether it is. `isFinished` is said by a button, and tells everything that is wrong. */
  async function save(isFinished: boolean): Promise<boolean> {
    clearTimeout(timer)
    const form = editor()
    if (!form || (typed === saved && !isFinished)) return true
    let upTo = typed
    say(root.dataset.saving ?? '')
    const answer = await send(() => {
      upTo = typed
      return form
    })
    if (form !== editor()) return true
    if (answer.kind !== 'page') {
      complain(answer)
      if (answer.kind === 'lost') saveIn(AGAIN)
      return false
    }
    isContested = answer.status === 409
    const isSaved = answer.status < 400
    if (isSaved) saved = upTo
    show(root, answer.page, { isFinished: isFinished || isContested })
    say((isSaved ? (typed === saved ? root.dataset.saved : root.dataset.saving) : root.dataset.unsaved) ?? '', !isSaved)
    if (!isSaved && isFinished) root.querySelector<HTMLElement>('#pane [aria-invalid]')?.focus()
    return isSaved
  }

  /** Before something else is shown: what cannot be saved is not left behind. */
  async function leaves(): Promise<boolean> {
    while (typed > saved && !isContested) if (!(await save(true))) break
    if (typed === saved) return true
    root.querySelector<HTMLElement>(isContested ? '#pane form > .buttons button' : '#pane [aria-invalid]')?.focus()
    return false
  }

  function shown(answer: Answer, isNew: boolean): boolean {
    if (answer.kind !== 'page') {
      complain(answer)
      return false
    }
    if (isNew) [typed, saved, isContested] = [0, 0, false]
    show(root, answer.page, isNew ? null : { isFinished: true })
    say(saidIn(answer.page), answer.status >= 400)
    return true
  }

  root.addEventListener('submit', async (event) => {
    const form = event.target as HTMLFormElement
    const button = event.submitter as HTMLButtonElement | null
    // What leads elsewhere is sent as ever; there is nothing typed beside it.
    if (button?.value === 'publish') return
    event.preventDefault()
    if (button?.ariaDisabled === 'true') return
    if (form === editor()) await save(true)
    else await act(form === outside() ? outside : () => form, button)
  })
  root.addEventListener('do', ({ detail }: CustomEventInit<string>) => {
    void act(outside, { name: 'do', value: detail ?? '' })
  })

  async function act(form: () => HTMLFormElement, button: { name: string; value: string } | null): Promise<void> {
    const { show: before = '' } = root.querySelector<HTMLElement>('#pane')?.dataset ?? {}
    const takesAway = button?.value === `remove ${before.replace('question-', '')}`
    if (!takesAway && !(await leaves())) return void refresh()
    const answer = await send(form, button)
    if (!shown(answer, answer.kind === 'page' && answer.status < 400) || answer.kind !== 'page') return
    const { show: now = '' } = root.querySelector<HTMLElement>('#pane')?.dataset ?? {}
    if (answer.status >= 400) return
    history.replaceState(null, '', answer.url)
    if (now !== before && /^(add|duplicate|page-add)/.test(button?.value ?? '')) focusPane(root)
  }

  /** As it was before something was drawn elsewhere. */
  async function refresh(): Promise<void> {
    const answer = await load(location.href)
    if (answer.kind === 'page') show(root, answer.page, { isFinished: true })
  }

  root.addEventListener('click', async (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-show], #pane a[href*="/build?show="]')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    await go(link.href, true)
  })
  window.addEventListener('popstate', () => void go(location.href, false))

  async function go(address: string, isNew: boolean): Promise<void> {
    if (!(await leaves())) return
    if (!shown(await load(address), true)) return
    if (isNew) history.pushState(null, '', address)
    focusPane(root)
  }

  /** In a field it is the browser's own, of what is typed there. */
  document.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
    if (target.isContentEditable || target.matches('input, textarea, select')) return
    event.preventDefault()
    root.querySelector<HTMLElement>(`[data-tool="${event.shiftKey ? 'redo' : 'undo'}"]`)?.click()
  })

  /** Whoever goes away takes what they typed with them into the form, or is asked. */
  document.addEventListener('visibilitychange', () => {
    const form = editor()
    if (document.visibilityState === 'hidden' && form && typed > saved && !isContested) void save(false)
  })
  window.addEventListener('beforeunload', (event) => {
    if (typed > saved) event.preventDefault()
  })
}

/** The outline scrolls by itself where there is room beside it; then it begins with what is worked on. */
function scrollToCurrent(root: HTMLElement): void {
  const outline = root.querySelector<HTMLElement>('[data-part="outline"]')
  const current = outline?.querySelector<HTMLElement>('[aria-current]')
  if (outline && current) outline.scrollTop = current.offsetTop - outline.clientHeight / 3
}

/** Whether the preview is that of a phone is a matter of taste, which browsers remember. */
function rememberSize(root: HTMLElement): void {
  const wide = root.querySelector<HTMLInputElement>('#size-wide')
  if (!wide) return
  try {
    wide.checked = localStorage.getItem('frontdesk preview') === 'wide'
    root.querySelector('.sizes')?.addEventListener('change', () => {
      localStorage.setItem('frontdesk preview', wide.checked ? 'wide' : 'phone')
    })
  } catch {
    // Not allowed: it begins as a phone each time.
  }
}
