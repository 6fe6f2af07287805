import type { Editor } from './editor.ts'
import { focusPane, saidIn, show } from './showing.ts'
import { complain, say } from './status.ts'
import { type Answer, load, type Pressed, send } from './talk.ts'

/** What changes the page in place: buttons that do something to the form, and links to its parts. */
export class Steps {
  constructor(
    private readonly root: HTMLElement,
    private readonly editor: Editor,
  ) {}

  /** Sends `form`, which is asked for when it is sent: what is saved before puts another one into the page. */
  async act(form: () => HTMLFormElement, button: Pressed | null): Promise<void> {
    const before = this.#shown
    const takesAway = button?.value === `remove ${before.replace('question-', '')}`
    if (!takesAway && !(await this.editor.leaves())) return void this.#refresh()
    const answer = await send(form, button)
    if (!this.#show(answer, answer.kind === 'page' && answer.status < 400) || answer.kind !== 'page') return
    const now = this.#shown
    if (answer.status >= 400) return
    history.replaceState(null, '', answer.url)
    if (now !== before && /^(add|duplicate|page-add|end-add)/.test(button?.value ?? '')) focusPane(this.root)
  }

  /** Shows what is at `address`; `isNew` is what the browser's history does not have yet. */
  async go(address: string, isNew: boolean): Promise<void> {
    if (!(await this.editor.leaves())) return
    if (!this.#show(await load(address), true)) return
    if (isNew) history.pushState(null, '', address)
    focusPane(this.root)
  }

  /** Which part is worked on. */
  get #shown(): string {
    return this.root.querySelector<HTMLElement>('#pane')?.dataset.show ?? ''
  }

  #show(answer: Answer, isNew: boolean): boolean {
    const { root } = this
    if (answer.kind !== 'page') {
      complain(root, answer)
      return false
    }
    if (isNew) this.editor.beginAnew()
    show(root, answer.page, isNew ? null : { isFinished: true, sent: null })
    say(root, saidIn(answer.page), answer.status >= 400)
    return true
  }

  /** As it was before something was drawn elsewhere. */
  async #refresh(): Promise<void> {
    const answer = await load(location.href)
    if (answer.kind === 'page') show(this.root, answer.page, { isFinished: true, sent: null })
  }
}
