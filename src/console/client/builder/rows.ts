/** Lists of rows always have an empty one at their end: typing into it brings the next. */
export function growRows(target: Element): void {
  const row = target.closest<HTMLElement>('[data-rows] > [data-row]')
  if (!row || row.nextElementSibling) return
  const next = row.cloneNode(true) as HTMLElement
  const index = [...(row.parentElement?.children ?? [])].indexOf(row)
  for (const element of next.querySelectorAll<HTMLElement>('input, label')) renumber(element, index)
  for (const problem of next.querySelectorAll('.error, .wrong')) {
    if (problem.matches('.error')) problem.remove()
    else problem.classList.remove('wrong')
  }
  row.after(next)
}

function renumber(element: HTMLElement, index: number): void {
  for (const name of ['name', 'id', 'for']) {
    const before = element.getAttribute(name)
    if (before !== null)
      element.setAttribute(name, before.replace(`[${index}]`, `[${index + 1}]`).replace(`-${index}-`, `-${index + 1}-`))
  }
  if (element instanceof HTMLInputElement) {
    element.value = ''
    element.required = false
    element.removeAttribute('value')
    element.removeAttribute('aria-invalid')
    element.removeAttribute('aria-describedby')
  } else if (element.firstChild) {
    element.firstChild.textContent = (element.firstChild.textContent ?? '').replace(
      String(index + 1),
      String(index + 2),
    )
  }
}
