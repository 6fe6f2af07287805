import { ConfigError, loadConfig } from '../config.ts'
import { ownSteps } from '../db/versions.ts'
import { VERSION } from '../version.ts'
import { type Deed, deedsOf } from './deeds.ts'

export interface DescribedStep {
  readonly hash: string
  readonly deeds: readonly Deed[]
}

/** What an executable says of itself to another one (`upgrade --describe`): versions to come read it, so nothing is taken away from it. */
export interface Description {
  readonly version: string
  readonly steps: { readonly sqlite: readonly DescribedStep[]; readonly postgres: readonly DescribedStep[] }
  /** Why it would not start with this environment, or null. */
  readonly configuration: string | null
}

/** This program's. */
export async function describe(environment: NodeJS.ProcessEnv, dataDir: string | undefined): Promise<Description> {
  const { sqlite, postgres } = await ownSteps()
  const described = (steps: typeof sqlite) =>
    steps.map(({ hash, statements }) => ({ hash, deeds: deedsOf(statements) }))
  return {
    version: VERSION,
    steps: { sqlite: described(sqlite), postgres: described(postgres) },
    configuration: problemIn(environment, dataDir),
  }
}

function problemIn(environment: NodeJS.ProcessEnv, dataDir: string | undefined): string | null {
  try {
    loadConfig(environment, { dataDir })
    return null
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}
