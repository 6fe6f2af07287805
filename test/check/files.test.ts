import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkFiles } from '../../src/check/files.ts'
import type { FileRow, Inspection } from '../../src/db/inspection.ts'
import { openFiles } from '../../src/files/index.ts'
import { pathOf } from '../../src/files/names.ts'

const ID = '019ca8b6-0000-7000-8000-000000000000'
const row: FileRow = { kind: 'uploads', tenantId: ID, id: ID, size: 1, sha256: null }

/** The records of a service that has `now` left of those it had. */
function records(before: FileRow[], now: FileRow[]): Pick<Inspection, 'files' | 'file' | 'db'> {
  return {
    db: {} as Inspection['db'],
    files: () => before,
    file: (name) => now.find((row) => pathOf(row) === pathOf(name)) ?? null,
  }
}

test('a file that the service removes with its record while it is looked for is not a finding', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  const files = openFiles({ dataDir, files: null })
  expect(await checkFiles(files, records([row], [row]), 0)).toMatchObject([
    { problem: expect.stringContaining('missing') },
  ])
  expect(await checkFiles(files, records([row], []), 0)).toEqual([])
  rmSync(dataDir, { recursive: true })
})
