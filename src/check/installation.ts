import type { Inspection } from '../db/inspection.ts'
import { UserError } from '../errors.ts'
import { openFiles } from '../files/index.ts'
import { disagreementWith } from '../installation/confirm.ts'
import type { CheckConfig } from './config.ts'
import type { Finding } from './finding.ts'

/** Whether the database, the data folder and the store of files bear the mark of one installation (decisions §11). */
export async function checkInstallation(
  config: CheckConfig & { databaseUrl: string | null },
  database: Pick<Inspection, 'installationId'>,
): Promise<Finding[]> {
  const id = await database.installationId()
  // Before the first start of a version that marks what is its own.
  if (id === null) return []
  const files = config.files === 'unknown' ? null : config.files
  try {
    const found = await disagreementWith(id, { ...config, files }, openFiles({ ...config, files }))
    return found.map(({ place, message }) => ({
      where: place,
      problem: message,
      remedy: 'without that the service does not start',
    }))
  } catch (error) {
    // A folder that is not there is a finding of the files.
    if (error instanceof UserError) return []
    throw error
  }
}
