import type { Config } from '../../config.ts'

/** A cookie that scripts cannot read, and that requests of other sites do not bring along (decisions §14). */
export interface Cookie {
  read(request: Request): string | null
  /** A header `set-cookie`; without `maxAge`, in seconds, it goes when the browser is closed. */
  write(value: string, maxAge?: number): string
  /** The header that takes it away. */
  clear(): string
}

/**
 * Cookies of the console, by name. Behind https they are never sent without it, and `__Host-`: no other host of the
 * domain can set them. Such a cookie belongs to all paths of the host, so its name tells services on one host apart.
 */
export function cookieNamed(name: string, { baseUrl }: Pick<Config, 'baseUrl'>): Cookie {
  const { protocol, pathname } = new URL(baseUrl)
  const isSecure = protocol === 'https:'
  const service = pathname.replaceAll(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '')
  const whole = isSecure ? `__Host-${name}${service}` : name
  const attributes = isSecure ? 'Path=/; HttpOnly; SameSite=Lax; Secure' : `Path=${pathname}; HttpOnly; SameSite=Lax`
  return {
    read: (request) => cookieIn(request.headers.get('cookie') ?? '', whole),
    write: (value, maxAge) => `${whole}=${value}; ${attributes}${maxAge === undefined ? '' : `; Max-Age=${maxAge}`}`,
    clear: () => `${whole}=; ${attributes}; Max-Age=0`,
  }
}

function cookieIn(header: string, name: string): string | null {
  for (const part of header.split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name && value) return value
  }
  return null
}
