import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkFiles } from '../../src/check/files.ts'
import type { FileRow, Inspection } from '../../src/db/sqlite/inspect.ts'

const ID = '019ca8b6-0000-7000-8000-000000000000'
const row: FileRow = { tenantId: ID, id: ID, size: 1, sha256: null }

/** The records of a service that has `now` left of those it had. */
function records(before: FileRow[], now: FileRow[]): Pick<Inspection, 'files' | 'file'> {
  return {
    files: () => before,
    file: (tenantId, id) => now.find((row) => row.tenantId === tenantId && row.id === id) ?? null,
  }
}

test('a file that the service removes with its record while it is looked for is not a finding', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  expect(checkFiles(dataDir, records([row], [row]), 0)).toMatchObject([{ problem: expect.stringContaining('missing') }])
  expect(checkFiles(dataDir, records([row], []), 0)).toEqual([])
  rmSync(dataDir, { recursive: true })
})
