import { writeSize } from '../../lib/amounts.ts'
import type { View } from '../visit.ts'

/** Bytes as people read them. */
export function sizeOf({ wording }: View, bytes: number): string {
  return writeSize(bytes, wording.locale)
}
