import type { Caller, UserPrincipal } from '../caller.ts'
import type { Reader, Tx } from '../db/index.ts'
import type { Deps } from '../deps.ts'
import type { Markup } from '../lib/html/markup.ts'
import type { Session } from '../users/sessions/sessions.ts'
import type { ScriptName } from './assets.ts'
import type { Flash, Undo } from './flash.ts'
import type { FormFields } from './form-fields.ts'
import type { ConsoleWording } from './words/index.ts'

/** What a part of a page is written with. */
export interface View {
  readonly wording: ConsoleWording
  /** A path of the service as a browser reaches it, with the path of the proxy before it. */
  href(path: string): string
  /** What forms carry; '' where nobody is signed in. */
  readonly csrf: string
}

/** A request for a page, by anybody. */
export interface OpenVisit extends View {
  readonly deps: Deps
  readonly db: Reader
  readonly request: Request
  /** As the service was reached: the path is the service's own. */
  readonly url: URL
  readonly query: URLSearchParams
  readonly params: Readonly<Record<string, string>>
  /** The client's, where it is known. */
  readonly address: string | null
  /** Milliseconds since 1970. */
  readonly at: number
}

/** A request for a page, by somebody who is signed in and whose role is allowed to see it. */
export interface Visit extends OpenVisit {
  readonly principal: UserPrincipal
  readonly session: Session
  /** On whose behalf operations do things. */
  readonly caller: Caller
  /** Changes something, on behalf of this person: the only way in which pages do. */
  change<T>(work: (tx: Tx, caller: Caller) => Promise<T>): Promise<T>
}

/** What is wrong with a form that was sent. */
export interface Problem {
  /** Name of the field it is about, as operations name its place (`questions[0].text`); null: the whole. */
  readonly field: string | null
  readonly text: string
}

/** A form that could not be taken: its page is shown again with what was typed, and says why. */
export interface Again {
  readonly problem: Problem
  readonly form: FormFields
}

/** What is different from page to page. */
export interface PageContent {
  /** Of the window; the body brings its own `h1`. */
  readonly title: string
  readonly body: Markup
  /** 200 unless it says so. */
  readonly status?: number
  /** `narrow` for text and forms, which nobody reads in long lines; else lists and tables have all the width. */
  readonly width?: 'narrow' | 'wide'
  /** What is wrong, said above it: of a page that no form led to. */
  readonly problem?: Problem
  /** Its parts scroll by themselves, each in its place of the window, instead of the page. */
  readonly isDesk?: true
  /** What stands in the navigation below the entry of this page. */
  readonly within?: Markup
  /** Scripts that this page needs besides the one of all pages: see `assets.ts`. */
  readonly scripts?: readonly ScriptName[]
  /** Directives of the content security policy that differ on this page: `{ 'img-src': "'self' https:" }`. */
  readonly policy?: Readonly<Record<string, string>>
  /** Further headers, `retry-after` say. */
  readonly headers?: Readonly<Record<string, string>>
  /** Cookies that it sets or takes away: the whole header. */
  readonly cookies?: readonly string[]
}

/** Where a form that was taken leads, and what is said there, once. */
export class Redirect {
  constructor(
    readonly path: string,
    readonly flash: Flash | null,
    readonly cookies: readonly string[] = [],
  ) {}
}

/** On to a page of another site, which leads back to one of ours: to consent, or to say who somebody is. */
export class Departure {
  constructor(
    readonly url: URL,
    readonly cookies: readonly string[] = [],
  ) {}
}

/** After a change: `path` is one of the console, `flash` says what was done, and `undo` takes it back. */
export function redirectTo(path: string, flash: string | null = null, undo: Undo | null = null): Redirect {
  return new Redirect(path, flash === null ? null : { text: flash, undo })
}
