import { give, toolsFor } from './kit.ts'

const { all, one, setValue, say, writeNumber } = toolsFor('ranking')

/** How far a pointer moves before it drags, in pixels: a click is no answer. */
const SLACK = 4

/** Makes a ranking movable: by its buttons, its rows under a mouse, its handles under a finger, which scrolls elsewhere. The hidden field holds the order once it was touched. */
function ranking(question: HTMLElement): void {
  const list = one(question, '.ranking')
  const order = one<HTMLInputElement>(question, 'input[type=hidden]')
  const status = one(question, '[role=status]')
  const confirm = one(question, '[data-confirm]')
  const initial = [...list.children]
  const items = () => all(list, 'li')

  function show(): void {
    const touched = order.value !== ''
    list.toggleAttribute('data-untouched', !touched)
    confirm.hidden = touched
    const last = list.childElementCount - 1
    for (const [index, item] of items().entries()) {
      one(item, '.rank').textContent = touched ? writeNumber(index + 1) : '–'
      one<HTMLButtonElement>(item, '[data-move="-1"]').ariaDisabled = String(index === 0)
      one<HTMLButtonElement>(item, '[data-move="1"]').ariaDisabled = String(index === last)
    }
  }

  function keep(news: string): void {
    setValue(order, JSON.stringify(items().map(({ dataset }) => dataset.label)))
    show()
    status.textContent = news
  }

  function place(item: HTMLElement): string {
    const option = one(item, '.label').textContent ?? ''
    return say('ranked', { option, place: items().indexOf(item) + 1, count: list.childElementCount })
  }

  list.addEventListener('click', (event) => {
    const button = (event.target as HTMLElement).closest<HTMLElement>('[data-move]')
    const item = button?.closest('li')
    if (!button || !item) return
    if (button.dataset.move === '1') item.nextElementSibling?.after(item)
    else item.previousElementSibling?.before(item)
    // Moving an element takes the focus away.
    button.focus()
    keep(place(item))
  })

  list.addEventListener('pointerdown', (event) => {
    const target = event.target as HTMLElement
    const item = target.closest<HTMLElement>('li')
    const isHeld = target.closest(event.pointerType === 'mouse' ? 'li' : '.handle') && !target.closest('button')
    if (!item || !isHeld || event.button !== 0) return
    event.preventDefault()
    list.setPointerCapture(event.pointerId)
    const start = event.clientY
    let isDragged = false
    const move = ({ clientY }: PointerEvent) => {
      isDragged ||= Math.abs(clientY - start) > SLACK
      if (!isDragged) return
      item.classList.add('dragged')
      const before = items().find((other) => other !== item && clientY < middleOf(other))
      if (before ? before.previousElementSibling !== item : list.lastElementChild !== item) {
        list.insertBefore(item, before ?? null)
      }
    }
    const drop = () => {
      list.removeEventListener('pointermove', move)
      item.classList.remove('dragged')
      if (isDragged) keep(place(item))
    }
    list.addEventListener('pointermove', move)
    list.addEventListener('lostpointercapture', drop, { once: true })
  })

  confirm.addEventListener('click', () => {
    keep(say('orderKept'))
    one(list, 'button').focus()
  })

  // After a reload, and when the answer is cleared.
  question.addEventListener('sync', () => {
    const labels = order.value ? (JSON.parse(order.value) as string[]) : null
    const byLabel = new Map(items().map((item) => [item.dataset.label, item]))
    list.append(...(labels?.flatMap((label) => byLabel.get(label) ?? []) ?? initial))
    show()
  })
  show()
}

function middleOf(element: HTMLElement): number {
  const { top, height } = element.getBoundingClientRect()
  return top + height / 2
}

give('ranking', ranking)
