import { formFrame } from './frame.ts'

/*
 * A form that comes up over the page. The browser's own modal dialog keeps the focus in it, the rest out of reach, and
 * gives the focus back; it stands apart from the site's styles.
 */

/** Takes over the button that opens it: one of ours, or with `data-open` whatever matches that selector. */
export function dialog(script: HTMLScriptElement, address: URL, mode: 'dialog' | 'slide-in'): void {
  const { label, title, open: opener } = script.dataset
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets = [sheet]

  const box = document.createElement('dialog')
  box.className = mode
  box.setAttribute('part', 'dialog')
  const shut = buttonOf('×', 'close')
  shut.ariaLabel = 'Close'
  let isReady = false

  const { frame } = formFrame(script, address, {
    ready({ close, background, color }) {
      isReady = true
      box.style.backgroundColor = String(background)
      box.style.color = String(color)
      shut.ariaLabel = String(close)
      if (box.open) frame.focus()
    },
    height: () => {
      box.ariaLabel = frame.title
    },
    // The frame hears the keys of who is in it.
    escape: () => box.close(),
  })
  box.ariaLabel = frame.title
  box.append(shut)
  shut.addEventListener('click', () => box.close())
  // Beside the dialog, which fills it with its content.
  box.addEventListener('click', ({ target }) => {
    if (target === box) box.close()
  })

  function open(): void {
    if (box.open) return
    // The form is fetched when somebody wants it, and stays as it was left.
    if (!frame.isConnected) box.append(frame)
    box.showModal()
    if (isReady) frame.focus()
  }

  if (opener === undefined) {
    const button = buttonOf(label ?? title ?? 'Form', `open ${mode}`)
    button.ariaHasPopup = 'dialog'
    button.addEventListener('click', open)
    root.append(button)
  } else {
    // What is no selector is an error at once, and not at every click.
    document.querySelector(opener)
    // They may come into the page later.
    document.addEventListener('click', (event) => {
      if (!(event.target as Element).closest?.(opener)) return
      event.preventDefault()
      open()
    })
  }
  root.append(box)
  const place = () => (mode === 'slide-in' || script.closest('head') ? document.body.append(host) : script.after(host))
  if (document.body) place()
  else addEventListener('DOMContentLoaded', place)
}

function buttonOf(text: string, name: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.className = name
  button.setAttribute('part', name.split(' ')[0] as string)
  return button
}

/**
 * Sites give it their looks by `::part(open)`, `::part(dialog)` and `::part(close)`, and by nothing else. In pixels: to many
 * sites a rem is ten of them.
 */
const styles = `
:host {
  all: initial !important;
  font: 16px/1.5 system-ui, sans-serif !important;
}
button {
  font: inherit;
  cursor: pointer;
}
button:focus-visible {
  outline: 3px solid #4b6bfb;
  outline-offset: 2px;
}
.open {
  min-height: 48px;
  padding: 10px 22px;
  border: 1px solid #fff3;
  border-radius: 10px;
  background: #24243a;
  color: #fff;
  font-weight: 600;
}
.open.slide-in {
  position: fixed;
  inset-block-end: 16px;
  inset-inline-end: 16px;
  z-index: 2147483000;
  box-shadow: 0 4px 16px #0004;
}
dialog {
  color-scheme: light dark;
  box-sizing: border-box;
  width: min(640px, 100vw - 32px);
  max-width: none;
  max-height: calc(100dvh - 32px);
  padding: 48px 0 0;
  border: 0;
  border-radius: 18px;
  background: Canvas;
  color: CanvasText;
  overflow: hidden;
  box-shadow: 0 16px 48px #0006;
}
dialog[open] {
  display: flex;
}
dialog::backdrop {
  background: #0008;
}
dialog.slide-in {
  width: min(480px, 100vw);
  height: 100dvh;
  max-height: none;
  margin-block: 0;
  margin-inline: auto 0;
  border-radius: 0;
}
.close {
  position: absolute;
  inset-block-start: 8px;
  inset-inline-end: 8px;
  width: 40px;
  height: 40px;
  padding: 0;
  border: 0;
  border-radius: 8px;
  background: none;
  color: inherit;
  font-size: 24px;
  line-height: 1;
}
.close:hover {
  background: #8883;
}
iframe {
  flex: 1;
  min-height: 0;
  max-height: calc(100dvh - 80px);
}
dialog.slide-in iframe {
  max-height: none;
  height: 100% !important;
}
@media (prefers-reduced-motion: no-preference) {
  dialog[open] {
    animation: rise 0.2s ease-out;
  }
  @keyframes rise {
    from {
      opacity: 0;
      translate: var(--from, 0 16px);
    }
  }
  dialog.slide-in {
    --from: 48px 0;
  }
}
`
