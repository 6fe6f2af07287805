import type { Client } from '../../lib/network/client-address.ts'

const MINUTE = 60_000
/** The 60 minutes of an hour, and the current one, which is not over yet. */
const MINUTES = 61
/** How many budgets of a /64 a /48 has (decisions §6). */
const SITE_BUDGETS = 10

/**
 * Bytes of each address in any hour, counted by the minute; IPv6 counts per /64, and with ten times the budget per /48.
 * What is refused does not count. Times are monotonic milliseconds.
 */
export class ByteLimiter {
  readonly #networks: Windows
  readonly #sites: Windows

  constructor(limit: number) {
    this.#networks = new Windows(limit)
    this.#sites = new Windows(limit * SITE_BUDGETS)
  }

  /** Seconds until so many bytes more would be let in; 0 when they would be now. Counts nothing. */
  wait({ network, site }: Client, bytes: number, now: number): number {
    return Math.max(site === null ? 0 : this.#sites.wait(site, bytes, now), this.#networks.wait(network, bytes, now))
  }

  /** Counts bytes; fewer than none where there were fewer than was counted before. */
  add({ network, site }: Client, bytes: number, now: number): void {
    this.#networks.add(network, bytes, now)
    if (site !== null) this.#sites.add(site, bytes, now)
  }

  /** How many addresses and sites are held, for tests of the memory bound. */
  get size(): number {
    return this.#networks.size + this.#sites.size
  }
}

interface Counted {
  readonly minute: number
  bytes: number
}

class Windows {
  readonly #windows = new Map<string, Counted[]>()
  #nextSweep = 0

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.#windows.size
  }

  wait(key: string, bytes: number, now: number): number {
    const window = this.#current(key, now)
    let over = window.reduce((sum, counted) => sum + counted.bytes, 0) + bytes - this.limit
    if (over <= 0) return 0
    for (const counted of window) {
      over -= counted.bytes
      if (over <= 0) return Math.max(1, Math.ceil(((counted.minute + MINUTES) * MINUTE - now) / 1000))
    }
    return (MINUTES * MINUTE) / 1000
  }

  add(key: string, bytes: number, now: number): void {
    if (now >= this.#nextSweep) this.#sweep(now)
    const minute = Math.floor(now / MINUTE)
    const window = this.#current(key, now)
    const last = window.at(-1)
    if (last?.minute === minute) last.bytes += bytes
    else window.push({ minute, bytes })
    this.#windows.set(key, window)
  }

  #current(key: string, now: number): Counted[] {
    const window = this.#windows.get(key) ?? []
    const first = window.findIndex(({ minute }) => minute + MINUTES > Math.floor(now / MINUTE))
    window.splice(0, first < 0 ? window.length : first)
    return window
  }

  #sweep(now: number): void {
    for (const key of this.#windows.keys()) if (this.#current(key, now).length === 0) this.#windows.delete(key)
    this.#nextSweep = now + MINUTE
  }
}
