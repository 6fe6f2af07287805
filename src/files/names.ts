import type { FileKind } from '../kinds/files.ts'
import { isUuid } from '../lib/ids.ts'

/** Whose file it is. Every part is made by us: a name that a sender gave is never one. */
export interface FileName {
  readonly kind: FileKind
  readonly tenantId: string
  readonly id: string
}

/** Where a file lies, whatever holds it; the parts are joined with slashes, as in a backup. */
export function pathOf({ kind, tenantId, id }: FileName): string {
  if (!isUuid(tenantId) || !isUuid(id)) throw new Error('not the name of a file')
  return `${kind}/${tenantId}/${id.slice(-2)}/${id}`
}

const MAX_NAME = 255

/**
 * A name to show beside a file, and to suggest when it is saved: the last part of whatever path came in, without
 * control characters, marks that turn the reading direction, and what file systems refuse.
 */
export function displayName(given: string | undefined): string {
  const last = (given ?? '').normalize('NFC').split(/[/\\]/).pop() ?? ''
  const plain = last
    .replace(/[\p{C}\u2028\u2029]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .trim()
    .replace(/^\.+/, '')
  return shorten(plain) || 'file'
}

/** Keeps the extension of a long name. */
function shorten(name: string): string {
  if (name.length <= MAX_NAME) return name
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  return name.slice(0, MAX_NAME - extension.length).toWellFormed() + extension
}
