import { bare, type Codes, type Segment } from './segment.ts'

/** As the database keeps it. */
export function writeSegment({ ids, begun, took, stoppedAt, columns, changed, through }: Segment): string {
  return JSON.stringify({
    ids: ids.toString('base64'),
    begun: base64Of(begun),
    took: base64Of(took),
    stoppedAt: base64Of(stoppedAt),
    changed,
    through,
    columns: columns.map(({ questionId, part, values, codes }) => [
      questionId,
      part,
      values.map(({ revision, value }) => [revision, value]),
      base64Of(codes),
    ]),
  })
}

interface Written {
  ids: string
  begun: string
  took: string
  stoppedAt: string
  changed: number[]
  through: number
  columns: [questionId: number, part: number | null, values: [revision: number, value: unknown][], codes: string][]
}

export function readSegment(text: string): Segment {
  const { ids, begun, took, stoppedAt, changed, through, columns } = JSON.parse(text) as Written
  return {
    ...bare(Buffer.from(ids, 'base64')),
    begun: new Float64Array(bytesOf(begun)),
    took: new Float64Array(bytesOf(took)),
    stoppedAt: new Float64Array(bytesOf(stoppedAt)),
    changed,
    through,
    columns: columns.map(([questionId, part, given, codes]) => ({
      questionId,
      part,
      values: given.map(([revision, value]) => ({ revision, value })),
      codes: codesOf(bytesOf(codes), given.length),
    })),
  }
}

function codesOf(bytes: ArrayBuffer, most: number): Codes {
  return most < 256 ? new Uint8Array(bytes) : most < 65_536 ? new Uint16Array(bytes) : new Uint32Array(bytes)
}

function base64Of({ buffer, byteOffset, byteLength }: Codes | Float64Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

/** In a buffer of their own, where numbers of any width can be read. */
function bytesOf(text: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(text, 'base64')).buffer
}
