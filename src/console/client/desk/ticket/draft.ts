import type { AnswerField } from './editor.ts'

/** How long a pause of the writer is, and after how long something is kept without one, in milliseconds. */
const PAUSE = 800
const AT_MOST = 4000

/** What this computer has of an answer that the server may not have yet. */
interface Copy {
  readonly html: string
  /** Milliseconds since 1970, by the server's clock. */
  readonly at: number
  /** The writer's newest message when it was sent off; null while it is being written. */
  readonly sentAfter: string | null
}

/**
 * Keeps an answer as it is written: with the server, and until that has it, on this computer. When the page is shown again
 * after the browser or the server died in the middle, it is there.
 */
export function keepDraft(form: HTMLFormElement, field: AnswerField, place: HTMLElement, signal: AbortSignal): void {
  const recipients = ['inbox', 'to', 'cc', 'offered', 'subject'].flatMap((name) => {
    const input = form.elements.namedItem(name)
    return input instanceof HTMLInputElement || input instanceof HTMLSelectElement ? [input] : []
  })
  const typed = () => Object.fromEntries(recipients.map(({ name, value }) => [name, value.trim()]))
  const notice = place.querySelector<HTMLElement>('[data-not-kept]')
  const key = `answer ${place.dataset.answer} ${location.pathname}`
  const behind = Date.now() - Number(place.dataset.now)
  let timer: ReturnType<typeof setTimeout> | undefined
  let since: number | null = null
  let saving: Promise<void> | null = null
  let isSent = false

  const remember = (sentAfter: string | null) => {
    const copy: Copy = { html: field.html, at: Date.now() - behind, sentAfter }
    try {
      localStorage.setItem(key, JSON.stringify(copy))
    } catch {
      // Full, or forbidden: then the server alone has it.
    }
  }
  const save = async (keepalive = false) => {
    clearTimeout(timer)
    since = null
    const { html } = field
    const isKept = await post(place.dataset.draftPath ?? '', { html, ...typed() }, keepalive)
    if (notice) notice.textContent = isKept ? '' : (notice.dataset.notKept ?? '')
    if (isKept && field.html === html && !isSent) localStorage.removeItem(key)
    // Once it is heard again, what it lacks is sent.
    if (!isKept && !isSent) plan(AT_MOST)
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
  const state = () => JSON.stringify([field.html, typed()])
  let known = state()
  const changed = () => {
    // The editor tells of more than what its writer does.
    if (state() === known) return
    known = state()
    remember(null)
    since ??= Date.now()
    plan(Math.min(PAUSE, Math.max(0, since + AT_MOST - Date.now())))
  }

  restore(key, field, place, changed)
  field.onInput(changed)
  for (const input of recipients) {
    input.addEventListener('input', changed)
    input.addEventListener('keydown', (event) => {
      if ((event as KeyboardEvent).key === 'Enter') event.preventDefault()
    })
  }
  form.addEventListener('submit', (event) => {
    clearTimeout(timer)
    // A draft that is still being saved must not arrive after the reply.
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
  const leave = () => {
    clearTimeout(timer)
    if (since !== null && !isSent) void save(true)
  }
  window.addEventListener('pagehide', leave, { signal })
  signal.addEventListener('abort', leave)
}

/** Shows what this computer has, unless the server has it, or something newer. */
function restore(key: string, field: AnswerField, place: HTMLElement, changed: () => void): void {
  const stored = localStorage.getItem(key)
  if (!stored) return
  const copy = JSON.parse(stored) as Copy
  const isSent = copy.sentAfter !== null && copy.sentAfter !== place.dataset.mine
  if (isSent || Date.parse(place.dataset.keptAt ?? '') > copy.at) {
    localStorage.removeItem(key)
    return
  }
  field.setHtml(copy.html)
  changed()
}

/** Whether the server has taken it. */
async function post(path: string, body: object, keepalive: boolean): Promise<boolean> {
  const token = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? ''
  try {
    const { ok, redirected } = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': token },
      body: JSON.stringify(body),
      keepalive,
    })
    return ok && !redirected
  } catch {
    return false
  }
}
