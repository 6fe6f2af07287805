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

/** Hears the site around the chat, and nobody else. */
export function hear(listen: (message: SiteMessage) => void): void {
  addEventListener('message', ({ source, data }: MessageEvent<SiteMessage | null>) => {
    if (isFramed && source === window.parent && typeof data?.frontdesk === 'string') listen(data)
  })
}
