import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import type { Files } from '../../files/files.ts'
import type { Upload } from '../../forms/question-types/index.ts'
import { newId } from '../../lib/ids.ts'
import type { GivenAnswer } from '../../responses/answers.ts'
import { type NewAttachment, storeAttachment } from '../../tickets/attachments/operations.ts'
import { MAX_FILE_SIZE } from '../../uploads/limits.ts'
import { addUpload, uploadUrl } from '../../uploads/operations.ts'
import type { Answering } from '../answers.ts'
import bookings from '../files/bookings.csv' with { type: 'file' }
import house from '../files/house.jpg' with { type: 'file' }
import invoice from '../files/invoice.pdf' with { type: 'file' }
import plan from '../files/plan.png' with { type: 'file' }
import signature1 from '../files/signature-1.png' with { type: 'file' }
import signature2 from '../files/signature-2.png' with { type: 'file' }
import signature3 from '../files/signature-3.png' with { type: 'file' }

/** What people attach. The answers planned for them name these; each gets an upload of its own. */
const files: ReadonlyMap<string, string> = new Map([
  ['house.jpg', house],
  ['plan.png', plan],
  ['signature-1.png', signature1],
  ['signature-2.png', signature2],
  ['signature-3.png', signature3],
])

/** What comes with messages, by its name: where it lies, and its type where only its sender can say it. */
const attachable = {
  'house.jpg': { path: house },
  'floor-plan.png': { path: plan },
  'invoice-2026-0412.pdf': { path: invoice },
  'bookings.csv': { path: bookings, contentType: 'text/csv' },
}

/** A file that customers or agents send along. */
export type Attachable = keyof typeof attachable

/** Stores files as if a message had brought them along. */
export function bringAlong(store: Files, caller: Caller, names: readonly Attachable[]): Promise<NewAttachment[]> {
  return Promise.all(
    names.map((fileName) => {
      const { path, ...named } = attachable[fileName]
      return storeAttachment(store, caller, { fileName, ...named }, Bun.file(path).stream())
    }),
  )
}

/** A picture of the place, and sometimes a plan of it. */
export const pictures: Answering = ({ random }) => {
  const photo = { slot: 0, uploadId: 'house.jpg' }
  return random.chance(0.4) ? [photo, { slot: 1, uploadId: 'plan.png' }] : [photo]
}

export const signed: Answering = ({ random }) => ({ uploadId: `signature-${random.integer(1, 3)}.png` })

/** Stores the files that the answers name, as if they had been sent in, and returns the uploads by those names. */
export async function attach(
  tx: Tx,
  caller: Caller,
  store: Files,
  formId: string,
  answers: readonly GivenAnswer[],
): Promise<Map<string, Upload>> {
  const uploads = new Map<string, Upload>()
  for (const [fileName, path] of namedIn(answers)) {
    const id = newId(caller.at)
    const name = { kind: 'uploads', tenantId: caller.tenantId, id } as const
    const stored = await store.store(name, Bun.file(path).stream(), MAX_FILE_SIZE)
    const { contentType, size } = stored
    await addUpload(tx, caller, { ...stored, id, formId, fileName }, null)
    uploads.set(fileName, { id, fileName, contentType, size, url: uploadUrl(id) })
  }
  return uploads
}

function namedIn(answers: readonly GivenAnswer[]): [fileName: string, path: string][] {
  const named = answers.flatMap(({ value }) => value).map((part) => (part as { uploadId?: string } | null)?.uploadId)
  return [...files].filter(([fileName]) => named.includes(fileName))
}
