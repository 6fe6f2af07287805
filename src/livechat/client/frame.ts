/*
 * The chat lives in a frame on another site. What both sides tell each other; never what is said in the chat. A site
 * that may not show the chat, or that has no origin, has no frame to talk to: the policy of the chat's page sees to
 * that (`origins.ts`).
 */

/** What the frame tells the site. */
export type FrameMessage =
  | { frontdesk: 'chat-ready'; title: string; background: string }
  /** How many messages wait to be read, and that in words. */
  | { frontdesk: 'unread'; count: number; text: string }
  | { frontdesk: 'close' }
  /** What the site is to keep for its next page; null: there is nothing to come back for. */
  | { frontdesk: 'remember'; kept: string | null }

/** What the site tells the frame, with the page that it stands in. */
export type SiteMessage = Told & { page?: string }
type Told =
  /** `identity`: null where they have signed out, undefined where the site left it open. */
  | { frontdesk: 'start'; identity: string | null | undefined; isShown: boolean; kept: string | null }
  | { frontdesk: 'identify'; identity: string | null }
  /** What the site keeps for the chat has changed: another tab stored something else. */
  | { frontdesk: 'kept'; kept: string | null }
  | { frontdesk: 'shown' }
  | { frontdesk: 'hidden' }

export const isFramed = window.parent !== window

/** Of the site around the chat, known by its first message: nothing is to be remembered before. */
let siteOrigin = '*'

/** Tells the site around the chat. */
export function post(message: FrameMessage): void {
  if (isFramed) window.parent.postMessage(message, siteOrigin)
}

interface Chat {
  /** Once, with whom the site says its visitor is, and with what it kept. */
  start(identity: string | null | undefined, kept: string | null): void
  show(isShown: boolean): void
  identify(identity: string | null): void
  /** With what it keeps now. */
  keep(kept: string | null): void
  /** They are on this page of the site. */
  visit(page: string): void
}

/** Connects the chat with the site around it; without one it starts by itself. Nobody else is heard. */
export function attach(close: HTMLElement, background: string, chat: Chat): void {
  close.hidden = !isFramed
  if (!isFramed) {
    chat.show(true)
    chat.start(undefined, null)
    return
  }
  const leave = () => {
    // At once: what arrives before the site has hidden the frame is not seen any more.
    chat.show(false)
    post({ frontdesk: 'close' })
  }
  close.addEventListener('click', leave)
  document.addEventListener('keydown', ({ key, isComposing }) => {
    if (key === 'Escape' && !isComposing) leave()
  })
  addEventListener('message', ({ source, origin, data }: MessageEvent<SiteMessage | null>) => {
    if (source !== window.parent || !data) return
    siteOrigin = origin
    if (typeof data.page === 'string') chat.visit(data.page)
    if (data.frontdesk === 'start') {
      chat.show(data.isShown)
      chat.start(data.identity, data.kept)
    } else if (data.frontdesk === 'identify') chat.identify(data.identity)
    else if (data.frontdesk === 'kept') chat.keep(data.kept)
    else if (data.frontdesk === 'shown') chat.show(true)
    else if (data.frontdesk === 'hidden') chat.show(false)
  })
  post({ frontdesk: 'chat-ready', title: document.title, background })
}
