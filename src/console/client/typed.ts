/*
 * What was typed into a form that was not taken, because the server was gone as it was sent or the session was over, is
 * there again when its page is: pages are not stored by browsers, so that going back would show them empty.
 */

const KEY = 'typed'

interface Typed {
  readonly path: string
  readonly action: string
  readonly fields: readonly (readonly [string, string])[]
  /** A page said so, and the way back may lead over others, such as the sign-in. */
  readonly isUntaken?: boolean
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Secrets are not kept, and files cannot be. */
const NOT_KEPT = new Set(['password', 'file', 'submit'])

/** Remembers what a form holds that is being sent. Whoever signs in has typed something before that is worth more. */
export function rememberTyped(form: HTMLFormElement): void {
  if (document.body.classList.contains('door')) return
  const fields = controlsOf(form).flatMap((control) =>
    isTicked(control) || !isChoice(control) ? [[control.name, control.value] as const] : [],
  )
  const typed: Typed = { path: location.pathname, action: form.action, fields }
  keep(typed)
}

function keep(typed: Typed): void {
  sessionStorage.setItem(KEY, JSON.stringify(typed))
}

/** What was sent has been answered, on the page that it was sent from. */
export function forgetTyped(): void {
  sessionStorage.removeItem(KEY)
}

/** Puts back what the server has never answered. */
export function restoreTyped(): void {
  const stored = sessionStorage.getItem(KEY)
  if (stored === null) return
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const comesFromHere = visit?.type === 'navigate' && document.referrer.startsWith(location.origin)
  const typed = JSON.parse(stored) as Typed
  const isUntaken = typed.isUntaken || 'untaken' in document.body.dataset
  if (comesFromHere && !isUntaken) {
    sessionStorage.removeItem(KEY)
    return
  }
  const form =
    typed.path === location.pathname &&
    [...document.forms].find(({ method, action }) => method === 'post' && action === typed.action)
  // Once it is back on its page it is as anything that is typed.
  keep({ ...typed, isUntaken: isUntaken && !form })
  if (!form) return
  const left = [...typed.fields]
  for (const control of controlsOf(form)) {
    const at = left.findIndex(
      ([name, value]) => name === control.name && (!isChoice(control) || value === control.value),
    )
    if (isChoice(control)) (control as HTMLInputElement).checked = at !== -1
    else if (at !== -1) control.value = left[at]?.[1] ?? ''
    if (at !== -1) left.splice(at, 1)
  }
}

function controlsOf(form: HTMLFormElement): Control[] {
  // What is hidden says which state was changed, so that another's change meanwhile is noticed; csrf is the page's own.
  return ([...form.elements] as Control[]).filter(({ name, type }) => name && name !== 'csrf' && !NOT_KEPT.has(type))
}

function isChoice({ type }: Control): boolean {
  return type === 'checkbox' || type === 'radio'
}

function isTicked(control: Control): boolean {
  return isChoice(control) && (control as HTMLInputElement).checked
}
