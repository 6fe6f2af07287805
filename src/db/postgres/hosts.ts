import { hostsOf, withHosts } from './url.ts'

/** Hosts that left a connection without an answer, with when that was. Such a one may stand still for as long as it likes. */
const silent = new Map<string, number>()

/**
 * Notes the host of a connection that had no answer in time, if this is an error of that kind; returns whether. The driver
 * goes on to the next host where one refuses, and not where one says nothing.
 */
export function noteSilence(error: unknown): boolean {
  const { code, address, port } = (error ?? {}) as { code?: unknown; address?: unknown; port?: unknown }
  if (code !== 'CONNECT_TIMEOUT') return false
  silent.set(`${address}:${port}`, performance.now())
  return true
}

/** Whether one was noted after this moment (`performance.now()`). */
export function wasSilentSince(moment: number): boolean {
  return [...silent.values()].some((at) => at > moment)
}

/** A URL with the hosts last that said nothing, of which the latest comes at the end. */
export function silentLast(url: string): string {
  const since = (host: string) => silent.get(addressOf(host)) ?? 0
  return withHosts(
    url,
    hostsOf(url).toSorted((a, b) => since(a) - since(b)),
  )
}

/** As the driver names it in an error. */
function addressOf(host: string): string {
  const [, name = host, port = '5432'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(host) ?? []
  return `${name}:${port}`
}
