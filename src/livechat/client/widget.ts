import type { FrameMessage, SiteMessage } from './frame.ts'
import { isSignedIn } from './kept.ts'
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
  /** What the frame is told once it listens: who is there is what was said last; undefined: nothing was. */
  let known: string | null | undefined = identity || undefined

  const button: Button = placeButton(frontdeskWidget, frame, position, toggle)
  const memory = `frontdesk ${address}`
  /** What the frame wants kept; null: there is nothing to come back for. */
  let kept = recall(memory)
  if (kept) whenIdle(load)
  else if (frontdeskWidget.hidesButton) button.hide()

  function load(): void {
    if (frame.src) return
    frame.src = address
    button.attach()
  }

  function post(message: SiteMessage): void {
    if (isReady) frame.contentWindow?.postMessage({ ...message, page: location.href }, origin)
  }

  function keep(given: string | null): void {
    kept = given
    remember(memory, kept)
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
      frame.title = data.title
      button.paint(data.background)
      post({ frontdesk: 'start', identity: known, isShown: button.isOpen(), kept })
    } else if (data.frontdesk === 'unread') button.count(Number(data.count), data.text)
    else if (data.frontdesk === 'close') toggle(false)
    else if (data.frontdesk === 'remember') keep(data.kept)
  })
  // Somebody signed out in another tab, or began a conversation there; null: the site forgot all that it kept.
  addEventListener('storage', ({ key, newValue }: StorageEvent) => {
    if (key !== memory && key !== null) return
    kept = newValue
    post({ frontdesk: 'kept', kept })
  })

  // They are on another page, which was not loaded.
  window.navigation?.addEventListener('currententrychange', () => post({ frontdesk: 'kept', kept }))

  window.frontdesk = {
    identify(given) {
      known = given
      // They have signed out: the page may be left before a frame hears of it.
      if (given === null && isSignedIn(kept)) keep(null)
      post({ frontdesk: 'identify', identity: given })
    },
    open: () => toggle(true),
    close: () => toggle(false),
  }
}

function whenIdle(then: () => void): void {
  // Safari has no idle callbacks.
  const soon = () => (window.requestIdleCallback ?? setTimeout)(then)
  if (document.readyState === 'complete') soon()
  else addEventListener('load', soon)
}

function recall(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function remember(name: string, kept: string | null): void {
  try {
    if (kept) localStorage.setItem(name, kept)
    else localStorage.removeItem(name)
  } catch {
    // Without storage it is known until the page is left.
  }
}
