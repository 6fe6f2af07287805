/** A page of the service, as it answered a visit or a form. */
export interface Answer {
  /** Where it led in the end. */
  readonly url: string
  readonly ok: boolean
  readonly redirected: boolean
  /** Whether `url` can be visited: nothing was sent there. */
  readonly isPage: boolean
  readonly page: Document
  /** What of the desk it shows; null for a page that is none of the desk's. */
  readonly shows: 'list' | 'ticket' | null
}

/** Asks for a page. Throws where nothing answers, and when `signal` ends it. */
export async function fetchPage(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { ...init, headers: { accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const shows = page.querySelector<HTMLElement>('[data-desk]')?.dataset.desk
  return {
    url: response.url,
    ok: response.ok,
    redirected: response.redirected,
    isPage: response.redirected || init.method === undefined,
    page,
    shows: shows === 'list' || shows === 'ticket' ? shows : null,
  }
}

/** A mail that begins a conversation, or forwards a message, stands where tickets do. */
const TICKET = /\/console\/(?:tickets\/[^/]+(?:\/messages\/[^/]+\/forward)?|inbox\/new)$/
const LIST = /\/console\/inbox$/

/** What of the desk is at an address; null for what is elsewhere. */
export function placeAt({ origin, pathname }: URL): 'list' | 'ticket' | null {
  if (origin !== location.origin) return null
  return TICKET.test(pathname) ? 'ticket' : LIST.test(pathname) ? 'list' : null
}
