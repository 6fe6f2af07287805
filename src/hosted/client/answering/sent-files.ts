import { jsonOf, setValue } from '../tools/dom.ts'

/** A file that the service has, as the hidden field of its slot keeps it. */
export interface SentFile {
  uploadId: string
  name: string
  size: number
}

/** The files that the hidden field of a slot keeps. Pages kept one alone, without a list, while a slot took no more. */
export function sentIn(hidden: HTMLInputElement): SentFile[] {
  const kept = jsonOf<SentFile | SentFile[]>(hidden)
  return kept ? [kept].flat() : []
}

/** Keeps `files` in the hidden field of a slot. */
export function keepSent(hidden: HTMLInputElement, files: readonly SentFile[]): void {
  setValue(hidden, files.length > 0 ? JSON.stringify(files) : '')
}
