import { parseTime } from '../lib/time.ts'

const NAME = /^frontdesk-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z(?:-([0-9a-f]{8}))?\.tar$/
const SECOND = 1000

/** Ends the name of the file beside a backup that says its SHA-256, as sha256sum writes it. */
export const CHECKSUM_FILE = '.sha256'

/** What the name of a backup says. */
export interface Named {
  /** When it was begun, in milliseconds since 1970. */
  readonly at: number
  /** Of which installation it is: what `ownerOf` has of its mark; null where it had none. */
  readonly owner: string | null
}

/**
 * What a backup made by itself is called, by the second of UTC in which it was begun and by whose it is, since several
 * installations may share a place: `frontdesk-2026-11-24T03-00-00Z-1f0c9a3e.tar`.
 */
export function nameOf({ at, owner }: Named): string {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')
  return `frontdesk-${time}Z${owner === null ? '' : `-${owner}`}.tar`
}

/** What a name says, or null for what no backup is called. */
export function readName(name: string): Named | null {
  const [, day, hour, minute, second, owner = null] = NAME.exec(name) ?? []
  const time = day === undefined ? null : parseTime(`${day}T${hour}:${minute}:${second}Z`)
  return time === null ? null : { at: Date.parse(time), owner }
}

/** The part of an installation's mark that stands in the names of its backups. */
export function ownerOf(mark: string | null): string | null {
  return mark === null ? null : mark.slice(0, 8).toLowerCase()
}

/** The first name from then on that is not taken: of two within a second, or after the clock was set back. */
export function freeName({ at, owner }: Named, taken: ReadonlySet<string>): string {
  let free = at
  while (taken.has(nameOf({ at: free, owner }))) free += SECOND
  return nameOf({ at: free, owner })
}
