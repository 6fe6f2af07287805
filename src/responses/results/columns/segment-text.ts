import type { Path } from '../paths/path.ts'
import { bare, type Codes, type Column, type Paths, type Segment } from './segment.ts'

/** As the database keeps it. */
export function writeSegment(segment: Segment): string {
  const { ids, begun, took, stoppedAt, columns, variables, paths, changed, through } = segment
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
    variables: variables.map(({ name, values, codes }) => [name, values, base64Of(codes)]),
    paths: [paths.values, base64Of(paths.codes)],
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
  variables?: [name: string, values: number[], codes: string][]
  /** Left out by versions whose forms asked everybody the same. */
  paths?: [values: Path[], codes: string]
}

export function readSegment(text: string): Segment {
  const { ids, begun, took, stoppedAt, changed, through, paths, ...written } = JSON.parse(text) as Written
  const own = bare(Buffer.from(ids, 'base64'))
  const columns = written.columns.map(([questionId, part, values, codes]) => ({
    questionId,
    part,
    ...columnOf(
      values.map(([revision, value]) => ({ revision, value })),
      codes,
    ),
  }))
  return {
    ...own,
    begun: new Float64Array(bytesOf(begun)),
    took: new Float64Array(bytesOf(took)),
    stoppedAt: new Float64Array(bytesOf(stoppedAt)),
    changed,
    through,
    columns,
    variables: (written.variables ?? []).map(([name, values, codes]) => ({ name, ...columnOf(values, codes) })),
    paths: paths ? columnOf(...paths) : pathsIn(columns, own.count),
  }
}

function columnOf<T>(values: readonly T[], codes: string): { values: readonly T[]; codes: Codes } {
  return { values, codes: codesOf(bytesOf(codes), values.length) }
}

/** Of which revision responses are is known by their answers; those without any have no path. */
function pathsIn(columns: readonly Column[], count: number): Paths {
  const revisions: number[] = []
  const codes = new Uint32Array(count)
  for (const column of columns) {
    for (let place = 0; place < count; place++) {
      const revision = column.values[(column.codes[place] as number) - 1]?.revision
      if (revision === undefined || codes[place] !== 0) continue
      codes[place] = revisions.indexOf(revision) + 1 || revisions.push(revision)
    }
  }
  const values = revisions.map((revision) => ({ revision, language: null, skipped: [], skippedPages: [], end: null }))
  return { values, codes }
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
