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

/** Whether several hosts are named, of which one is the primary. */
export function hasSeveralHosts(url: string): boolean {
  return partsOf(url).hosts.includes(',')
}

/** The URL of another database of the same server. */
export function ofDatabase(url: string, name: string): string {
  return joined({ ...partsOf(url), path: `/${encodeURIComponent(name)}` })
}
