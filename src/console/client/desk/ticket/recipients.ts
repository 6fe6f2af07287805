/** Fields of addresses, in the order of the line that says them. */
const FIELDS = ['to', 'cc', 'bcc']

/** Whom an answer goes to stands there in full: each can be taken out, and the line says what is typed into the fields. */
export function startRecipients(form: HTMLFormElement): void {
  const inputs = FIELDS.flatMap((name) => {
    const input = form.elements.namedItem(name)
    return input instanceof HTMLInputElement ? [input] : []
  })
  const line = () => form.querySelector<HTMLElement>('[data-recipients]')
  if (!line()) return
  for (const input of inputs) {
    input.addEventListener('input', () => {
      for (const [name, list] of listsIn(line())) {
        const shown = inputs.find((one) => one.name === name)
        if (shown) showIn(list, addressesIn(shown.value), form)
      }
    })
  }
  form.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-without]') : null
    const place = button?.closest<HTMLElement>('[data-of]')
    const input = inputs.find(({ name }) => name === place?.dataset.of)
    if (!button || !input) return
    const at = [...(line()?.querySelectorAll('[data-without]') ?? [])].indexOf(button)
    input.value = addressesIn(input.value)
      .filter((address) => address !== button.dataset.without)
      .join(', ')
    input.dispatchEvent(new Event('input', { bubbles: true }))
    const left = [...(line()?.querySelectorAll<HTMLElement>('[data-without]') ?? [])]
    const next = left[Math.min(at, left.length - 1)] ?? form.querySelector<HTMLElement>('.recipients summary')
    next?.focus()
  })
}

const addressesIn = (text: string) =>
  text
    .split(/[,;\n]+/)
    .map((address) => address.trim())
    .filter(Boolean)

function listsIn(line: HTMLElement | null): (readonly [string, HTMLElement])[] {
  return [...(line?.querySelectorAll<HTMLElement>('[data-of]') ?? [])].map((list) => [list.dataset.of ?? '', list])
}

function showIn(list: HTMLElement, addresses: readonly string[], form: HTMLElement): void {
  const pattern = form.querySelector<HTMLTemplateElement>('template[data-address]')
  const items = addresses.flatMap((address) => {
    const item = pattern?.content.firstElementChild?.cloneNode(true) as HTMLElement | undefined
    const [name, button] = [item?.querySelector('bdi'), item?.querySelector<HTMLElement>('button')]
    if (!item || !name || !button) return []
    name.textContent = address
    button.dataset.without = address
    button.setAttribute(
      'aria-label',
      (button.getAttribute('aria-label') ?? '').replace('%', () => address),
    )
    return [item]
  })
  for (const item of list.querySelectorAll('.recipient')) item.remove()
  list.append(...items)
  list.hidden = addresses.length === 0 && list.dataset.of !== 'to'
}
