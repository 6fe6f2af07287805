/** How long the writer pauses before a save, and how long typing goes on unsaved at most, in milliseconds. */
const PAUSE = 800
const AT_MOST = 4000

/** What this computer keeps beside the text itself, until the server is known to have it. */
interface Copy {
  /** Milliseconds since 1970, by the server's clock. */
  readonly at: number
  /** What the page said as `data-mine` when it was sent off; null while it is being written. */
  readonly sentAfter: string | null
}

/** One for everything that is being written on this page. */
const savers = new Set<() => Promise<void>>()

/** Resolves once the server has what was typed so far, so that what is done next includes all of it. */
export async function saveNow(): Promise<void> {
  await Promise.all([...savers].map((keep) => keep()))
}

/** Something that is saved as it is typed. */
export interface Autosaved<T extends object> {
  /** Its key in this computer's storage. */
  readonly key: string
  /**
   * Says `data-now`, when the page was written; `data-kept-at`, when the server last kept it; `data-mine`, which is another
   * one once what was sent has been taken. Its `[data-not-kept]` tells when something is not kept.
   */
  readonly place: HTMLElement
  read(): T
  show(state: T): void
  /** Saves it with the server: true once it is, false where the server cannot be reached, or the reason why it refused. */
  send(state: T, keepalive: boolean): Promise<boolean | string>
}

/**
 * Saves something as it is typed: with the server, and on this computer until the server has it. It is there when the page is
 * shown again after the browser or the server died in the middle. Returns the function to call whenever it may have changed.
 */
export function autosave<T extends object>(
  form: HTMLFormElement,
  { key, place, read, show, send }: Autosaved<T>,
  signal: AbortSignal,
): () => void {
  const notice = place.querySelector<HTMLElement>('[data-not-kept]')
  const behind = Date.now() - Number(place.dataset.now)
  let timer: ReturnType<typeof setTimeout> | undefined
  let since: number | null = null
  let saving: Promise<void> | null = null
  let isSent = false

  const remember = (sentAfter: string | null) => {
    const copy: T & Copy = { ...read(), at: Date.now() - behind, sentAfter }
    try {
      localStorage.setItem(key, JSON.stringify(copy))
    } catch {
      // Full, or forbidden: then the server alone has it.
    }
  }
  const save = async (keepalive = false) => {
    clearTimeout(timer)
    since = null
    const state = read()
    const answer = await send(state, keepalive)
    if (notice) notice.textContent = answer === true ? '' : answer || (notice.dataset.notKept ?? '')
    if (answer === true && isSame(read(), state) && !isSent) localStorage.removeItem(key)
    // Once it is heard again, what it lacks is sent.
    if (answer === false && !isSent) plan(AT_MOST)
  }
  /** What was typed while an earlier state was on its way goes after it. */
  const saveInTurn = () => {
    if (saving) void saving.then(saveInTurn)
    else
      saving = save().finally(() => {
        saving = null
      })
  }
  const plan = (wait: number) => {
    clearTimeout(timer)
    timer = setTimeout(saveInTurn, wait)
  }
  let known = JSON.stringify(read())
  const changed = () => {
    // Editors tell of more than what their writers do.
    const now = JSON.stringify(read())
    if (now === known) return
    known = now
    remember(null)
    since ??= Date.now()
    plan(Math.min(PAUSE, Math.max(0, since + AT_MOST - Date.now())))
  }

  const copy = newerCopy<T>(key, place)
  if (copy) {
    show(copy)
    changed()
  }
  form.addEventListener('submit', (event) => {
    clearTimeout(timer)
    // A draft that is still being saved must not arrive after what it is of.
    if (saving) {
      event.preventDefault()
      saving.finally(() => form.requestSubmit(event.submitter))
      return
    }
    isSent = true
    remember(place.dataset.mine ?? '')
  })
  const unsent = () => {
    isSent = false
  }
  // Not even that it was sent is known; and back in the history the page is as it was left.
  form.addEventListener('unsent', unsent)
  window.addEventListener('pageshow', unsent, { signal })
  const keep = async () => {
    clearTimeout(timer)
    await saving
    if (since !== null && !isSent) await save()
  }
  savers.add(keep)
  const leave = () => {
    clearTimeout(timer)
    if (since !== null && !isSent) void save(true)
  }
  window.addEventListener('pagehide', leave, { signal })
  signal.addEventListener('abort', () => {
    savers.delete(keep)
    leave()
  })
  return changed
}

/** What this computer has, unless the server has it, or something newer. */
function newerCopy<T>(key: string, place: HTMLElement): (T & Copy) | null {
  const stored = localStorage.getItem(key)
  if (!stored) return null
  const copy = JSON.parse(stored) as T & Copy
  const isSent = copy.sentAfter !== null && copy.sentAfter !== place.dataset.mine
  if (!isSent && !(Date.parse(place.dataset.keptAt ?? '') > copy.at)) return copy
  localStorage.removeItem(key)
  return null
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Sends JSON to a page's call: the answer, or null where there is none, as of somebody who is no longer signed in. */
export async function post(path: string, body: object, keepalive = false): Promise<Response | null> {
  const token = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? ''
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': token },
      body: JSON.stringify(body),
      keepalive,
    })
    return answer.redirected ? null : answer
  } catch {
    return null
  }
}
