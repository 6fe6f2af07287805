import type { FileRow, Inspection } from '../db/inspection.ts'
import { AppError, UserError } from '../errors.ts'
import type { Files } from '../files/files.ts'
import { openFiles } from '../files/index.ts'
import { pathOf } from '../files/names.ts'
import { RECORDED_WITHIN } from '../installation/orphans.ts'
import { fileKinds } from '../kinds/files.ts'
import { isTenant } from '../tenants/operations.ts'
import type { CheckConfig } from './config.ts'
import { type Finding, findings } from './finding.ts'

type Records = Pick<Inspection, 'files' | 'file' | 'db'>
type IsTenant = (id: string) => Promise<boolean>

/** The findings of the file store, where it can be told which one that is. */
export async function checkStore(
  { dataDir, files }: Pick<CheckConfig, 'dataDir' | 'files'>,
  database: Records,
  now: number,
): Promise<Finding[]> {
  if (files === 'unknown') return []
  try {
    return await checkFiles(openFiles({ dataDir, files }), database, now)
  } catch (error) {
    const isAway = error instanceof AppError && error.code === 'unavailable'
    if (!isAway && !(error instanceof UserError)) throw error
    const cause = isAway && error.cause instanceof Error ? error.cause : error
    return [
      {
        where: 'FRONTDESK_FILES_URL',
        problem: `files cannot be reached (${cause.message})`,
        remedy: 'until then uploads and downloads are refused',
      },
    ]
  }
}

/**
 * Holds every record of a file against the file, and every file against the records. Reads all files.
 */
export async function checkFiles(files: Files, database: Records, now: number): Promise<Finding[]> {
  const rows = await database.files()
  return [...(await checkRecords(files, database, rows)), ...(await findUnknown(files, rows, tenantIn(database), now))]
}

async function checkRecords(files: Files, database: Records, rows: readonly FileRow[]): Promise<Finding[]> {
  const [missing, changed]: [string[], string[]] = [[], []]
  for (const row of rows) {
    const content = await files.read(row)
    if (content === null) {
      // The service may have removed both meanwhile.
      if (await database.file(row)) missing.push(files.placeOf(row))
    } else if (!(await isThatOf(row, content))) changed.push(files.placeOf(row))
  }
  const restore = 'put it back from a backup'
  return [
    ...findings(missing, 'a response or message names this file and it is missing', restore),
    ...findings(changed, 'its content is not what was stored', restore),
  ]
}

async function isThatOf({ size, sha256 }: FileRow, content: Blob | ReadableStream<Uint8Array>): Promise<boolean> {
  const hash = new Bun.CryptoHasher('sha256')
  let read = 0
  for await (const chunk of content instanceof Blob ? content.stream() : content) {
    read += chunk.length
    hash.update(chunk)
  }
  return read === size && (sha256 === null || hash.digest('hex') === sha256)
}

/** Whether a tenant is the database's; each is asked for once. */
function tenantIn({ db }: Records): IsTenant {
  const asked = new Map<string, Promise<boolean>>()
  return (id) => {
    const answer = asked.get(id) ?? isTenant(db, id)
    asked.set(id, answer)
    return answer
  }
}

/** Files old enough for not being received at this moment, and all of tenants that nobody knows. */
async function findUnknown(
  files: Files,
  rows: readonly FileRow[],
  isTenant: IsTenant,
  now: number,
): Promise<Finding[]> {
  const known = new Set(rows.map(pathOf))
  const unknown: string[] = []
  const strangers = new Map<string, string>()
  for (const kind of fileKinds) {
    for await (const { tenantId, files: listed } of files.list(kind)) {
      if (!(await isTenant(tenantId))) {
        const [first] = listed
        if (first) strangers.set(`${kind} of ${tenantId}`, first.place)
        continue
      }
      for (const { id, place, writtenAt } of listed) {
        if (known.has(pathOf({ kind, tenantId, id }))) continue
        const at = await writtenAt()
        if (at !== null && at < now - RECORDED_WITHIN) unknown.push(place)
      }
    }
  }
  return [
    ...findings(
      unknown,
      'no record knows this file',
      'the running service moves it to the trash within the hour, and deletes it 7 days later',
    ),
    ...findings(
      [...strangers.values()],
      'this file, and maybe others beside it, is of a tenant that the database does not know',
      'the service leaves it alone: see whether this is the right database, else move it away',
    ),
  ]
}
