import { invalid } from '../errors.ts'

const CHECK_LENGTH = 12

/**
 * A cursor is the last key with a check over it and its list. The check finds cursors that were altered or belong to
 * another list or tenant; it need not be secret, since a query is bound to its tenant whatever the cursor says.
 */
export function sealCursor(key: string, owner: string): string {
  return Buffer.from(`${checkOf(key, owner)}${key}`).toString('base64url')
}

/** The key inside a cursor. Throws `invalid_request` when it was altered or is another list's. */
export function openCursor(cursor: string, owner: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  const key = text.slice(CHECK_LENGTH)
  if (sealCursor(key, owner) !== cursor) throw invalid('cursor', 'is not a cursor of this list')
  return key
}

function checkOf(key: string, owner: string): string {
  return new Bun.CryptoHasher('sha256').update(`${owner}\n${key}`).digest('base64url').slice(0, CHECK_LENGTH)
}
