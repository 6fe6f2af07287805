import { all, one, setValue } from '../tools/dom.ts'
import { writeNumber } from '../tools/words.ts'

/* The smaller helps that a browser's own controls need. */

/** A slider answers nothing until it was touched, and says its value. */
export function sliders(question: HTMLElement): void {
  for (const scale of all(question, '.slider')) {
    const range = one<HTMLInputElement>(scale, '[type=range]')
    const touched = one<HTMLInputElement>(scale, '[type=hidden]')
    const untold = range.ariaValueText
    const show = () => {
      const isTouched = touched.value !== ''
      const value = writeNumber(Number(range.value))
      scale.toggleAttribute('data-untouched', !isTouched)
      const [start, end] = [Number(range.min), Number(range.max)]
      scale.style.setProperty('--at', String((Number(range.value) - start) / (end - start)))
      one(scale, 'output').textContent = isTouched ? value : '–'
      range.ariaValueText = isTouched ? value : untold
    }
    const touch = () => {
      if (touched.value === '') setValue(touched, '1')
      show()
    }
    range.addEventListener('input', touch)
    range.addEventListener('pointerup', touch)
    range.addEventListener('keydown', (event) => {
      // The middle is an answer too. Where one question shows, Enter then goes on.
      const goesOn = touched.value !== '' && question.closest('.stepped') !== null
      if (event.key === ' ' || (event.key === 'Enter' && !goesOn)) {
        event.preventDefault()
        touch()
      }
    })
    question.addEventListener('sync', () => {
      if (touched.value === '') range.value = range.dataset.start as string
      show()
    })
  }
}

/** The text field of a free-text other option shows while that option is chosen. */
export function others(question: HTMLElement): void {
  const other = question.querySelector<HTMLInputElement>('.other')
  if (!other) return
  const show = () => {
    other.hidden = question.querySelector('[data-other]:checked') === null
  }
  question.addEventListener('change', (event) => {
    show()
    const chosen = event.target as HTMLElement
    if ('other' in chosen.dataset && !other.hidden) other.focus()
  })
  question.addEventListener('sync', show)
}

/** A dropdown of checkboxes says what is chosen, and closes with Escape or a click elsewhere. */
export function dropdowns(question: HTMLElement): void {
  const details = question.querySelector('details')
  if (!details) return
  const picked = one(details, '.picked')
  const show = () => {
    const labels = all(details, 'input:checked').map((input) => input.nextElementSibling?.textContent ?? '')
    picked.textContent = labels.join(', ') || (picked.dataset.none ?? '')
  }
  question.addEventListener('change', show)
  question.addEventListener('sync', show)
  details.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !details.open) return
    // It closes nothing else, such as a dialog around the form.
    event.preventDefault()
    details.open = false
    one(details, 'summary').focus()
  })
  document.addEventListener('click', ({ target }) => {
    if (!details.contains(target as Node)) details.open = false
  })
}
