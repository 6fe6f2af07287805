import type { Fault } from '../answering/checks.ts'
import { give, toolsFor } from './kit.ts'

const { all, say } = toolsFor('languages')

/**
 * The links to the page in other languages lead to the same address otherwise, and lose nothing that was entered: a file
 * that is being sent, or has to be tried again, is waited for.
 */
function languageLinks(
  form: HTMLElement,
  carry: () => void,
  refuse: (question: HTMLElement, fault: Fault) => void,
): void {
  for (const link of all<HTMLAnchorElement>(form, '.languages a')) {
    const address = new URL(location.href)
    address.searchParams.set('lang', link.hreflang)
    link.href = address.href
    link.addEventListener('click', (event) => {
      // In another tab the page begins anew.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      const unsent = form.querySelector('.unsent:not([hidden])')
      const question = unsent?.closest<HTMLElement>('.question')
      if (!unsent || !question) return carry()
      event.preventDefault()
      const at = unsent.querySelector<HTMLElement>('button:not([hidden])')
      const word = unsent.querySelector('[data-retry]:not([hidden])') ? 'fileNotSent' : 'waitForFile'
      refuse(question, { message: say(word), at })
    })
  }
}

give('languages', languageLinks)
