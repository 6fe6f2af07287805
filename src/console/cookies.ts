import type { Config } from '../config.ts'

/** A cookie that scripts cannot read, and that requests of other sites do not bring along (decisions §14). */
export interface Cookie {
  read(request: Request): string | null
  /** A header `set-cookie`; without `maxAge`, in seconds, it goes when the browser is closed. */
  write(value: string, maxAge?: number): string
  /** The header that takes it away. */
  clear(): string
}

/** Cookies of the console, by name. Behind https they are never sent without it. */
export function cookieNamed(name: string, { baseUrl }: Pick<Config, 'baseUrl'>): Cookie {
  const { protocol, pathname } = new URL(baseUrl)
  const attributes = `Path=${pathname}; HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`
  return {
    read: (request) => cookieIn(request.headers.get('cookie') ?? '', name),
    write: (value, maxAge) => `${name}=${value}; ${attributes}${maxAge === undefined ? '' : `; Max-Age=${maxAge}`}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  }
}

function cookieIn(header: string, name: string): string | null {
  for (const part of header.split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name && value) return value
  }
  return null
}
