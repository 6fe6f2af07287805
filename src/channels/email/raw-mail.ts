import type { receivedMails } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'

type Row = typeof receivedMails.$inferSelect

/** What a received mail's row says of its bytes. */
export type RawColumns = Pick<Row, 'size' | 'sha256' | 'keptIn' | 'content'>

/**
 * Bytes of a mail that lies in its row: one that small costs no file of its own to be written and synced, but shares the
 * commit of its ticket, with others that come at the same time.
 */
const MAX_IN_ROW = 64 * 1024

const fileOf = ({ tenantId, id }: Pick<Row, 'tenantId' | 'id'>) => ({ kind: 'received_mails', tenantId, id }) as const

/** Stores a mail's bytes, or says how its row holds them. Before the transaction that adds the row. Throws `unavailable`. */
export async function keepRaw(files: Files, of: Pick<Row, 'tenantId' | 'id'>, raw: Uint8Array): Promise<RawColumns> {
  const size = raw.length
  if (size > MAX_IN_ROW) {
    const { sha256 } = await files.store(fileOf(of), one(raw), size)
    return { size, sha256, keptIn: 'file', content: null }
  }
  const content = Buffer.from(raw.buffer, raw.byteOffset, size).toString('latin1')
  return { size, sha256: new Bun.CryptoHasher('sha256').update(raw).digest('hex'), keptIn: 'row', content }
}

async function* one(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

type Kept = Pick<Row, 'tenantId' | 'id' | 'keptIn' | 'content'>

/** The bytes as they came, for who hands them on as they are read, or null once they are gone. Throws `unavailable`. */
export async function openRaw(files: Files, row: Kept): Promise<Blob | ReadableStream<Uint8Array> | null> {
  if (row.keptIn === 'row') return new Blob([Buffer.from(row.content ?? '', 'latin1')])
  return row.keptIn === 'file' ? files.read(fileOf(row)) : null
}

/** The bytes as they came, whole, or null once they are gone. Throws `unavailable`. */
export async function readRaw(files: Files, row: Kept): Promise<Uint8Array<ArrayBuffer> | null> {
  const content = await openRaw(files, row)
  return content === null ? null : new Uint8Array(await new Response(content).arrayBuffer())
}

/** Removes the file of bytes that no row has any more; one that stays behind is swept (installation/orphans.ts). */
export async function dropRaw(files: Files, row: Pick<Row, 'tenantId' | 'id' | 'keptIn'>): Promise<void> {
  if (row.keptIn !== 'file') return
  await files.remove(fileOf(row)).catch((error) => {
    if (!(error instanceof AppError)) throw error
  })
}
