import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import { cookieNamed } from './cookies.ts'

/** Seconds in which the next page has to be asked for. */
const LIFETIME = 60
/** Cookies hold 4 KiB. */
const MAX_TEXT = 1000

/** What is said on the next page, once: carried there by the browser, and signed, so that nobody else can say it. */
export function flashes(config: Pick<Config, 'baseUrl'>) {
  const cookie = cookieNamed('frontdesk_flash', config)
  return {
    write(sessionToken: string, text: string): string {
      const content = Buffer.from(text.slice(0, MAX_TEXT)).toString('base64url')
      return cookie.write(`${content}.${signature(sessionToken, content).toString('base64url')}`, LIFETIME)
    },
    /** The text, or null when there is none. */
    read(request: Request, sessionToken: string): string | null {
      const [content = '', signed = ''] = cookie.read(request)?.split('.') ?? []
      const expected = signature(sessionToken, content)
      const given = Buffer.from(signed, 'base64url')
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
      return Buffer.from(content, 'base64url').toString()
    },
    clear: () => cookie.clear(),
  }
}

function signature(sessionToken: string, content: string): Buffer {
  return createHmac('sha256', sessionToken).update(`frontdesk console flash ${content}`).digest()
}
