import type { Config } from '../../config.ts'

/** A year, in seconds. Of other services below the same host name nothing is said: they are not ours. */
const STRICT_TRANSPORT = 'max-age=31536000'

/**
 * What every answer carries unless it names its own: it is not kept, its type is not guessed, nobody is told which address
 * led on, and browsers that came by https once come by nothing else (decisions §1, §10, §14).
 */
export function commonHeaders({ baseUrl }: Pick<Config, 'baseUrl'>): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(baseUrl.startsWith('https:') && { 'strict-transport-security': STRICT_TRANSPORT }),
  }
}
