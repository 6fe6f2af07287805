import { callerFor } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { clientOf, contextOf, findContext } from '../../http/context.ts'
import { AddressLimiter } from '../../http/limits/public-limit.ts'
import { findSession, isSeenLongAgo, noteSeen, type Session } from '../../users/sessions/sessions.ts'
import { flashes } from '../flash.ts'
import { consolePage } from '../layout.ts'
import { barOf, navigationOf, type PageRoles } from '../navigation.ts'
import * as problems from '../problem-pages.ts'
import { referringPage } from '../referring-page.ts'
import { refusalOf } from '../refusal.ts'
import { KnownBrowsers } from '../sign-in/known-browsers.ts'
import { themeCookie } from '../theme.ts'
import { Departure, type OpenVisit, type PageContent, type Problem, Redirect, type Visit } from '../visit.ts'
import { consoleWordingFor } from '../words/index.ts'
import { cookieNamed } from './cookies.ts'
import { csrfToken, isFromElsewhere } from './csrf.ts'

/** Reads a minute that somebody without a session has, as of hosted forms; writes are FRONTDESK_PUBLIC_RATE_LIMIT. */
const STRANGERS_READS = 300

/** Nothing inline runs, nothing comes from elsewhere, and no other site has the page in a frame (decisions §14). */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'frame-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}

/** Browsers say which site a form comes from, and which page led to the one they show, only where answers let them. */
const REFERRER = { 'referrer-policy': 'same-origin' }

const HEADERS = {
  ...REFERRER,
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'accept-encoding, accept-language, cookie',
}

/** Where people are led who have no second factor though their tenant requires one, and what else they may do. */
const SECOND_FACTOR = '/console/account/second-factor'
const isForSecondFactor = (path: string) =>
  [SECOND_FACTOR, '/console/account/passkeys', '/console/account/passkeys/new', '/console/sign-out'].includes(path)

/** What a page that nobody looks at asks for, which keeps no session going. */
const isUse = (path: string) => path !== '/console/alerts/events'

/** Half the time of what is the default, for a twentieth more bytes. */
const FAST = { level: 1, library: 'libdeflate' } as const

/** Finds the session that a request of the console belongs to, refuses what has none, and writes every answer. For the guard. */
export class RequestSessions {
  readonly #cookie
  readonly #flashes
  readonly #themes
  readonly #known: KnownBrowsers
  readonly #base: string
  readonly #reads: AddressLimiter
  readonly #writes: AddressLimiter
  /** The session token of each visit, which pages do not get. */
  readonly #tokens = new WeakMap<OpenVisit, string>()

  constructor(
    private readonly deps: Deps,
    private readonly pages: PageRoles,
  ) {
    const { config } = deps
    this.#cookie = cookieNamed('frontdesk_session', config)
    this.#flashes = flashes(config)
    this.#themes = themeCookie(config)
    this.#known = new KnownBrowsers(deps)
    this.#base = new URL(config.baseUrl).pathname.replace(/\/$/, '')
    this.#reads = new AddressLimiter(Math.max(STRANGERS_READS, 5 * config.publicRateLimit))
    this.#writes = new AddressLimiter(config.publicRateLimit)
  }

  /** Lets in who has a session, and sends others to the sign-in, from where they come back. */
  async enter(
    request: Request,
    params: Record<string, string> = {},
    handle: (visit: Visit, token: string) => Promise<Response>,
  ): Promise<Response> {
    const open = this.#visitOf(request, params)
    try {
      const { database, clock } = this.deps
      const token = this.#cookie.read(request)
      const session = token && (await findSession(database.db, token, open.at))
      if (!token || !session) return this.#refused(request) ?? this.#toSignIn(open)
      if (isChange(request) && isFromElsewhere(request, this.deps.config)) return this.foreignForm(open, session)
      if (session.needsSecondFactor && !isForSecondFactor(open.url.pathname)) return this.redirect(SECOND_FACTOR)
      if (isUse(open.url.pathname) && isSeenLongAgo(session, open.at))
        await database.transaction((tx) => noteSeen(tx, session, clock.now()))
      const visit = this.#signedIn(open, session, token)
      try {
        return await handle(visit, token)
      } catch (error) {
        return this.#explain(visit, error)
      }
    } catch (error) {
      return this.#explain(open, error)
    }
  }

  /** Lets anybody in, counted for their address before anything of the request is read. */
  async openly(
    request: Request,
    params: Record<string, string> = {},
    handle: (visit: OpenVisit) => Promise<Response>,
  ): Promise<Response> {
    const visit = this.#visitOf(request, params)
    try {
      const refused = this.#refused(request)
      if (refused) return refused
      if (isChange(request) && isFromElsewhere(request, this.deps.config)) return this.foreignForm(visit)
      return await handle(visit)
    } catch (error) {
      return this.#explain(visit, error)
    }
  }

