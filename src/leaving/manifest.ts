import type { Member } from '../backup/archive.ts'
import { UserError } from '../errors.ts'
import { MANIFEST } from '../folder/names.ts'
import { isUuid } from '../lib/ids.ts'
import { parseTime } from '../lib/time.ts'
import type { MovedTenant } from '../tenants/operations.ts'
import { VERSION } from '../version.ts'
import { FORMAT } from './exported.ts'

/** What the last member of an export says of it. */
export interface ExportManifest {
  readonly tenantId: string
  readonly tenant: MovedTenant
  readonly exportedAt: string
  readonly members: readonly Member[]
}

const refuse = (rule: string) => new UserError(`cannot be imported: ${MANIFEST} ${rule}`)

/** Reads a manifest. Throws UserError for what is none, or is of a newer version than this. */
export function readExportManifest(content: Uint8Array): ExportManifest {
  const given = parsed(content)
  const { format, version } = given
  if (!Number.isSafeInteger(format) || typeof version !== 'string') throw refuse('says neither format nor version')
  if ((format as number) > FORMAT || isNewer(version)) {
    throw refuse(`says that frontdesk ${version} made it: bring this one (${VERSION}) up to that version first`)
  }
  const { tenantId, name, language, accent, requiresSecondFactor, exportedAt, members, ...others } = given
  // The first exports did not say when the tenant was made: as late as it was exported.
  const { createdAt = exportedAt, format: _, version: __, ...unknown } = others
  const [stranger] = Object.keys(unknown)
  if (stranger !== undefined) throw refuse(`has a member ${JSON.stringify(stranger)} that this version does not know`)
  const text = (value: unknown, place: string) => {
    if (typeof value !== 'string') throw refuse(`has no text as its ${place}`)
    return value
  }
  const time = (value: unknown, place: string) => {
    if (typeof value !== 'string' || parseTime(value) !== value) throw refuse(`has no time as its ${place}`)
    return value
  }
  if (typeof requiresSecondFactor !== 'boolean') throw refuse('does not say whether there has to be a second factor')
  if (!isUuid(text(tenantId, 'tenantId')) || tenantId !== (tenantId as string).toLowerCase())
    throw refuse('has no id as its tenantId')
  if (!Array.isArray(members) || !members.every(isMember)) throw refuse('has no list of files')
  return {
    tenantId: tenantId as string,
    exportedAt: time(exportedAt, 'exportedAt'),
    members,
    tenant: {
      name: text(name, 'name'),
      language: language === null ? null : text(language, 'language'),
      accent: accent === null ? null : text(accent, 'accent'),
      requiresSecondFactor,
      createdAt: time(createdAt, 'createdAt'),
    },
  }
}

function parsed(content: Uint8Array): Record<string, unknown> {
  try {
    const given: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content))
    if (isRecord(given)) return given
  } catch {}
  throw refuse('is no JSON object')
}

function isNewer(version: string): boolean {
  try {
    return Bun.semver.order(version, VERSION) > 0
  } catch {
    throw refuse(`says no version: ${JSON.stringify(version)}`)
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isMember(value: unknown): value is Member {
  if (!isRecord(value)) return false
  const { name, size, sha256 } = value
  return typeof name === 'string' && Number.isSafeInteger(size) && typeof sha256 === 'string'
}
