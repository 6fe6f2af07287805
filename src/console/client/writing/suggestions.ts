import { beginsWords } from '../palette/words.ts'

/** As many as are read at a glance. */
const MOST = 8

/** One of what is offered while somebody types. */
export interface Suggestion {
  readonly text: string
  /** Beside it: what tells it from others. */
  readonly detail?: string
  /** What happens when it is chosen; what was typed to find it is gone by then. */
  choose(): void
}

/** A field in which a mark begins a search. */
export interface Searched {
  readonly field: HTMLElement
  /** What the list is called. */
  readonly label: string
  /** What stands between the mark and the caret; null where there is no mark, or it means nothing. */
  typed(): string | null
  /** Takes away the mark, and what stands behind it up to the caret. */
  remove(): void
  /** Where the writer is, in the window. */
  place(): DOMRect
  all(): readonly Suggestion[]
}

/**
 * Offers what is found by the beginnings of words while somebody types behind a mark: arrows go through it, Enter or Tab
 * takes it, Escape leaves what was typed as it is. `form` is what the field stands in.
 */
export function startSuggestions(form: HTMLElement, searched: Searched): void {
  const { field, label } = searched
  const list = document.createElement('ul')
  list.className = 'suggestions'
  list.id = `${field.id}-suggestions`
  list.hidden = true
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', label)
  form.append(list)
  field.setAttribute('aria-autocomplete', 'list')
  field.setAttribute('aria-controls', list.id)

  let found: readonly Suggestion[] = []
  let at = 0
  /** What was typed when the list was left: it stays away until something else is looked for. */
  let left: string | null = null

  const close = () => {
    list.hidden = true
    found = []
    field.removeAttribute('aria-activedescendant')
  }
  const mark = () => {
    for (const [index, item] of [...list.children].entries()) {
      item.setAttribute('aria-selected', String(index === at))
      if (index !== at) continue
      field.setAttribute('aria-activedescendant', item.id)
      item.scrollIntoView({ block: 'nearest' })
    }
  }
  const choose = (index: number) => {
    const chosen = found[index]
    if (!chosen) return
    searched.remove()
    close()
    chosen.choose()
    left = searched.typed()
  }
  const look = () => {
    const typed = searched.typed()
    if (typed === null) left = null
    found =
      typed === null || (left !== null && typed.startsWith(left))
        ? []
        : searched
            .all()
            .filter(({ text }) => beginsWords(text, typed))
            .slice(0, MOST)
    if (found.length === 0) {
      close()
      return
    }
    at = 0
    list.replaceChildren(...found.map((suggestion, index) => itemOf(suggestion, `${list.id}-${index}`)))
    list.hidden = false
    putBeside(list, searched.place())
    mark()
  }
  field.addEventListener('input', look)
  field.addEventListener('blur', close)
  list.addEventListener('mousedown', (event) => {
    // The field keeps the focus, and the caret its place.
    event.preventDefault()
    const item = (event.target as Element).closest('li')
    if (item) choose([...list.children].indexOf(item))
  })
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => {
      at = (at + 1) % found.length
      mark()
    },
    ArrowUp: () => {
      at = (at - 1 + found.length) % found.length
      mark()
    },
    Enter: () => choose(at),
    Tab: () => choose(at),
    Escape: () => {
      left = searched.typed()
      close()
    },
  }
  form.addEventListener(
    'keydown',
    (event) => {
      const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing)
      if (list.hidden || event.target !== field || !isPlain || !Object.hasOwn(keys, event.key)) return
      event.preventDefault()
      event.stopPropagation()
      keys[event.key]?.()
    },
    true,
  )
}

function itemOf({ text, detail }: Suggestion, id: string): HTMLElement {
  const item = document.createElement('li')
  item.id = id
  item.setAttribute('role', 'option')
  const [name, more] = [document.createElement('span'), document.createElement('small')]
  name.textContent = text
  more.textContent = detail ?? ''
  item.append(name, ...(detail ? [more] : []))
  return item
}

/** Above where the writer is, or below where that would leave the window. */
function putBeside(list: HTMLElement, { left, top, bottom }: DOMRect): void {
  const { offsetWidth, offsetHeight } = list
  const gap = 4
  const isAbove = top - offsetHeight - gap >= 0
  list.style.insetBlockStart = `${isAbove ? top - offsetHeight - gap : bottom + gap}px`
  list.style.left = `${Math.max(gap, Math.min(left, innerWidth - offsetWidth - gap))}px`
}
