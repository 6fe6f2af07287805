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
  /** What was entered, under `keyOf` its field: a value, or that it is chosen. Nothing for what is as the page came. */
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

type Field = HTMLInputElement | HTMLOptionElement | HTMLTextAreaElement

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

  const fields = (root: ParentNode) =>
    all<Field>(root, ':is(input, textarea, option + option):not([type=file], #website)')
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
      const key = keyOf(field)
      const state = field.matches('[data-untouched] [type=range]') ? '' : Reflect.get(field, partOf(field))
      const question = String(field.closest<HTMLElement>('.question')?.dataset.question)
      // As the page came, there is nothing to remember; what the address would fill in again was cleared.
      if (state || question in filledIn) memory.inputs[key] = state
      else delete memory.inputs[key]
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
      const state = memory.inputs[keyOf(field)]
      if (state !== undefined) Object.assign(field, { [partOf(field)]: state })
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
    return JSON.parse(localStorage.getItem(name) as string) as Partial<Memory> | null
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

/** What of a field is its state. */
function partOf(field: Field): 'value' | 'checked' | 'selected' {
  if ('selected' in field) return 'selected'
  return field.matches('[type=radio], [type=checkbox]') ? 'checked' : 'value'
}

/**
 * What a field is remembered by: an option by its group and what it says, not by its place. The form may list others by
 * the time somebody comes back.
 */
function keyOf(field: Field): string {
  // Options of a dropdown go by its id.
  const group = (field as Partial<HTMLInputElement>).name ?? field.parentElement?.id
  return group ? `${group}=${field.value}` : field.id
}
