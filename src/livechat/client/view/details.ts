import type { Answer } from '../service/answers.ts'
import { one } from './dom.ts'
import { say } from './words.ts'

/** What is enough of an address to try it; the service knows better. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

interface Given {
  name?: string
  email: string
}

/** The form for name and email. `save` says what became of them. */
export function details(save: (given: Given) => Promise<Answer<object>>, decline: () => void) {
  const form = one<HTMLFormElement>(document, '#details')
  const email = one<HTMLInputElement>(form, '#email')
  const name = one<HTMLInputElement>(form, '#visitor-name')
  const error = one(form, '#details-error')
  const button = one<HTMLButtonElement>(form, '[type=submit]')

  function complain(text: string): void {
    error.textContent = text
    email.ariaInvalid = String(text !== '')
    if (text !== '') email.focus()
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const address = email.value.trim()
    if (!EMAIL.test(address)) return complain(say('notEmail'))
    complain('')
    if (button.ariaDisabled === 'true') return
    button.ariaDisabled = 'true'
    const called = name.value.trim()
    const { kind } = await save({ email: address, ...(called === '' ? {} : { name: called }) })
    button.ariaDisabled = null
    if (kind !== 'ok') complain(say(kind === 'unreachable' ? 'notSaved' : 'notEmail'))
  })
  email.addEventListener('input', () => {
    error.textContent = ''
    email.ariaInvalid = 'false'
  })
  one(form, '#not-now').addEventListener('click', decline)

  return {
    show(isShown: boolean): void {
      form.hidden = !isShown
    },
    get hasFocus(): boolean {
      return form.contains(document.activeElement)
    },
  }
}
