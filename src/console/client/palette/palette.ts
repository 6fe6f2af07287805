import { type Action, actionsOfPage } from './actions.ts'
import { noteRecent, recentOf } from './recent.ts'
import { beginsWords } from './words.ts'

/** Of what was used, and of what the page can do. */
const MOST = 6

/** Has Ctrl or ⌘ with K, and the link in the navigation, open the palette. Nothing where nobody is signed in. */
export function startPalette(): void {
  const dialog = document.querySelector<HTMLDialogElement>('[data-palette]')
  const field = dialog?.querySelector('input')
  const list = dialog?.querySelector<HTMLElement>('[role="listbox"]')
  if (!dialog || !field || !list) return
  const palette = new Palette(dialog, field, list)
  const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
  for (const link of document.querySelectorAll<HTMLElement>('[data-find]')) {
    link.setAttribute('aria-keyshortcuts', 'Control+K Meta+K')
    const key = link.querySelector('kbd')
    if (key) {
      key.hidden = false
      key.textContent = isApple ? '⌘K' : 'Ctrl K'
    }
  }
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey)
    if (!isPlain || !(event.target instanceof Element) || !event.target.closest('[data-find]')) return
    event.preventDefault()
    palette.open()
  })
  const listen = (event: KeyboardEvent) => {
    const isKey =
      event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
    // In an editor with something selected it makes a link.
    if (!isKey || isSelectedIn(event.target)) return
    event.preventDefault()
    event.stopPropagation()
    palette.open()
  }
  document.addEventListener('keydown', listen, true)
}

function isSelectedIn(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.isContentEditable && getSelection()?.isCollapsed === false
}

class Palette {
  readonly #person: string
  /** What there is to do on the page, by its option. */
  readonly #actions = new WeakMap<Element, Action>()
  #offered: Action[] = []
  /** Ends the question of earlier letters. */
  #asked = new AbortController()

  constructor(
    private readonly dialog: HTMLDialogElement,
    private readonly field: HTMLInputElement,
    private readonly list: HTMLElement,
  ) {
    this.#person = dialog.dataset.palette ?? ''
    field.addEventListener('input', () => void this.#find())
    field.addEventListener('keydown', (event) => this.#steer(event))
    list.addEventListener('click', (event) => {
      const option = (event.target as Element).closest<HTMLAnchorElement>('[role="option"]')
      // In another tab, as the browser does.
      if (!option || event.ctrlKey || event.metaKey || event.shiftKey) return
      if (this.#actions.has(option)) event.preventDefault()
      this.#use(option)
    })
    dialog.addEventListener('click', ({ target }) => {
      if (target === dialog) dialog.close()
    })
    dialog.addEventListener('close', () => this.#asked.abort())
  }

  open(): void {
    if (this.dialog.open) {
      this.dialog.close()
      return
    }
    this.#offered = actionsOfPage()
    this.field.value = ''
    this.dialog.showModal()
    void this.#find()
  }

  get #active(): HTMLAnchorElement | null {
    return this.list.querySelector<HTMLAnchorElement>('[aria-selected="true"]')
  }

  /** Shows at once what the page knows, and what the server finds when that comes, unless other letters were typed by then. */
  async #find(): Promise<void> {
    this.#asked.abort()
    this.#asked = new AbortController()
    const { signal } = this.#asked
    const text = this.field.value.trim()
    const own = this.#own(text)
    this.#show(own)
    try {
      const response = await fetch(`${this.dialog.dataset.list}?${new URLSearchParams({ q: text })}`, { signal })
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      if (signal.aborted || !response.ok || response.redirected) return
      const known = new Set(
        own.flatMap((group) => [...group.querySelectorAll('a')].map((link) => link.getAttribute('href'))),
      )
      const found = [...page.querySelectorAll('section')].map((group) => document.importNode(group, true))
      for (const link of found.flatMap((group) => [...group.querySelectorAll('a')]))
        if (known.has(link.getAttribute('href'))) link.closest('li')?.remove()
      this.#show([...own, ...found.filter((group) => group.querySelector('a'))])
      this.#count()
    } catch {
      // Given up, or the connection is lost: what is shown is what there is.
    }
  }

  /** What this person uses, and what the page can do. */
  #own(text: string): HTMLElement[] {
    const used = recentOf(this.#person).filter((one) => beginsWords(`${one.text} ${one.detail}`, text))
    const places = used.filter(({ href }) => href !== null).slice(0, MOST)
    const rank = ({ text: name }: Action) => {
      const at = used.findIndex((one) => one.href === null && one.text === name)
      return at === -1 ? used.length : at
    }
    const actions = this.#offered
      .filter((one) => beginsWords(`${one.text} ${one.detail}`, text))
      .sort((one, other) => rank(one) - rank(other))
      .slice(0, MOST)
    const { used: usedWord = '', actions: actionsWord = '' } = this.dialog.dataset
    return [
      this.#group(
        usedWord,
        places.map(({ href, ...one }) => this.#option({ ...one, href, key: '' })),
      ),
      this.#group(
        actionsWord,
        actions.map((action) => {
          const item = this.#option({ ...action, href: null })
          const option = item.querySelector('a')
          if (option) this.#actions.set(option, action)
          return item
        }),
      ),
    ].filter((group) => group.querySelector('a'))
  }

  #part<E extends HTMLElement>(selector: string): E {
    const template = this.dialog.querySelector('template') as HTMLTemplateElement
    return document.importNode(template.content.querySelector<E>(selector) as E, true)
  }

