import { typedIn } from '../console-lines.ts'

/*
 * Every block of code gets a button that copies it. Of a console that is what is typed there, without what it prints.
 * Browsers have a clipboard for pages of `https:` and of this machine alone: elsewhere there is no button.
 */

/** How long a button says that it has copied, in milliseconds. */
const SAID = 2_000

const status = document.createElement('p')
status.setAttribute('role', 'status')
status.className = 'copied'

function addButton(box: HTMLElement): void {
  const text = (box.querySelector('code')?.textContent ?? '').trimEnd()
  const isConsole = box.dataset.language === 'console'
  const copied = isConsole ? typedIn(text).map(({ command }) => command) : [text]
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    // Refused, by a policy of the browser say, the button says nothing: the text can still be marked.
    const isDone = await navigator.clipboard.writeText(copied.join('\n')).then(
      () => true,
      () => false,
    )
    if (!isDone) return
    button.textContent = 'Copied'
    status.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
      status.textContent = ''
    }, SAID)
  })
  box.append(button)
}

if ('clipboard' in navigator) {
  document.body.append(status)
  for (const box of document.querySelectorAll<HTMLElement>('.code')) addButton(box)
}
