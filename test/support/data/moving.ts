import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ArchiveWriter, type Member, readArchive } from '../../../src/backup/archive.ts'
import { exportTenant } from '../../../src/leaving/export.ts'
import { importTenant } from '../../../src/leaving/import.ts'
import type { TestApp } from '../app.ts'

/** What an archive holds, by name. */
export type Members = Map<string, Buffer>

export function membersOf(file: string): Members {
  const members: Members = new Map()
  const pieces = new Map<string, Buffer[]>()
  readArchive(file, ({ name }) => {
    const own: Buffer[] = []
    pieces.set(name, own)
    return (piece) => own.push(Buffer.from(piece))
  })
  for (const [name, own] of pieces) members.set(name, Buffer.concat(own))
  return members
}

/** Writes an export that says of itself what is in it. `manifest` changes what else it says. */
export function writeMembers(
  file: string,
  members: Members,
  manifest: (given: Record<string, unknown>) => void = () => {},
) {
  const archive = new ArchiveWriter(file)
  const list: Member[] = []
  for (const [name, content] of members) if (name !== 'manifest.json') list.push(archive.addContent(name, content))
  const said = { ...JSON.parse(String(members.get('manifest.json'))), members: list }
  manifest(said)
  archive.addContent('manifest.json', Buffer.from(JSON.stringify(said)))
  archive.end()
}

/** The records of a kind. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into records of any shape
export function recordsOf(members: Members, kind: string): any[] {
  const lines = String(members.get(`${kind}.jsonl`))
    .split('\n')
    .slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

/** Puts records in the place of those of a kind. */
export function setRecords(members: Members, kind: string, records: readonly object[]): void {
  members.set(`${kind}.jsonl`, Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join('')))
}

let count = 0

/** A folder that goes with the process. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-moving-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Exports a tenant into a new file of a folder. */
export async function exported(
  { database, deps, dataDir, clock }: Pick<TestApp, 'database' | 'deps' | 'dataDir' | 'clock'>,
  tenantId: string,
  folder: string,
) {
  const file = join(folder, `${++count}.tar`)
  await exportTenant({ database, files: deps.files, dataDir }, tenantId, file, clock.now())
  return file
}

/** Imports one beside the service. */
export function imported({ database, deps, clock }: Pick<TestApp, 'database' | 'deps' | 'clock'>, file: string) {
  const keepAway = () => {
    throw new Error('it wants to be alone')
  }
  return importTenant({ database, files: deps.files, keepAway }, file, clock.now())
}
