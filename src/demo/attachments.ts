import type { Caller } from '../caller.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/index.ts'
import type { Upload } from '../forms/question-types/index.ts'
import { newId } from '../lib/ids.ts'
import type { GivenAnswer } from '../responses/answers.ts'
import { uploadFiles } from '../uploads/files.ts'
import { addUpload, uploadUrl } from '../uploads/operations.ts'
import type { Answering } from './answers.ts'
import house from './files/house.jpg' with { type: 'file' }
import plan from './files/plan.png' with { type: 'file' }
import signature1 from './files/signature-1.png' with { type: 'file' }
import signature2 from './files/signature-2.png' with { type: 'file' }
import signature3 from './files/signature-3.png' with { type: 'file' }

/** Where files go, and what their addresses begin with. */
export type Folder = Pick<Config, 'dataDir'>

/** What people attach. The answers planned for them name these; each gets an upload of its own. */
const files: ReadonlyMap<string, string> = new Map([
  ['house.jpg', house],
  ['plan.png', plan],
  ['signature-1.png', signature1],
  ['signature-2.png', signature2],
  ['signature-3.png', signature3],
])

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
  { dataDir }: Folder,
  formId: string,
  answers: readonly GivenAnswer[],
): Promise<Map<string, Upload>> {
  const uploads = new Map<string, Upload>()
  const store = uploadFiles(dataDir)
  for (const [fileName, path] of namedIn(answers)) {
    const id = newId(caller.at)
    const stored = await store.store(caller.tenantId, id, Bun.file(path).stream())
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
