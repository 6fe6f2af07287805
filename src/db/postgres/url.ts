/* A server's URL, which may name several hosts: what the platform's own URL refuses. */

const PARTS =
  /^(?<scheme>[^/]*\/\/)(?:(?<user>[^/?#@:]*)(?::(?<password>[^/?#@]*))?@)?(?<hosts>[^/?#]*)(?<path>\/[^?#]*)?(?<after>.*)$/s

interface Parts {
  readonly scheme: string
  readonly user: string
  readonly password: string
  readonly hosts: string
  readonly path: string
  readonly after: string
}

function partsOf(url: string): Parts {
  const { scheme = '', user = '', password = '', hosts = '', path = '', after = '' } = PARTS.exec(url)?.groups ?? {}
  return { scheme, user, password, hosts, path, after }
}

function joined({ scheme, user, password, hosts, path, after }: Parts): string {
  const account = password === '' ? user : `${user}:${password}`
  return `${scheme}${account === '' ? '' : `${account}@`}${hosts}${path}${after}`
}

/** A URL without its password, and that, for whoever shows the URL to others. */
export function withoutPassword(url: string): { url: string; password: string } {
  const parts = partsOf(url)
  return { url: joined({ ...parts, password: '' }), password: decodeURIComponent(parts.password) }
}

/** The hosts that are named, of which one is the primary, each with its port if that is named. */
export function hostsOf(url: string): string[] {
  return partsOf(url).hosts.split(',')
}

export function hasSeveralHosts(url: string): boolean {
  return hostsOf(url).length > 1
}

export function withHosts(url: string, hosts: readonly string[]): string {
  return joined({ ...partsOf(url), hosts: hosts.join(',') })
}

/** The URL of another database of the same server. */
export function ofDatabase(url: string, name: string): string {
  return joined({ ...partsOf(url), path: `/${encodeURIComponent(name)}` })
}
