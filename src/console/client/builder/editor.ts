import { statesIn } from './conditions.ts'
import { show } from './showing.ts'
import { complain, say } from './status.ts'
import { type Pressed, send } from './talk.ts'

/** Until what could not be sent is sent again, in milliseconds. */
const AGAIN = 3000

/** What is typed into the part that is worked on, and how much of that is saved. */
export class Editor {
  /** How often something was typed, and how much of that is saved. */
  #typed = 0
  #saved = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Somebody else changed the same: what is typed is not put over it unasked. */
  #isContested = false

  constructor(private readonly root: HTMLElement) {}

  /** The form as it is on the page now: another one wherever something else is shown. */
  get form(): HTMLFormElement | null {
    return this.root.querySelector<HTMLFormElement>('[data-editor] form')
  }

  contains(target: EventTarget | null): boolean {
    return Boolean(this.form?.contains(target as Node))
  }

  get hasUnsaved(): boolean {
    return this.#typed > this.#saved
  }

  get isContested(): boolean {
    return this.#isContested
  }

  /** Something was typed: what was said of all before it, such as that it is saved, no longer holds. */
  noteTyped(): void {
    if (!this.hasUnsaved) say(this.root, '')
    this.#typed++
  }

  /** Nothing is typed in what is shown now. */
  beginAnew(): void {
    this.#typed = 0
    this.#saved = 0
    this.#isContested = false
  }

  saveIn(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (!this.#isContested) this.#timer = setTimeout(() => this.save(false), milliseconds)
  }

  /**
   * Saves what is typed. Returns whether it is. `isFinished` is said by a button, and tells everything that is wrong; a
   * `step` is one that changes what the form consists of.
   */
  async save(isFinished: boolean, step: Pressed | null = null): Promise<boolean> {
    const { root } = this
    clearTimeout(this.#timer)
    const { form } = this
    if (!form || (this.#typed === this.#saved && !isFinished)) return true
    const from = document.activeElement
    let upTo = this.#typed
    let states = statesIn(form)
    say(root, root.dataset.saving ?? '')
    const answer = await send(() => {
      upTo = this.#typed
      states = statesIn(form)
      return form
    }, step)
    if (form !== this.form) return true
    if (answer.kind !== 'page') {
      complain(root, answer)
      if (answer.kind === 'lost') this.saveIn(AGAIN)
      return false
    }
    this.#isContested = answer.status === 409
    const isSaved = answer.status < 400
    if (isSaved) this.#saved = upTo
    const isCurrent = step !== null || this.#typed === upTo
    const sent = isCurrent ? { step, from, states } : null
    show(root, answer.page, { isFinished: isFinished || this.#isContested, sent })
    const { saved, saving, unsaved } = root.dataset
    say(root, (isSaved ? (this.#typed === this.#saved ? saved : saving) : unsaved) ?? '', !isSaved)
    if (!isSaved && isFinished) root.querySelector<HTMLElement>('#pane [aria-invalid]')?.focus()
    return isSaved
  }

  /** Before something else is shown: what cannot be saved is not left behind. */
  async leaves(): Promise<boolean> {
    while (this.hasUnsaved && !this.#isContested) if (!(await this.save(true))) break
    if (this.#typed === this.#saved) return true
    const wrong = this.#isContested ? '#pane form > .buttons button' : '#pane [aria-invalid]'
    this.root.querySelector<HTMLElement>(wrong)?.focus()
    return false
  }
}
