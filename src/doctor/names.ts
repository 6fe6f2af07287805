import { promises as dns } from 'node:dns'
import { resolveTexts } from '../lib/network/text-records.ts'
import type { Resolver } from '../ports/resolver.ts'
import { PATIENCE } from './asking.ts'

/** The domain name system, as this machine or a server sees it. */
export interface Names {
  /** IPv4 before IPv6; /etc/hosts counts where no server was named. Rejects where there is none. */
  addresses(host: string): Promise<string[]>
  /** Rejects with a `code` where there is no answer. */
  readonly resolve: Resolver
}

/** Asks the system's servers, or `server` (an address, with a port behind it if need be). */
export function namesBy(server: string | null): Names {
  const resolver = new dns.Resolver({ timeout: PATIENCE / 2, tries: 2 })
  if (server !== null) resolver.setServers([server])
  const resolve: Resolver = (name, type) =>
    type === 'TXT' ? resolveTexts(name, resolver.getServers()) : (resolver.resolve(name, type) as Promise<string[]>)
  return {
    resolve,
    async addresses(host) {
      if (server === null) return (await dns.lookup(host, { all: true })).map(({ address }) => address)
      const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      if (found.length === 0) throw (four as PromiseRejectedResult).reason
      return found
    },
  }
}

/** Answers that say that there is nothing of this name or kind, rather than that nobody could be asked. */
const NOTHING = ['ENOTFOUND', 'ENODATA', 'ENOENT']

/** The TXT records of a name that begin so, each in one piece. Rejects where nobody could be asked. */
export async function textsOf({ resolve }: Names, name: string, beginning: RegExp): Promise<string[]> {
  const texts: (string | string[])[] = await unlessNothing<string | string[]>(resolve(name, 'TXT'))
  return texts.map((pieces) => [pieces].flat().join('')).filter((text) => beginning.test(text))
}

/** The answer, or nothing where there is nothing. */
export async function unlessNothing<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer
  } catch (error) {
    if (NOTHING.includes(String((error as { code?: unknown }).code))) return []
    throw error
  }
}
