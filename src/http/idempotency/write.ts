import type { Caller } from '../../caller.ts'
import { callerFor } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { AppError, invalid, refusal, rule } from '../../errors.ts'
import { bodyOf, statusOf } from '../answers/errors.ts'
import { clientOf, contextOf, type RequestContext } from '../context.ts'
import type { HttpDeps } from '../deps.ts'
import { findAnswer, type IdempotentRequest, type StoredAnswer, storeAnswer } from './stored-answers.ts'

/** What a change is answered with. */
export interface Answer<T> {
  readonly status: 200 | 201 | 202 | 204
  readonly body: T
  readonly location?: string
}

export const ok = <T>(body: T): Answer<T> => ({ status: 200, body })
export const created = <T>(location: string, body: T): Answer<T> => ({ status: 201, body, location })
export const accepted = <T>(body: T): Answer<T> => ({ status: 202, body })
export const noContent: Answer<undefined> = { status: 204, body: undefined }

/** On whose behalf a request changes something. */
function callerOf({ principal, request }: RequestContext, deps: HttpDeps): Caller {
  return callerFor(principal, deps.clock.now(), clientOf(request).address || null)
}

/** A change to run inside a transaction. */
type Work<T> = (tx: Tx, caller: Caller) => Promise<Answer<T>>

/** What an Idempotency-Key stands for besides its request. */
interface Sent {
  /** What was sent, where the body is not JSON. */
  readonly content?: object
  /** Who sent it, an id or an address: another's answer is never theirs, whatever key they use. */
  readonly sender?: string
}

/** Runs before the transaction. `token` names the request for good where it carries an Idempotency-Key. */
type Prepare<P> = (caller: Caller, token: string | undefined) => Promise<P>

const nothing: Prepare<undefined> = async () => undefined

/** How long an answer that another node is giving is waited for, and how often it is looked for, in milliseconds. */
const PATIENCE = 10_000
const POLL = 50

/**
 * How routes write: `write(request, (tx, caller) => …)` runs the change in one transaction and answers once it is on
 * disk. With an Idempotency-Key (decisions §1) the answer is stored in that same transaction, so a retry can never do
 * the change twice, not even after a crash in between. Answers of 5xx, and refusals that say the request itself is
 * malformed, are not kept: such a request may be sent again under its key.
 *
 * Work that reaches outside (sending mail) takes `prepare`: it runs before the transaction, once for all requests
 * that carry the same key at the same time, on whichever nodes, and its result is handed to the work. Who waits for
 * another node for longer than 10 seconds is told `conflict` (decisions §15).
 */
