import type { Deps } from '../deps.ts'
import { AppError, invalid, rule } from '../errors.ts'
import type { FormFields } from './form-fields.ts'
import { MAX_FORM, MAX_STRANGERS_FORM, readBytes, readForm } from './form-fields.ts'
import { firstPage, type PageRoles, type Role } from './navigation.ts'
import { refusalOf } from './refusal.ts'
import { CSRF_FIELD, isCsrfToken } from './session/csrf.ts'
import { RequestSessions } from './session/request-session.ts'
import type { Again, Departure, OpenVisit, PageContent, Redirect, Visit } from './visit.ts'

type MaybePromise<T> = T | Promise<T>
/** Registers a route. `role` is whom it is for; `anyone` needs no session. */
type AddRoute = (
  method: 'GET' | 'POST' | 'ALL',
  path: string,
  role: Role | 'anyone',
  handle: (request: Request, params: Record<string, string>) => Promise<Response>,
) => void

/** Whom a page is for; everybody who is signed in unless it says `admin`. */
interface PageOptions {
  readonly role?: Role
}

interface ReadOptions extends PageOptions {
  /** Whether it is a list or a report, of many rows: its `db` then is the one for such (`Database.lists`). */
  readonly isList?: boolean
}

interface ActionOptions<V> extends PageOptions {
  /** The page that a form is on, shown again with what was typed when it cannot be taken. Without it, a page that says why. */
  readonly again?: (visit: V, again: Again) => MaybePromise<PageContent>
  /** The largest form, in bytes: 1 MiB unless it says so. Files come within it, and are held in memory. */
  readonly limit?: number
}

/**
 * How the parts of the console add their pages: `add.page('/console/keys', { role: 'admin' }, …)`. Nobody gets to one
 * without a session (303 to the sign-in), with another role than it names (403), or changes anything by a form that was
 * not written for that session (403). What operations refuse becomes a page in the reader's language.
 */
export class Guard {
  readonly #requests: RequestSessions
  readonly #pages = new Map<string, Role>()

  constructor(
    readonly deps: Deps,
    private readonly addRoute: AddRoute,
  ) {
    this.#requests = new RequestSessions(deps, this.#pages)
  }

  /** A page to look at. It shows, and changes nothing. */
  page(
    path: string,
    { role = 'agent', isList = false }: ReadOptions,
    show: (visit: Visit) => MaybePromise<PageContent>,
  ): void {
    this.#pages.set(path, role)
    this.#add('GET', path, role, async (visit) => this.#requests.page(visit, await show(reading(visit, isList))))
  }

