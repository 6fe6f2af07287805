/* The chat lives in a frame on another site. What both sides tell each other; never what is said in the chat. */

/** What the frame tells the site. */
export type FrameMessage =
  | { frontdesk: 'chat-ready'; title: string; background: string }
  /** How many messages wait to be read, and that in words. */
  | { frontdesk: 'unread'; count: number; text: string }
  | { frontdesk: 'close' }
  /** Whether there is a conversation to come back for. */
  | { frontdesk: 'remember'; isKnown: boolean }

/** What the site tells the frame. */
export type SiteMessage =
  | { frontdesk: 'start'; identity: string | null; isShown: boolean }
  | { frontdesk: 'identify'; identity: string | null }
  | { frontdesk: 'shown' }
  | { frontdesk: 'hidden' }

export const isFramed = window.parent !== window

/** Tells the site around the chat. */
export function post(message: FrameMessage): void {
  if (isFramed) window.parent.postMessage(message, '*')
}

interface Chat {
  /** Once, with whom the site says its visitor is. */
  start(identity: string | null): void
  show(isShown: boolean): void
  identify(identity: string | null): void
}

/** Connects the chat with the site around it; without one it starts by itself. Nobody else is heard. */
export function attach(close: HTMLElement, background: string, chat: Chat): void {
  close.hidden = !isFramed
  if (!isFramed) {
    chat.show(true)
    chat.start(null)
    return
  }
  close.addEventListener('click', () => post({ frontdesk: 'close' }))
  document.addEventListener('keydown', ({ key, isComposing }) => {
    if (key === 'Escape' && !isComposing) post({ frontdesk: 'close' })
  })
  addEventListener('message', ({ source, data }: MessageEvent<SiteMessage | null>) => {
    if (source !== window.parent || !data) return
    if (data.frontdesk === 'start') {
      chat.show(data.isShown)
      chat.start(data.identity)
    } else if (data.frontdesk === 'identify') chat.identify(data.identity)
    else if (data.frontdesk === 'shown') chat.show(true)
    else if (data.frontdesk === 'hidden') chat.show(false)
  })
  post({ frontdesk: 'chat-ready', title: document.title, background })
}