export function writer(deps: HttpDeps) {
  const { underWay } = deps

  async function write<T>(request: Request, work: Work<T>): Promise<T> {
    return writeAfter(request, nothing, work)
  }

  async function writeAfter<P, T>(
    httpRequest: Request,
    prepare: Prepare<P>,
    work: (tx: Tx, caller: Caller, prepared: P) => Promise<Answer<T>>,
  ): Promise<T> {
    const context = contextOf(httpRequest)
    return run(context, callerOf(context, deps), {}, prepare, work)
  }

  /**
   * A change that is too long for one transaction: `step` is run until it says that nothing is left, each time in one of its
   * own and as of then, and others are served in between. For methods that can be sent again.
   */
  async function writeInSteps(
    httpRequest: Request,
    step: (tx: Tx, caller: Caller) => Promise<boolean>,
  ): Promise<undefined> {
    const context = contextOf(httpRequest)
    while (await deps.database.transaction((tx) => step(tx, callerOf(context, deps)))) {}
    return send(context, noContent)
  }

  /** For routes without a key, whose caller follows from something else (a form's launch code, a visitor's token). */
  async function writeAs<T>(caller: Caller, httpRequest: Request, work: Work<T>, of: Sent = {}): Promise<T> {
    const context = contextOf(httpRequest)
    return run(context, caller, of, nothing, work)
  }

  async function run<P, T>(
    context: RequestContext,
    caller: Caller,
    sent: Sent,
    prepare: Prepare<P>,
    work: (tx: Tx, caller: Caller, prepared: P) => Promise<Answer<T>>,
  ): Promise<T> {
    const request = context.request.method === 'POST' ? idempotentRequest(context, caller, sent) : null
    if (!request) {
      const prepared = await prepare(caller, undefined)
      return send(context, await deps.database.transaction((tx) => work(tx, caller, prepared)))
    }
    const turn = `${caller.tenantId} ${request.key}`
    const before = underWay.get(turn) ?? Promise.resolve()
    const answer = () => runOnce(context, caller, request, prepare, work)
    const mine = before.catch(() => {}).then(() => (prepare === nothing ? answer() : amongNodes(turn, answer)))
    underWay.set(turn, mine)
    try {
      return await mine
    } finally {
      if (underWay.get(turn) === mine) underWay.delete(turn)
    }
  }

  /** What reaches outside is not undone where another node was quicker: it waits for that one. */
  async function amongNodes<T>(turn: string, answer: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + PATIENCE
    for (;;) {
      const answered = await deps.database.exclusively(`answer ${turn}`, answer)
      if (answered) return answered.done
      if (performance.now() > deadline) {
        throw refusal('conflict', rule('idempotency_key_busy'), {}, 'Idempotency-Key')
      }
      await Bun.sleep(POLL)
    }
  }

  async function runOnce<P, T>(
    context: RequestContext,
    caller: Caller,
    request: IdempotentRequest,
    prepare: Prepare<P>,
    work: (tx: Tx, caller: Caller, prepared: P) => Promise<Answer<T>>,
  ): Promise<T> {
    const earlier = await deps.database.transaction((tx) => findAnswer(tx, deps.secrets, request))
    if (earlier) return replay(earlier) as T
    try {
      const prepared = await prepare(caller, tokenOf(request))
      const { stored, done } = await deps.database.transaction(async (tx) => {
        // Another node may have answered meanwhile.
        const stored = await findAnswer(tx, deps.secrets, request)
        if (stored) return { stored, done: null }
        const done = await work(tx, caller, prepared)
        await storeAnswer(tx, deps.secrets, request, done)
        return { stored: null, done }
      })
      return stored ? (replay(stored) as T) : send(context, done)
    } catch (error) {
      if (error instanceof AppError && isKept(error)) {
        const answer = { status: statusOf(error), body: bodyOf(error, context.requestId) }
        await deps.database.transaction((tx) => storeAnswer(tx, deps.secrets, request, answer))
      }
      throw error
    }
  }

  return { write, writeAfter, writeInSteps, writeAs }
}

/** decisions §1: the longest Idempotency-Key, in characters. */
export const MAX_KEY = 255
/** decisions §6: the shortest where all who guess it share it, since its answer holds a resume token. */
export const MIN_SHARED_KEY = 16

function idempotentRequest(context: RequestContext, caller: Caller, sent: Sent): IdempotentRequest | null {
  const key = context.request.headers.get('idempotency-key')
  if (key === null) return null
  const fingerprint = new Bun.CryptoHasher('sha256')
    .update(`${context.request.method} ${context.path} ${JSON.stringify(sent.content ?? context.body ?? {})}`)
    .digest('base64url')
  // What strangers send must not meet the keys of the tenant's own programs, of each other, nor those sent to another path.
  const isPublic = caller.via === 'public'
  const least = isPublic && sent.sender === undefined ? MIN_SHARED_KEY : 1
  if (key.length < least || key.length > MAX_KEY) {
    throw invalid('Idempotency-Key', rule('length', { least, most: MAX_KEY }))
  }
  const sender = sent.sender === undefined ? '' : `#${sent.sender}`
  const own = isPublic ? `${context.path}${sender} ${key}` : key
  return { tenantId: caller.tenantId, key: own, fingerprint, at: caller.at, isSealed: isPublic }
}

/** The same for every retry of a request, and for no other request. */
function tokenOf({ tenantId, key, fingerprint }: IdempotentRequest): string {
  return new Bun.CryptoHasher('sha256').update(`${tenantId}\n${fingerprint}\n${key}`).digest('hex').slice(0, 40)
}

function isKept(error: AppError): boolean {
  return error.code === 'not_found' || error.code === 'conflict' || error.code.startsWith('unprocessable')
}

function replay({ status, location, body }: StoredAnswer): Response {
  const headers = new Headers({ 'idempotent-replayed': 'true' })
  if (location !== null) headers.set('location', location)
  if (body !== '') headers.set('content-type', 'application/json')
  return new Response(body === '' ? null : body, { status, headers })
}

function send<T>(context: RequestContext, { status, location, body }: Answer<T>): T {
  context.set.status = status
  if (location !== undefined) context.set.headers.location = location
  // Elysia lets a Response pass in place of the declared body.
  return body === undefined ? (new Response(null, { status }) as T) : body
}
