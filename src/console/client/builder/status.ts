import type { Answer } from './talk.ts'

/** Says in the builder's head what became of something. */
export function say(root: HTMLElement, text: string, isBad = false): void {
  const status = root.querySelector<HTMLElement>('[data-status]')
  if (!status) return
  status.textContent = text
  status.classList.toggle('bad', isBad)
}

/** Says why nothing came back. */
export function complain(root: HTMLElement, { kind }: Answer): void {
  say(root, (kind === 'lost' ? root.dataset.lost : root.dataset.signedOut) ?? '', true)
}