  answer(visit: OpenVisit, given: PageContent | Redirect | Departure): Response {
    if (given instanceof Departure) return leadTo(given.url.href, given.cookies)
    return given instanceof Redirect
      ? this.redirect(given.path, given, this.#tokens.get(visit))
      : this.page(visit, given)
  }

  /** 303: what comes next is read, whatever was sent. */
  redirect(
    path: string,
    { flash, cookies }: Pick<Redirect, 'flash' | 'cookies'> = { flash: null, cookies: [] },
    token = '',
  ): Response {
    const said = flash === null ? [] : [this.#flashes.write(token, flash)]
    return leadTo(this.#base + path, [...cookies, ...said])
  }

  page(visit: OpenVisit, content: PageContent, problem: Problem | null = null): Response {
    const session = 'session' in visit ? (visit as Visit).session : null
    const flash = this.#flashes.read(visit.request, this.#tokens.get(visit) ?? '')
    const navigation =
      session && !session.needsSecondFactor ? navigationOf(this.pages, session.principal.role, visit.url.pathname) : []
    const text = consolePage(content, {
      view: visit,
      session,
      navigation,
      bar: barOf(navigation, visit.url),
      flash,
      theme: this.#themes.read(visit.request),
      problem: problem ?? content.problem ?? null,
    })
    const policy = Object.entries({ ...POLICY, ...content.policy }).map((directive) => directive.join(' '))
    const headers = new Headers({ ...HEADERS, 'content-security-policy': policy.join('; '), ...content.headers })
    for (const cookie of content.cookies ?? []) headers.append('set-cookie', cookie)
    if (flash !== null) headers.append('set-cookie', this.#flashes.clear())
    const status = content.status ?? 200
    if (!/\bgzip\b/.test(visit.request.headers.get('accept-encoding') ?? ''))
      return new Response(text, { status, headers })
    headers.set('content-encoding', 'gzip')
    return new Response(Bun.gzipSync(text, FAST), { status, headers })
  }

  notFound = (visit: OpenVisit) => this.page(visit, problems.notFound(visit))
  forbidden = (visit: Visit) => this.page(visit, problems.forbidden(visit))

  foreignForm(visit: OpenVisit, session: Session | null = null): Response {
    const token = this.#cookie.read(visit.request)
    const known = session && token ? this.#signedIn(visit, session, token) : visit
    return this.page(known, problems.foreignForm(known))
  }

  /** What a script is told. */
  jsonError(request: Request, error: unknown): Response {
    return this.deps.gate.answerError(error, findContext(request))
  }

  /** What went wrong, as a page. The gate's own answer says which status that is, and keeps the log. */
  #explain(visit: OpenVisit, error: unknown): Response {
    if (error instanceof AppError && error.code === 'not_found') return this.notFound(visit)
    const refusal = refusalOf(visit, error)
    if (refusal) return this.page(visit, { ...problems.refused(visit, refusal.problem), status: refusal.status })
    const { status, headers } = this.deps.gate.answerError(error, findContext(visit.request))
    const retryAfter = headers.get('retry-after')
    const content = retryAfter === null ? {} : { headers: { 'retry-after': retryAfter } }
    if (status === 429) return this.page(visit, { ...problems.tooMany(visit, Number(retryAfter)), ...content })
    if (status === 503) return this.page(visit, { ...problems.unavailable(visit), ...content })
    return this.page(visit, { ...problems.failed(visit, contextOf(visit.request).requestId), status })
  }

  #visitOf(request: Request, params: Record<string, string>): OpenVisit {
    const { deps } = this
    const url = new URL(request.url)
    return {
      deps,
      db: deps.database.db,
      request,
      url,
      query: url.searchParams,
      params,
      address: clientOf(request).address || null,
      at: deps.clock.now(),
      wording: consoleWordingFor(request),
      href: (path) => this.#base + path,
      csrf: '',
    }
  }

  #signedIn(visit: OpenVisit, session: Session, token: string): Visit {
    const { principal, language, tenantLanguage } = session
    const caller = callerFor(principal, visit.at, visit.address)
    const own: Visit = {
      ...visit,
      wording: consoleWordingFor(visit.request, language, tenantLanguage),
      csrf: csrfToken(token),
      principal,
      session,
      caller,
      change: (work) => this.deps.database.transaction((tx) => work(tx, caller)),
    }
    this.#tokens.set(own, token)
    return own
  }

  /** Requests without a session are counted, so that none can be guessed at leisure. */
  #refused(request: Request): Response | null {
    const limiter = isChange(request) ? this.#writes : this.#reads
    const wait = limiter.take(clientOf(request), this.deps.clock.monotonic())
    return wait === 0 ? null : new Response(null, { status: 429, headers: { 'retry-after': String(wait) } })
  }

  /** What was sent is lost then: whoever comes back finds the page it was sent from. */
  #toSignIn({ request, url, wording }: OpenVisit): Response {
    const from = isChange(request) ? referringPage(request, this.#base) : url.pathname + url.search
    const next = from === null || from === '/console' ? '' : `?next=${encodeURIComponent(from)}`
    // What was typed is back on its page after the sign-in, and must not be taken for saved; who never was in saved nothing.
    const wasIn = from !== null && this.#known.ofAny(request) !== null
    const isUnsaved = wasIn && isChange(request) && url.pathname !== '/console/sign-out'
    const flash = isUnsaved ? { text: wording.say('signedOutMeanwhile'), undo: null, warns: true as const } : null
    return this.redirect(`/console/sign-in${next}`, { flash, cookies: [] })
  }
}

function leadTo(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ ...REFERRER, location, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

function isChange({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD'
}
