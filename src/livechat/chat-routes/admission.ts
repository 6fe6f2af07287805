import { type Caller, callerFor, type VisitorPrincipal } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { clientOf } from '../../http/context.ts'
import { findVisitor } from '../../visitors/operations.ts'
import { checkOrigin, corsOf } from '../origins.ts'
import { type ChatSource, findChatSource } from '../source.ts'

/** What is known of a request before its body is judged. */
interface Admitted {
  readonly source: ChatSource
  /** Who sends it; null where no token is needed and none came that is known. */
  readonly visitor: VisitorPrincipal | null
}

/** Whose chat each request is for and who sends it. One for an app. */
export class Admission {
  readonly #admitted = new WeakMap<Request, Admitted>()

  constructor(private readonly deps: Deps) {}

  /**
   * Before the body is judged: throws `not_found` where there is no such source, `unauthorized` where a path of a
   * conversation or its files comes without a visitor's token, `insufficient_scope` for a site that the source does not name.
   * `headers` become the answer's, of a refusal too.
   */
  async admit(request: Request, sourceId: string, path: string, headers: object): Promise<void> {
    const { db } = this.deps.database
    const source = await findChatSource(db, sourceId)
    Object.assign(headers, corsOf(source, request))
    if (request.method === 'OPTIONS') {
      this.#admitted.set(request, { source, visitor: null })
      return
    }
    const token = tokenOf(request)
    const found = token ? await findVisitor(db, source.sourceId, token) : null
    const visitor = found?.tenantId === source.tenantId ? found : null
    this.#admitted.set(request, { source, visitor })
    if (/\/(conversations|attachments|uploads)(\/|$)/.test(path)) this.visitorOf(request)
    checkOrigin(source, request, this.deps.config.baseUrl)
  }

  /** Of a request that was admitted. */
  of(request: Request): Admitted {
    return this.#admitted.get(request) as Admitted
  }

  /** Throws `unauthorized` where no visitor sends it. */
  visitorOf(request: Request): VisitorPrincipal {
    const visitor = this.#admitted.get(request)?.visitor
    if (!visitor) throw new AppError('unauthorized', 'this takes the token of a visitor')
    return visitor
  }

  callerOf(visitor: VisitorPrincipal, request: Request): Caller {
    return callerFor(visitor, this.deps.clock.now(), clientOf(request).address || null)
  }
}

/** The token that a request carries, whoever's it is. */
export function tokenOf({ headers }: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}
