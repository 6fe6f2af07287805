import { all } from './dom.ts'

/** The links to the page in other languages lead to the same address otherwise, and lose nothing that was entered. */
export function languageLinks(form: HTMLElement, carry: () => void): void {
  for (const link of all<HTMLAnchorElement>(form, '.languages a')) {
    const address = new URL(location.href)
    address.searchParams.set('lang', link.hreflang)
    link.href = address.href
    link.addEventListener('click', (event) => {
      // In another tab the page begins anew.
      if (!(event.ctrlKey || event.metaKey || event.shiftKey)) carry()
    })
  }
}
