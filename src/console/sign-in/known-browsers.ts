import { timingSafeEqual } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { cookieNamed } from '../session/cookies.ts'

/** As long as browsers keep a cookie, in seconds: 400 days, from the last sign-in on. */
const LIFETIME = 400 * 24 * 60 * 60
/** Accounts of one browser that are kept. */
const MOST = 8
const CONTEXT = 'known browser'
const TAG_LENGTH = 16

/**
 * Browsers that have signed in to an account before, by a cookie that nobody else can make (decisions.md §14). It says
 * neither whose account that is nor lets anybody in: it is what attempts are counted by.
 */
export class KnownBrowsers {
  readonly #cookie

  constructor(private readonly deps: Pick<Deps, 'config' | 'secrets'>) {
    this.#cookie = cookieNamed('frontdesk_known', deps.config)
  }

  /** What a browser is counted by that has signed in to this account before, else null. */
  of(request: Request, email: string): string | null {
    const known = this.#read(request)
    return known?.tags.some((tag) => isSame(tag, this.#tag(known.id, email))) ? known.id : null
  }

  /** What a browser is counted by that has signed in to any account before, else null. */
  ofAny(request: Request): string | null {
    return this.#read(request)?.id ?? null
  }

  /** The header `set-cookie` of a browser that has signed in to this account just now, or shown that it is theirs. */
  remember(request: Request, email: string): string {
    const { id, tags } = this.#read(request) ?? { id: newId(), tags: [] }
    const own = this.#tag(id, email)
    const others = tags.filter((tag) => !isSame(tag, own)).slice(0, MOST - 1)
    return this.#cookie.write([id, this.#tag(id, ''), own, ...others].join('.'), LIFETIME)
  }

  /** null for a browser that brings none, or one that is not of our making. */
  #read(request: Request): { id: string; tags: string[] } | null {
    const [id = '', seal = '', ...tags] = (this.#cookie.read(request) ?? '').slice(0, 1024).split('.')
    return isSame(seal, this.#tag(id, '')) ? { id, tags: tags.slice(0, MOST) } : null
  }

  #tag(id: string, email: string): string {
    const mac = this.deps.secrets.mac(`${id} ${email}`, CONTEXT).subarray(0, TAG_LENGTH)
    return Buffer.from(mac).toString('base64url')
  }
}

function newId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(TAG_LENGTH))).toString('base64url')
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
