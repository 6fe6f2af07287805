import { promises as dns } from 'node:dns'
import { resolveTexts } from './text-records.ts'

/** Asks the name servers that this machine is configured with; rejects with a `code` where there is no answer. */
export function systemResolver(name: string, type: string): Promise<string[][] | string[]> {
  return type === 'TXT' ? resolveTexts(name, dns.getServers()) : (dns.resolve(name, type) as Promise<string[]>)
}
