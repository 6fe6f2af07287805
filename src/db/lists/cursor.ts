import { invalid, rule } from '../../errors.ts'

const CHECK_LENGTH = 12

/**
 * A cursor is the last key behind a check over it and its list. The check finds cursors that were altered or belong to
 * another list or tenant; it need not be secret, since a query is bound to its tenant whatever the cursor says. Keys
 * consist of what may stand in a query as it is: letters, digits and - . _ ~
 */
export function sealCursor(key: string, owner: string): string {
  return checkOf(key, owner) + key
}

/** The key inside a cursor. Throws `invalid_request` when it was altered or is another list's. */
export function openCursor(cursor: string, owner: string): string {
  const key = cursor.slice(CHECK_LENGTH)
  if (sealCursor(key, owner) !== cursor) throw invalid('cursor', rule('cursor'))
  return key
}

function checkOf(key: string, owner: string): string {
  return Bun.SHA256.hash(`${owner}\n${key}`, 'base64url').slice(0, CHECK_LENGTH)
}
