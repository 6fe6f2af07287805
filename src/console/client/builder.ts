import { Editor } from './builder/editor.ts'
import { growRows } from './builder/rows.ts'
import { enhance } from './builder/showing.ts'
import { Steps } from './builder/steps.ts'
import { rememberSize, scrollToCurrent } from './builder/view.ts'
import { watchPresses } from './presses.ts'

/*
 * The builder where scripts run: what is typed is saved by itself, and its buttons and links change the page in place.
 * Everything goes by the page's own forms and addresses, so there is nothing that it could not do without.
 */

/** Somebody who types saves after a pause; who leaves a field, at once. In milliseconds. */
const PAUSE = 1000

const root = document.querySelector<HTMLElement>('[data-builder]')
if (root) build(root)

function build(root: HTMLElement): void {
  const editor = new Editor(root)
  const steps = new Steps(root, editor)
  watchPresses()
  enhance(root)
  rememberSize(root)
  scrollToCurrent(root)
  saveWhatIsTyped(root, editor)
  pressButtons(root, editor, steps)
  followLinks(root, steps)
  undoByKeys(root)
  keepWhatIsLeft(editor)
}

function saveWhatIsTyped(root: HTMLElement, editor: Editor): void {
  root.addEventListener('input', ({ target }) => {
    // An editor tells by the field that it is for.
    if (!editor.contains(target) || (target as HTMLElement).isContentEditable) return
    growRows(target as Element)
    editor.noteTyped()
    editor.saveIn(PAUSE)
  })
  root.addEventListener('change', ({ target }) => {
    if (editor.contains(target)) editor.saveIn(0)
  })
  root.addEventListener('focusout', ({ target }) => {
    if (editor.contains(target) && editor.hasUnsaved) editor.saveIn(0)
  })
}

function pressButtons(root: HTMLElement, editor: Editor, steps: Steps): void {
  /** The form of everything outside the editor. */
  const outside = () => root.querySelector<HTMLFormElement>('#do') as HTMLFormElement
  root.addEventListener('submit', async (event) => {
    const form = event.target as HTMLFormElement
    const button = event.submitter as HTMLButtonElement | null
    // What leads elsewhere is sent as ever; there is nothing typed beside it.
    if (button?.value === 'publish') return
    event.preventDefault()
    if (button?.ariaDisabled === 'true') return
    if (form === editor.form) await editor.save(true, button?.name === 'step' ? button : null)
    else await steps.act(form === outside() ? outside : () => form, button)
  })
  root.addEventListener('do', ({ detail }: CustomEventInit<string>) => {
    void steps.act(outside, { name: 'do', value: detail ?? '' })
  })
}

function followLinks(root: HTMLElement, steps: Steps): void {
  root.addEventListener('click', async (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-show], #pane a[href*="/build?show="]')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    await steps.go(link.href, true)
  })
  window.addEventListener('popstate', () => void steps.go(location.href, false))
}

/** In a field it is the browser's own, of what is typed there. */
function undoByKeys(root: HTMLElement): void {
  document.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
    if (target.isContentEditable || target.matches('input, textarea, select')) return
    event.preventDefault()
    root.querySelector<HTMLElement>(`[data-tool="${event.shiftKey ? 'redo' : 'undo'}"]`)?.click()
  })
}

/** Whoever goes away takes what they typed with them into the form, or is asked. */
function keepWhatIsLeft(editor: Editor): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && editor.form && editor.hasUnsaved && !editor.isContested) {
      void editor.save(false)
    }
  })
  window.addEventListener('beforeunload', (event) => {
    if (editor.hasUnsaved) event.preventDefault()
  })
}
