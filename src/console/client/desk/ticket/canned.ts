/**
 * Puts a canned reply in where the writer is, without a new page. The editor takes what comes into its text area; where
 * that is the field itself, it goes to the cursor.
 */
export function startCanned(): void {
  const picker = document.querySelector<HTMLElement>('[data-canned]')
  const chosen = picker?.querySelector('select')
  const button = picker?.querySelector('button')
  const area = picker?.closest('form')?.querySelector<HTMLTextAreaElement>('textarea[name="answer"]')
  if (!picker || !chosen || !button || !area) return
  button.addEventListener('click', async (event) => {
    event.preventDefault()
    if (chosen.value === '') {
      chosen.focus()
      return
    }
    const response = await fetch(`${picker.dataset.canned}/${chosen.value}`, {
      headers: { accept: 'application/json' },
    })
    // Gone in the meantime, or signed out: a new page says which.
    if (!response.ok || response.redirected) {
      location.reload()
      return
    }
    const { text } = (await response.json()) as { text: string }
    if (area.hidden) area.value = text
    else {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
      area.focus()
    }
    area.dispatchEvent(new Event('input', { bubbles: true }))
    chosen.value = ''
  })
}
