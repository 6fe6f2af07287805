import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { Delimiter, Encoding } from '../../kinds/contact-imports.ts'
import { textOf } from '../../lib/text/file-text.ts'
import { recordsOf } from './records.ts'
import { isBlankRecord } from './rows.ts'

/** How much of a file is looked at to tell what it holds, in bytes, and how many of its records. */
const LOOKED_AT = 128 * 1024
const RECORDS = 50

/** A stored file. Throws `not_found` where it is gone, and `unavailable`. */
export async function openImport(
  files: Deps['files'],
  { tenantId, id }: { tenantId: string; id: string },
): Promise<AsyncIterable<Uint8Array>> {
  const content = await files.read({ kind: 'contact_imports', tenantId, id })
  if (content === null) throw notFound('import')
  return (content instanceof Blob ? content.stream() : content) as unknown as AsyncIterable<Uint8Array>
}

/** The cells of a file's first records that hold anything, its headings among them. Of broken lines none. */
export async function firstRecords(
  content: AsyncIterable<Uint8Array>,
  { encoding, delimiter }: { encoding: Encoding; delimiter: Delimiter },
): Promise<(readonly string[])[]> {
  const found: (readonly string[])[] = []
  let seen = 0
  for await (const records of recordsOf(textOf(beginning(content), encoding), delimiter)) {
    const whole = records.filter((record) => record.problem === null && !isBlankRecord(record))
    found.push(...whole.map(({ cells }) => cells))
    seen += records.length
    if (seen >= RECORDS) break
  }
  return found.slice(0, RECORDS)
}

async function* beginning(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = LOOKED_AT
  for await (const chunk of content) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}
