/** Has the switch of how pages look apply at once; it is kept as the form would keep it. */
export function startThemeSwitch(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const chosen = event.submitter
    if (!form.matches('[data-theme-switch]') || !(chosen instanceof HTMLButtonElement)) return
    event.preventDefault()
    show(chosen.value)
    for (const button of form.querySelectorAll('button')) {
      if (button === chosen) button.setAttribute('aria-current', 'true')
      else button.removeAttribute('aria-current')
    }
    const body = new URLSearchParams([...new FormData(form, chosen)] as [string, string][])
    // Where nothing answers, this page keeps it and the next does not.
    fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(() => {})
  })
}

function show(theme: string): void {
  const root = document.documentElement
  const isChosen = theme !== 'system'
  if (isChosen) root.dataset.theme = theme
  else delete root.dataset.theme
  const scheme = document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]')
  if (scheme) scheme.content = isChosen ? theme : 'light dark'
}
