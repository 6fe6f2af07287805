/*
 * What a site keeps of its visitor for a frame whom the browser gives no storage (decisions §20). The frame writes and
 * reads it; the site tells by it whose it is, and leaves the rest alone.
 */

export interface Kept {
  readonly token: string
  readonly identity: string | null
  readonly keepsEmail: boolean
  readonly seen: Record<string, string>
}

export function writeKept(kept: Kept): string {
  return JSON.stringify(kept)
}

/** null for what no frame wrote: the site's page may hold anything. */
export function readKept(text: string | null): Kept | null {
  try {
    const { token, identity, keepsEmail, seen } = JSON.parse(String(text)) as Kept
    if (typeof token !== 'string' || !/^[\w-]+$/.test(token)) return null
    return { token, identity, keepsEmail, seen: { ...seen } }
  } catch {
    return null
  }
}

/** Whether it is of somebody whom the site signed in: text within it has its quotes escaped. */
export function isSignedIn(text: string | null): boolean {
  return /"identity":"/.test(text ?? '')
}
