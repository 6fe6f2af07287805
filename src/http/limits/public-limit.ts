import type { Client } from '../../lib/network/client-address.ts'
import type { Parts } from '../../parts.ts'
import { CORS } from '../answers/cors.ts'
import { clientOf, type RequestContext } from '../context.ts'
import { isStreamed, MAX_PUBLIC_BYTES } from '../requests/body.ts'
import { ByteLimiter } from './byte-limit.ts'
import { RateLimiter } from './rate-limit.ts'
import { roomForStrangers } from './room.ts'

/** decisions §6: reads a minute for an address; more where its writes were raised above their 60, in proportion. */
const READS = 300
const READS_PER_WRITE = 5
/** How many budgets of a /64 a /48 has: it holds 65,536 of them, and can be one customer's. */
const SITE_BUDGETS = 10

/** decisions §6: the JSON that an address may send to forms in an hour, in bytes. */
const JSON_AN_HOUR = 20 * 1024 * 1024

/**
 * Lets requests without a key in, or answers 429: on their path, method, sender and length alone, before anything of them
 * is read or looked up (decisions §6). Throws `NoRoom` for what would fill a disk that is too full (decisions §10).
 * For the gate.
 */
export function publicLimit({ config, clock }: Pick<Parts, 'config' | 'clock'>) {
  const writes = new AddressLimiter(config.publicRateLimit)
  const readLimit = Math.max(READS, READS_PER_WRITE * config.publicRateLimit)
  const reads = new AddressLimiter(readLimit)
  // Apart: who opens sockets over and over can still read.
  const sockets = new AddressLimiter(readLimit)
  const json = new ByteLimiter(JSON_AN_HOUR)
  const requireRoom = roomForStrangers({ config, clock })

  function admit(context: RequestContext): Response | undefined | Promise<undefined> {
    const { request, path } = context
    if (!isPublic(path)) return undefined
    const limiter = !isRead(request.method) ? writes : isSocket(path) ? sockets : reads
    const [client, now] = [clientOf(request), clock.monotonic()]
    const bytes = takesJson(request.method, path) ? assumedLength(request) : 0
    // Asked first, since what is refused does not count.
    const wait = (bytes > 0 ? json.wait(client, bytes, now) : 0) || limiter.take(client, now)
    if (wait > 0) {
      context.refused = 'address_limit'
      return new Response(null, { status: 429, headers: { ...CORS, 'retry-after': String(wait) } })
    }
    if (bytes > 0) json.add(client, bytes, now)
    return isKept(request.method, path) ? roomed(context) : undefined
  }

  /** Anybody's page may learn that there is no room; what else it may read is for the route to say. */
  async function roomed({ set }: RequestContext): Promise<undefined> {
    try {
      await requireRoom()
    } catch (error) {
      Object.assign(set.headers, CORS)
      throw error
    }
  }

  /** A body that said no length has come in: what was counted too much of it is given back. */
  function countBody(request: Request, path: string, length: number): void {
    if (!takesJson(request.method, path) || request.headers.has('content-length')) return
    json.add(clientOf(request), length - MAX_PUBLIC_BYTES, clock.monotonic())
  }

  /** Counts a write that came over a socket and returns 0, or refuses it and returns the seconds to wait. */
  const takeWrite = (client: Client) => writes.take(client, clock.monotonic())
  return { admit, countBody, takeWrite, requireRoom }
}

/**
 * What the body of a form's request counts before it is read: what it says, or the most that is read of it. A request
 * that says neither how long it is nor that it comes in pieces has none.
 */
function assumedLength({ headers }: Request): number {
  if (!headers.has('content-length') && !headers.has('transfer-encoding')) return 0
  return Math.min(Number(headers.get('content-length') ?? MAX_PUBLIC_BYTES), MAX_PUBLIC_BYTES)
}

function takesJson(method: string, path: string): boolean {
  return !isRead(method) && path.startsWith('/f/') && !isStreamed(path)
}

/** Whether something of it stays: of a question that is asked in the chat nothing does. */
function isKept(method: string, path: string): boolean {
  return !isRead(method) && /^\/(f|chat)\//.test(path) && !/\/ask\/?$/.test(path)
}

/**
 * The files that every page loads, and the guide's pages, are in memory, and mostly in the browser's cache: they are not
 * counted. A search of the guide is.
 */
function isPublic(path: string): boolean {
  return /^\/((f|chat|help)\/(?!assets\/)|oauth\/|docs\/guide\/search\/?$)/.test(path)
}

function isSocket(path: string): boolean {
  return path.endsWith('/socket') || path.endsWith('/socket/')
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** `limit` requests a minute for each address; IPv6 counts per /64, and with ten times the budget per /48. */
export class AddressLimiter {
  readonly #networks: RateLimiter
  readonly #sites: RateLimiter

  /** `window` in milliseconds, a minute unless it says so. */
  constructor(limit: number, window?: number) {
    this.#networks = new RateLimiter(limit, window)
    this.#sites = new RateLimiter(limit * SITE_BUDGETS, window)
  }

  /** Counts a request at `now` and returns 0, or refuses it and returns the seconds to wait: then it does not count. */
  take({ network, site }: Client, now: number): number {
    // The coarser one first: a site that is refused fills no memory with its networks.
    const wait = site === null ? 0 : this.#sites.wait(site, now)
    if (wait > 0) return wait
    const { retryAfter } = this.#networks.take(network, now)
    if (retryAfter === 0 && site !== null) this.#sites.take(site, now)
    return retryAfter
  }

  /** Seconds until a request would be let in; 0 when it would be now. Counts nothing. */
  wait({ network, site }: Client, now: number): number {
    return Math.max(site === null ? 0 : this.#sites.wait(site, now), this.#networks.wait(network, now))
  }

  /** Counts the last request of an address no more. */
  giveBack({ network, site }: Client): void {
    this.#networks.giveBack(network)
    if (site !== null) this.#sites.giveBack(site)
  }

  /** How many addresses and sites are held, for tests of the memory bound. */
  get size(): number {
    return this.#networks.size + this.#sites.size
  }
}
