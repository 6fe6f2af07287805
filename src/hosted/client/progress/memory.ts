import { prefilledIn } from '../answering/prefill.ts'
import { afterPaint, all } from '../tools/dom.ts'

/** What is kept in the browser, so that a reload loses nothing. Nothing of it leaves the browser but what is sent. */
export interface Memory {
  /** The response, once begun. */
  response: { id: string; resumeToken: string } | null
  /** What came with the address as it was begun. */
  hiddenFields?: Record<string, string>
  /** A request that began a response and whose answer never came: it is repeated as it was, under its key. */
  pending: { key: string; body: string } | null
  page: number
  /** The question of the page, where one shows at a time. */
  step: number
  /** Inputs by id: their value, or whether they are checked. */
  inputs: Record<string, string | boolean>
  /** The page was left for itself in another language: nobody has been away. */
  carried?: true
}

/** What a link to a response leads to (`data-linked`). */
export interface Linked {
  /** The response, to go on with. */
  memory?: Memory
  /** It was sent since, or there is nothing any more. */
  kind?: 'sent' | 'over'
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Remembers one form. Where the browser keeps nothing (a frame without storage), it lasts as long as the page. */
export function remember(form: HTMLFormElement) {
  // What answers for one ticket is another response than what answers for the next.
  const name = `frontdesk ${form.dataset.path}${/[?&]ticket_token=[\w-]+/.exec(location.search) ?? ''}`
  const linked = linkedIn(form)
  const known = linked.memory ?? read(name)
  const memory: Memory = { response: null, pending: null, page: 0, step: 0, inputs: {}, ...known }
  const isCarried = memory.carried === true
  delete memory.carried
  if (isCarried) write()

  const fields = (root: ParentNode) => all<Field>(root, ':is(input, select, textarea):not([type=file], #website)')
  const filledIn = prefilledIn(form)
  /** Questions whose answers are not stored yet. */
  const changed = new Set<HTMLElement>()

  /** Returns whether the browser keeps it. */
  function store(): boolean {
    changed.clear()
    memory.inputs = {}
    note(form)
    return write()
  }

  /** Stores an answer once it has been painted, and before the page goes: nobody who types waits for it. */
  function storeSoon(question: HTMLElement): void {
    if (changed.size === 0) afterPaint(storeChanged)
    changed.add(question)
  }

  function storeChanged(): void {
    if (changed.size === 0) return
    // The first time all that the address filled in is kept, too.
    if (isEmpty()) note(form)
    for (const question of changed) note(question)
    changed.clear()
    write()
  }

  addEventListener('pagehide', storeChanged)
  // A phone may end a page that is out of sight without another word.
  document.addEventListener('visibilitychange', storeChanged)

  function note(root: ParentNode): void {
    for (const field of fields(root)) {
      const state = stateOf(field)
      const { question = '' } = field.closest<HTMLElement>('.question')?.dataset ?? {}
      // As the page came, there is nothing to remember; what the address would fill in again was cleared.
      if ((state && state !== '0') || question in filledIn) memory.inputs[field.id] = state
      else delete memory.inputs[field.id]
    }
  }

  const isEmpty = () => Object.keys(memory.inputs).length === 0

  function write(): boolean {
    try {
      localStorage.setItem(name, JSON.stringify(memory))
      return true
    } catch {
      // Full, or not allowed: the form works without.
      return false
    }
  }

  /** Puts back what was entered. Returns whether there was anything. */
  function restore(): boolean {
    for (const field of fields(form)) {
      const state = memory.inputs[field.id]
      if (typeof state === 'boolean') (field as HTMLInputElement).checked = state
      else if (field instanceof HTMLSelectElement) field.selectedIndex = Number(state ?? 0)
      else if (state !== undefined) field.value = state
    }
    return !isEmpty()
  }

  function forget(): void {
    changed.clear()
    try {
      localStorage.removeItem(name)
    } catch {
      // As above.
    }
  }

  /** Keeps everything for the page that comes next in this window: where the browser keeps nothing, in the window's name. */
  function carry(): void {
    memory.carried = true
    if (!store()) window.name = name + JSON.stringify(memory)
  }

  return { memory, linked, isCarried, store, storeSoon, restore, carry, forget }
}

/** What the link leads to that the page was opened by, if it was by one. It goes from the address, which people share. */
function linkedIn({ dataset }: HTMLElement): Linked {
  if (!dataset.linked) return {}
  const address = new URL(location.href)
  address.searchParams.delete('later')
  history.replaceState(null, '', address)
  return JSON.parse(dataset.linked) as Linked
}

function read(name: string): Partial<Memory> | null {
  const carried = carriedIn(name)
  if (carried) return carried
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') as Partial<Memory> | null
  } catch {
    return null
  }
}

/** What `carry` gave the window for a name, once. */
function carriedIn(name: string): Partial<Memory> | null {
  if (!window.name.startsWith(`${name}{`)) return null
  const text = window.name.slice(name.length)
  window.name = ''
  return JSON.parse(text) as Partial<Memory>
}

function stateOf(field: Field): string | boolean {
  if (field instanceof HTMLSelectElement) return String(field.selectedIndex)
  if (field.matches('[data-untouched] [type=range]')) return ''
  return field.type === 'checkbox' || field.type === 'radio' ? (field as HTMLInputElement).checked : field.value
}
