/* The few ways in which the scripts reach into the page. */

export function all<E extends HTMLElement = HTMLElement>(root: ParentNode, selector: string): E[] {
  return [...root.querySelectorAll<E>(selector)]
}

/** An element that the page always has. */
export function one<E extends HTMLElement = HTMLElement>(root: ParentNode, selector: string): E {
  const found = root.querySelector<E>(selector)
  if (!found) throw new Error(`The page has no ${selector}`)
  return found
}

/** The value of a field, '' when there is none. */
export function fieldValue(root: ParentNode, selector: string): string {
  return root.querySelector<HTMLInputElement>(selector)?.value ?? ''
}

/** Changes a field as a respondent would: whoever listens is told. */
export function setValue(input: HTMLInputElement, value: string): void {
  input.value = value
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** What was put into a hidden field as JSON, null when it is empty. */
export function jsonOf<T>(input: HTMLInputElement | null): T | null {
  return input?.value ? (JSON.parse(input.value) as T) : null
}

/** Runs once what is to be seen has been painted; in a frame that is out of sight, which paints nothing, all the same. */
export function afterPaint(then: () => void): void {
  let isDone = false
  const once = () => {
    if (!isDone) then()
    isDone = true
  }
  requestAnimationFrame(() => setTimeout(once))
  setTimeout(once, 200)
}
