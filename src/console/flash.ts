import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import { cookieNamed } from './session/cookies.ts'

/** Seconds in which the next page has to be asked for. */
const LIFETIME = 60
/** In characters. */
const MAX_TEXT = 1000
/** Cookies hold 4 KiB, with their names and signatures. */
const MAX_COOKIE = 3600

/** What is said on the next page, and the form that takes it back. */
export interface Flash {
  readonly text: string
  readonly undo: Undo | null
  /** It is no good news. */
  readonly warns?: true
}

/** A form that takes back what was done: where it is sent, and its fields. */
export interface Undo {
  readonly action: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** How long it can be taken back; for good where it does not say. */
  readonly seconds?: number
}

/** What is said on the next page, once: carried there by the browser, and signed, so that nobody else can say it. */
export function flashes(config: Pick<Config, 'baseUrl'>) {
  const cookie = cookieNamed('frontdesk_flash', config)
  return {
    write(sessionToken: string, flash: Flash): string {
      const said = { ...flash, text: flash.text.slice(0, MAX_TEXT) }
      const whole = encode(said)
      // What does not fit can be taken back where it was done.
      const content = whole.length > MAX_COOKIE ? encode({ ...said, undo: null }) : whole
      return cookie.write(`${content}.${signature(sessionToken, content).toString('base64url')}`, LIFETIME)
    },
    /** What is to be said, or null when there is nothing. */
    read(request: Request, sessionToken: string): Flash | null {
      const [content = '', signed = ''] = cookie.read(request)?.split('.') ?? []
      const expected = signature(sessionToken, content)
      const given = Buffer.from(signed, 'base64url')
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
      return decode(content)
    },
    clear: () => cookie.clear(),
  }
}

const encode = (flash: Flash) => Buffer.from(JSON.stringify(flash)).toString('base64url')

/** Null for one that another version wrote: it says nothing then. */
function decode(content: string): Flash | null {
  try {
    const { text, undo, warns } = JSON.parse(Buffer.from(content, 'base64url').toString())
    return { text, undo, ...(warns && { warns }) }
  } catch {
    return null
  }
}

function signature(sessionToken: string, content: string): Buffer {
  return createHmac('sha256', sessionToken).update(`frontdesk console flash ${content}`).digest()
}
