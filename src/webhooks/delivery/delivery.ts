import type { Deps } from '../../deps.ts'
import { type PostRequest, type PostResult, post } from '../../lib/network/outbound-post.ts'
import { VERSION } from '../../version.ts'
import { type Claim, releaseUnheld, takeDue } from '../batches/batches.ts'
import { ListCache } from '../batches/list-cache.ts'
import { openSecret } from '../body/secret.ts'
import { deliveryHeaders } from '../body/signature.ts'
import { findTarget, longestWait, type Outcome } from './attempts.ts'
import { pullIn } from './clock.ts'
import { Heartbeat } from './heartbeat.ts'
import { Lanes } from './lanes.ts'
import { newNodeId } from './node-id.ts'
import { Outcomes } from './outcomes.ts'

/**
 * Sends what is due (decisions §9): oldest first and one at a time for each subscription, many subscriptions at once.
 * The table is the truth: a batch that is taken is claimed and has no due time, and nothing but an attempt that was
 * recorded, or the next start, gives its subscription one again. So a process that dies makes the attempt again, with
 * the same bytes.
 */
export class Deliveries {
  /** Ids of the batches that were claimed and whose outcome is not stored yet. */
  readonly #held = new Set<string>()
  /** Whether there may be claims of ours that we do not hold: it is not known what became of a transaction. */
  #inDoubt = false
  readonly #lanes = new Lanes((claim) => this.#deliver(claim))
  readonly #lists = new ListCache()
  readonly #outcomes: Outcomes
  readonly #breakOff = new AbortController()
  readonly heartbeat: Heartbeat
  #stopping = false

  constructor(private readonly deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'secrets' | 'meter'>) {
    this.#outcomes = new Outcomes(deps)
    this.heartbeat = new Heartbeat(deps, newNodeId())
  }

  /** To be called at the start, before anything is sent. The clock may differ from the one that the retries were planned by. */
  async begin(): Promise<void> {
    await this.heartbeat.begin()
    await this.#pullIn(null)
  }

  /** Moves due times back with the clock, by `by` milliseconds, so that no delivery waits longer than was planned. */
  clockWentBack(by: number): Promise<void> {
    return this.#pullIn(by)
  }

  async #pullIn(by: number | null): Promise<void> {
    const { windowMs, retryBaseMs } = this.deps.config.webhook
    const limits = { windowMs, retryMs: longestWait(retryBaseMs) }
    await this.deps.database.transaction((tx) => pullIn(tx, this.deps.clock.now(), by, limits))
  }

  /** Takes what is due, and sends it as soon as there is room. Returns whether there may be more. */
  async start(): Promise<boolean> {
    const { database, clock } = this.deps
    const { node } = this.heartbeat
    if (this.#inDoubt) await database.transaction((tx) => releaseUnheld(tx, clock.now(), node, [...this.#held]))
    this.#inDoubt = true
    const taken = await database.transaction((tx) => takeDue(tx, clock.now(), node))
    this.#inDoubt = false
    for (const { batchId } of taken) this.#held.add(batchId)
    if (!this.#stopping) this.#lanes.add(taken)
    return taken.length > 0
  }

  /** Resolves when nothing that was taken waits or is under way. */
  idle(): Promise<void> {
    return this.#lanes.idle()
  }

  /**
   * Makes no new attempts, and resolves when those under way have ended. What has not ended after `graceMs` is broken
   * off and not recorded: the next start makes the attempt again.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    this.#lanes.clear()
    this.#outcomes.stop()
    const timer = setTimeout(() => this.#breakOff.abort(), graceMs)
    await this.#lanes.idle()
    clearTimeout(timer)
    await this.heartbeat.leave().catch((error) => {
      this.deps.log.error('other nodes were not told that this one stops', { error })
    })
  }

  async #deliver(claim: Claim): Promise<boolean | null> {
    const at = this.deps.clock.now()
    const outcome = await this.#attempt(claim, at).catch((error) => {
      // A fault of ours. It counts as a failed attempt: else it would be made again at once, for ever.
      this.deps.log.error('a delivery could not be attempted', { batchId: claim.batchId, error })
      return { at, statusCode: null, error: 'internal' as const, durationMs: 0 }
    })
    if (this.#breakOff.signal.aborted) return null
    if (outcome) this.deps.meter?.attempted(outcome.error ?? 'delivered')
    await this.#outcomes.store(claim, outcome)
    this.#held.delete(claim.batchId)
    return outcome && outcome.error === null
  }

  /** null when there is nobody to send to any more. */
  async #attempt(claim: Claim, at: number): Promise<Outcome | null> {
    const { config, database, secrets } = this.deps
    const list = await this.#lists.read(database.db, claim.tenantId, claim.listNumber)
    const target = await findTarget(database.db, claim)
    if (!target) return null
    const body = Buffer.concat([Buffer.from(claim.head), list])
    const { timeoutMs, allowPrivate } = config.webhook
    const secret = openSecret(secrets, { ...claim, ...target })
    const result = await sendSigned(
      { url: target.url, secret, body, batchId: claim.batchId, attempt: claim.attempts + 1, at },
      { timeoutMs, allowPrivate, signal: this.#breakOff.signal },
    )
    return { ...result, at }
  }
}

/** One signed POST of a batch. For deliveries and for test deliveries. */
export function sendSigned(
  message: { url: string; secret: string | null; body: Uint8Array; batchId: string; attempt: number; at: number },
  limits: Pick<PostRequest, 'timeoutMs' | 'allowPrivate' | 'signal'>,
): Promise<PostResult> {
  const { url, secret, body, batchId, attempt, at } = message
  const headers = deliveryHeaders({ secret, batchId, attempt, body, nowSeconds: at / 1000, version: VERSION })
  return post({ url, headers, body, ...limits })
}
