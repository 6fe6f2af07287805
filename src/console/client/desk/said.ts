import { hideToastInTime } from './toast.ts'

/** Shows what is said above the page, and what takes it back. */
export function showSaid(page: Document, panes: HTMLElement): void {
  const said = page.querySelector('[data-said]')
  const problem = page.querySelector('main > .problem')
  document.querySelector('[data-said]')?.replaceWith(...(said ? [document.importNode(said, true)] : []))
  document.querySelector('main > .problem')?.remove()
  if (problem) panes.before(document.importNode(problem, true))
  hideToastInTime()
}

/** Says something above the page. */
export function say(text: string): void {
  const flash = document.querySelector('.flash')
  if (flash) flash.textContent = text
}
