import type { Client } from '../lib/network/client-address.ts'

/** decisions §13: open sockets of an address; IPv6 counts per /64, and per /48 with ten times as many (§6). */
const MOST = 100
const SITE_PLACES = 10

/** How many sockets each address has open. */
export class Places {
  readonly #taken = new Map<string, number>()

  /** Takes a place for a socket from there; false when all are taken. */
  take({ network, site }: Client): boolean {
    if (this.#of(network) >= MOST || (site !== null && this.#of(site) >= MOST * SITE_PLACES)) return false
    this.#add(network, 1)
    if (site !== null) this.#add(site, 1)
    return true
  }

  /** Gives one back. */
  free({ network, site }: Client): void {
    this.#add(network, -1)
    if (site !== null) this.#add(site, -1)
  }

  #of(name: string): number {
    return this.#taken.get(name) ?? 0
  }

  #add(name: string, count: number): void {
    const taken = this.#of(name) + count
    if (taken > 0) this.#taken.set(name, taken)
    else this.#taken.delete(name)
  }
}
