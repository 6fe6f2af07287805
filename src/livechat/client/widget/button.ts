import { styles } from './styles.ts'
import type { WidgetSettings } from './types.ts'

export interface Button {
  /** Puts the frame on the page, where it loads. */
  attach(): void
  show(isOpen: boolean): void
  isOpen(): boolean
  hide(): void
  count(unread: number, text: string): void
  /** The background of the chat, for what shows around it. */
  paint(background: string): void
}

const BUBBLE = 'M21 11.5a8.4 8.4 0 0 1-8.5 8.5 8.5 8.5 0 0 1-3.8-.9L3 21l1.9-5.7a8.5 8.5 0 1 1 16.1-3.8z'
const CROSS = 'M6 9l6 6 6-6'

/**
 * The button of the chat, with its frame, in a corner of the page. It stands beside the body and apart from the site's
 * styles, so that it stays as it is when the site exchanges its page.
 */
export function placeButton(
  { words, direction, colours }: WidgetSettings,
  frame: HTMLIFrameElement,
  position: string | undefined,
  toggle: (isOpen: boolean) => void,
): Button {
  const host = document.createElement('frontdesk-chat')
  host.role = 'region'
  host.ariaLabel = words.chat
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`:host{--light:${colours.light}!important;--dark:${colours.dark}!important}${styles}`)
  root.adoptedStyleSheets = [sheet]

  const button = create('button', 'open')
  button.type = 'button'
  button.ariaExpanded = 'false'
  button.dir = direction
  const badge = create('span', 'badge')
  badge.ariaHidden = 'true'
  const said = create('span', 'said')
  said.role = 'status'
  const panel = create('div', 'panel')
  panel.hidden = true
  button.append(drawing(BUBBLE, 'closed'), drawing(CROSS, 'opened'), badge)
  root.append(panel, button, said)
  let isShown = false
  let unread = ''
  /** Gets the focus back. */
  let opener: Element | null = null
  name()

  button.addEventListener('click', () => toggle(!isShown))
  host.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && isShown) toggle(false)
  })

  keepOnPage(host, position)
  leaveRoomForKeyboard(panel)

  function name(): void {
    button.ariaLabel = [isShown ? words.close : words.open, unread].filter(Boolean).join(', ')
  }

  return {
    attach: () => panel.append(frame),
    isOpen: () => isShown,
    show(isOpen) {
      if (isOpen === isShown) return
      isShown = isOpen
      if (isOpen) opener = root.activeElement ?? document.activeElement
      panel.hidden = !isOpen
      host.classList.toggle('is-open', isOpen)
      button.ariaExpanded = String(isOpen)
      button.hidden = false
      name()
      if (isOpen) frame.focus()
      else if (opener?.isConnected && opener !== document.body) (opener as HTMLElement).focus()
      else button.focus()
    },
    hide() {
      button.hidden = true
    },
    count(count, text) {
      badge.textContent = count > 0 ? (count > 9 ? '9+' : String(count)) : ''
      unread = count > 0 ? text : ''
      if (said.textContent !== unread) said.textContent = unread
      if (count > 0) button.hidden = false
      name()
    },
    paint(background) {
      panel.style.backgroundColor = background
    },
  }
}

/** Puts it beside the body, and does so again: some sites write their whole document anew. */
function keepOnPage(host: HTMLElement, position: string | undefined): void {
  const place = () => {
    if (position === 'left' || position === 'right') host.dataset.at = position
    host.dir = getComputedStyle(document.body).direction
    document.documentElement.append(host)
  }
  if (document.body) place()
  else addEventListener('DOMContentLoaded', place)
  new MutationObserver(() => {
    if (document.body && !host.isConnected) place()
  }).observe(document.documentElement, { childList: true })
}

/** The keyboard of a phone covers part of the page, and the chat has to stay above it. */
function leaveRoomForKeyboard(panel: HTMLElement): void {
  const view = window.visualViewport
  view?.addEventListener('resize', () => {
    panel.style.setProperty('--height', view.scale > 1 ? '' : `${view.height}px`)
  })
}

function create<K extends keyof HTMLElementTagNameMap>(tag: K, className: string): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  element.className = className
  return element
}

function drawing(path: string, className: string): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', className)
  svg.ariaHidden = 'true'
  const line = document.createElementNS(space, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}