  /**
   * What a form is sent to, with POST: changes something, then leads to a page (`redirectTo`). What may be shown but once,
   * a new key, it answers as a page itself.
   */
  action(
    path: string,
    { role = 'agent', again, limit = MAX_FORM }: ActionOptions<Visit>,
    change: (visit: Visit, form: FormFields) => MaybePromise<PageContent | Redirect | Departure>,
  ): void {
    this.#add('POST', path, role, async (visit, token) => {
      const form = await readForm(visit.request, limit)
      if (!isCsrfToken(token, form.exact(CSRF_FIELD))) return this.#requests.foreignForm(visit)
      return this.#perform(visit, form, again, () => change(visit, form))
    })
  }

  /** What is no page: a file to download, a stream of news, a part that a script puts in. */
  resource(
    path: string,
    { role = 'agent', isList = false }: ReadOptions,
    give: (visit: Visit) => MaybePromise<Response>,
  ): void {
    this.#add('GET', path, role, async (visit) => {
      const answer = await give(reading(visit, isList))
      const isEndless = answer.headers.get('content-type')?.startsWith('text/event-stream')
      if (visit.request.method !== 'HEAD' || !isEndless) return answer
      // Elysia would read it to its end, to say how long it is.
      await answer.body?.cancel()
      return new Response(null, answer)
    })
  }

  /**
   * A page that another site leads back to, with a code in the address; taking it changes something. No CSRF token comes
   * along, so the handler itself must take only what this session has asked for, and only once.
   */
  landing(
    path: string,
    { role = 'agent' }: PageOptions,
    take: (visit: Visit) => MaybePromise<PageContent | Redirect>,
  ): void {
    this.#add('GET', path, role, async (visit) => this.#requests.answer(visit, await take(visit)))
  }

  /**
   * What a script sends, as JSON of at most 1 MiB, or `limit` bytes, with the token of the page's `meta` in `X-CSRF-Token`; answered with JSON,
   * errors as the API's. For what a form cannot do.
   */
  call(
    path: string,
    { role = 'agent', limit = MAX_FORM }: PageOptions & Pick<ActionOptions<Visit>, 'limit'>,
    answer: (visit: Visit, body: unknown) => MaybePromise<object>,
  ): void {
    this.#call(path, role, async (visit) => answer(visit, parse(await readBytes(visit.request, limit))))
  }

  /** As `call`, for a script that sends files: a form of at most `limit` bytes, which is read when `answer` asks for it. */
  upload(
    path: string,
    { role = 'agent', limit = MAX_FORM }: PageOptions & Pick<ActionOptions<Visit>, 'limit'>,
    answer: (visit: Visit, form: () => Promise<FormFields>) => MaybePromise<object>,
  ): void {
    this.#call(path, role, async (visit) => answer(visit, () => readForm(visit.request, limit)))
  }

  #call(path: string, role: Role, answer: (visit: Visit) => Promise<object>): void {
    this.#add('POST', path, role, async (visit, token) => {
      const { request } = visit
      try {
        if (!isCsrfToken(token, request.headers.get('x-csrf-token') ?? '')) {
          throw new AppError('insufficient_scope', 'the page was written for another session: load it again')
        }
        return Response.json(await answer(visit), { headers: { 'cache-control': 'no-store' } })
      } catch (error) {
        return this.#requests.jsonError(request, error)
      }
    })
  }

  /** A page that needs no session. */
  openPage(path: string, show: (visit: OpenVisit) => MaybePromise<PageContent | Redirect | Departure>): void {
    this.addRoute('GET', path, 'anyone', (request, params) =>
      this.#requests.openly(request, params, async (visit) => this.#requests.answer(visit, await show(visit))),
    )
  }

  /** What a form is sent to that needs no session: counted for its address before it is read, and at most 16 KiB. */
  openAction(
    path: string,
    { again }: Pick<ActionOptions<OpenVisit>, 'again'>,
    change: (visit: OpenVisit, form: FormFields) => MaybePromise<PageContent | Redirect | Departure>,
  ): void {
    this.addRoute('POST', path, 'anyone', (request, params) =>
      this.#requests.openly(request, params, async (visit) => {
        const form = await readForm(request, MAX_STRANGERS_FORM, true)
        return this.#perform(visit, form, again, () => change(visit, form))
      }),
    )
  }

  /** Whom each page is for. Asked once all are added. */
  get roles(): PageRoles {
    return this.#pages
  }

  /** Whether there is such a page, whichever part adds it: what has none is not linked. Asked once all are added. */
  has(path: string): boolean {
    return this.#pages.has(path)
  }

  /** `/console` itself, and every path of it that is no page. Called once, at the end. */
  addStart(): void {
    this.#add('GET', '/console', 'agent', async (visit) =>
      this.#requests.redirect(firstPage(this.#pages, visit.principal.role)),
    )
    this.#add('ALL', '/console/*', 'agent', async (visit) => this.#requests.notFound(visit))
  }

  #add(
    method: 'GET' | 'POST' | 'ALL',
    path: string,
    role: Role,
    handle: (visit: Visit, sessionToken: string) => Promise<Response>,
  ): void {
    this.addRoute(method, path, role, (request, params) =>
      this.#requests.enter(request, params, async (visit, token) => {
        if (role === 'admin' && visit.principal.role !== 'admin') return this.#requests.forbidden(visit)
        return handle(visit, token)
      }),
    )
  }

  /** Does what a form asks for. Where that is refused, its page comes again. */
  async #perform<V extends OpenVisit>(
    visit: V,
    form: FormFields,
    again: ActionOptions<V>['again'],
    change: () => MaybePromise<PageContent | Redirect | Departure>,
  ): Promise<Response> {
    try {
      return this.#requests.answer(visit, await change())
    } catch (error) {
      const refusal = refusalOf(visit, error)
      if (!again || !refusal) throw error
      const { problem, status, headers } = refusal
      return this.#requests.page(visit, { ...(await again(visit, { problem, form })), status, headers }, problem)
    }
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid('body', rule('body_json'))
  }
}

function reading(visit: Visit, isList: boolean): Visit {
  return isList ? { ...visit, db: visit.deps.database.lists } : visit
}