  #group(name: string, items: readonly HTMLElement[]): HTMLElement {
    const group = this.#part('section')
    const heading = group.querySelector('h2')
    if (heading) heading.textContent = name
    group.querySelector('ul')?.append(...items)
    return group
  }

  #option({
    href,
    text,
    detail,
    key,
  }: {
    href: string | null
    text: string
    detail: string
    key: string
  }): HTMLElement {
    const item = this.#part('li')
    const link = item.querySelector('a')
    if (href !== null) link?.setAttribute('href', href)
    for (const [part, said] of [
      ['span', text],
      ['small', detail],
      ['kbd', key],
    ] as const) {
      const place = item.querySelector(part)
      if (said === '') place?.remove()
      else if (place) place.textContent = said
    }
    return item
  }

  /** Puts groups in as a listbox: options are told apart by their ids, and the first is chosen. */
  #show(groups: readonly HTMLElement[]): void {
    for (const [at, group] of groups.entries()) {
      const heading = group.querySelector('h2')
      group.setAttribute('role', 'group')
      if (heading) {
        heading.id = `palette-group-${at}`
        heading.setAttribute('role', 'presentation')
        group.setAttribute('aria-labelledby', heading.id)
      }
      for (const part of group.querySelectorAll('ul, li')) part.setAttribute('role', 'presentation')
    }
    const before = this.#active?.getAttribute('href')
    this.list.replaceChildren(...groups)
    const options = this.#options()
    for (const [at, option] of options.entries()) {
      option.id = `palette-option-${at}`
      option.setAttribute('role', 'option')
      option.tabIndex = -1
    }
    const same = before ? options.find((option) => option.getAttribute('href') === before) : undefined
    this.#activate(same ?? options[0])
  }

  #options(): HTMLAnchorElement[] {
    return [...this.list.querySelectorAll('a')]
  }

  #activate(option: HTMLElement | undefined): void {
    for (const one of this.#options()) one.setAttribute('aria-selected', String(one === option))
    if (option) this.field.setAttribute('aria-activedescendant', option.id)
    else this.field.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }

  #count(): void {
    const status = this.dialog.querySelector<HTMLElement>('[role="status"]')
    const count = this.#options().length
    if (status)
      status.textContent =
        count === 0 ? (status.dataset.none ?? '') : (status.dataset.count ?? '').replace('%', String(count))
  }

  #steer(event: KeyboardEvent): void {
    if (event.isComposing) return
    const options = this.#options()
    const at = options.findIndex((option) => option === this.#active)
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 }
    const next = steps[event.key]
    if (next !== undefined && options.length > 0) {
      event.preventDefault()
      this.#activate(options[(next + options.length) % options.length])
    } else if (event.key === 'Enter') {
      const chosen = this.#active
      // Nothing is there yet: the page finds it.
      if (!chosen) return
      event.preventDefault()
      if ((event.ctrlKey || event.metaKey) && chosen.href) {
        noteRecent(this.#person, usedOf(chosen))
        window.open(chosen.href, '_blank', 'noopener')
      } else chosen.click()
    }
  }

  /** A link leads on by itself; what else was chosen is done on the page, where the focus is again. */
  #use(option: HTMLAnchorElement): void {
    noteRecent(this.#person, usedOf(option))
    this.dialog.close()
    this.#actions.get(option)?.run()
  }
}

function usedOf(option: Element) {
  const [text, detail] = ['span', 'small'].map((part) => option.querySelector(part)?.textContent ?? '')
  return { href: option.getAttribute('href'), text: text ?? '', detail: detail ?? '' }
}
