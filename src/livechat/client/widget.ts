import type { FrameMessage, SiteMessage } from './frame.ts'
import { type Button, placeButton } from './widget/button.ts'
import type { SiteInterface, WidgetSettings } from './widget/types.ts'

declare const frontdeskWidget: WidgetSettings

declare global {
  interface Window {
    frontdesk?: SiteInterface
  }
}

/*
 * `<script src="https://…/chat/SOURCE/widget.js" async></script>` puts a button on a site, which opens a chat. The page
 * may come to know its visitor later: `frontdesk.identify(jwt)`, or `identify(null)` when they sign out.
 */
const script = document.currentScript as HTMLScriptElement | null
if (script) {
  const { identity, position } = script.dataset
  // On a site that changes its page without loading another, the script may come again.
  // An element with that id is not it.
  if (typeof window.frontdesk?.open === 'function') {
    if (identity !== undefined) window.frontdesk.identify(identity || null)
  } else start(new URL('.', script.src).href.slice(0, -1), identity, position)
}

function start(address: string, identity: string | undefined, position: string | undefined): void {
  const { origin } = new URL(address)
  const frame = document.createElement('iframe')
  frame.title = frontdeskWidget.words.chat
  let isReady = false
  /** What the frame is told once it listens: who is there is what was said last. */
  let known = identity || null

  const button: Button = placeButton(frontdeskWidget, frame, position, toggle)
  // The site remembers that there is something to come back for, and nothing more.
  const memory = `frontdesk ${address}`
  if (recall(memory)) whenIdle(load)
  else if (frontdeskWidget.hidesButton) button.hide()

  function load(): void {
    if (frame.src) return
    frame.src = address
    button.attach()
  }

  function post(message: SiteMessage): void {
    if (isReady) frame.contentWindow?.postMessage(message, origin)
  }

  function toggle(isOpen: boolean): void {
    load()
    button.show(isOpen)
    post({ frontdesk: isOpen ? 'shown' : 'hidden' })
  }

  addEventListener('message', ({ source, origin: from, data }: MessageEvent<FrameMessage | null>) => {
    if (source !== frame.contentWindow || from !== origin || !data) return
    if (data.frontdesk === 'chat-ready') {
      isReady = true
      frame.title = String(data.title)
      button.paint(String(data.background))
      post({ frontdesk: 'start', identity: known, isShown: button.isOpen() })
    } else if (data.frontdesk === 'unread') button.count(Number(data.count), String(data.text))
    else if (data.frontdesk === 'close') toggle(false)
    else if (data.frontdesk === 'remember') remember(memory, data.isKnown === true)
  })

  window.frontdesk = {
    identify(given) {
      known = given
      post({ frontdesk: 'identify', identity: given })
    },
    open: () => toggle(true),
    close: () => toggle(false),
  }
}

function whenIdle(then: () => void): void {
  // Safari has no idle callbacks.
  const soon = () => ('requestIdleCallback' in window ? requestIdleCallback(then) : setTimeout(then, 1000))
  if (document.readyState === 'complete') soon()
  else addEventListener('load', soon)
}

function recall(name: string): boolean {
  try {
    return localStorage.getItem(name) !== null
  } catch {
    return false
  }
}

function remember(name: string, isKnown: boolean): void {
  try {
    if (isKnown) localStorage.setItem(name, '1')
    else localStorage.removeItem(name)
  } catch {
    // Without storage nothing is counted before the chat is opened.
  }
}
