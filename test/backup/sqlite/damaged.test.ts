import { Database as Sqlite } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { list } from 'tar'
import { ArchiveWriter, type Member } from '../../../src/backup/archive.ts'
import { backUp } from '../../../src/backup/backup.ts'
import { writeManifest } from '../../../src/backup/manifest.ts'
import { restore } from '../../../src/backup/restore.ts'
import { uploads } from '../../../src/db/schema.ts'
import type { FileKind } from '../../../src/kinds/files.ts'
import { startApp } from '../../support/app.ts'
import { createPublished } from '../../support/forms/collecting.ts'
import { respondent } from '../../support/forms/hosted.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { createTestAttachment, createTicket } from '../../support/tickets/tickets.ts'

const UPLOADS = 5

let folder: string
let backup: string
let bytes: Buffer
let contents: Map<string, Buffer>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  const app = await startApp()
  const tenant = await app.createTenant()
  const form = await createPublished(tenant, [questionBody('file_upload')])
  const visitor = respondent(app, form)
  for (let i = 0; i < UPLOADS; i++) {
    const { uploadId } = (await visitor.upload(`file ${i} `.repeat(100), `${i}.txt`)).body
    expect((await visitor.begin([[{ slot: 0, uploadId }]], true)).status).toBe(201)
  }
  await createTicket(tenant, { attachments: [await createTestAttachment(tenant)] })
  expect((await app.database.db.select().from(uploads)).map(({ sha256 }) => sha256?.length)).toEqual(Array(5).fill(64))
  backup = join(folder, 'whole.tar')
  await backUp(app.deps.config, backup, { force: false })
  await app.close()
  bytes = readFileSync(backup)
  contents = await contentsOf(backup)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function contentsOf(file: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  const reading: Promise<unknown>[] = []
  await list({
    file,
    onReadEntry: (entry) => void reading.push(entry.concat().then((content) => found.set(entry.path, content))),
  })
  await Promise.all(reading)
  return found
}

/** Why the restore of such a file is refused; checks that it changes nothing. */
function refusalOf(content: Uint8Array): string {
  const [file, dataDir] = [join(folder, 'altered.tar'), join(folder, 'data')]
  writeFileSync(file, content)
  try {
    restore({ dataDir }, file)
  } catch (error) {
    expect((error as Error).name).toBe('UserError')
    expect(readdirSync(dataDir)).toEqual(['frontdesk.lock'])
    return (error as Error).message
  }
  throw new Error('it was restored')
}

/** A backup that was put together by somebody who knows how. */
function forged(
  change: (members: Map<string, Buffer>) => void,
  manifestOf: (m: Member[]) => Member[] = (m) => m,
): Buffer {
  const members = new Map(contents)
  members.delete('manifest.json')
  change(members)
  const file = join(folder, 'forged.tar')
  rmSync(file, { force: true })
  const writer = new ArchiveWriter(file)
  const written = [...members].map(([name, content]) => writer.addContent(name, content))
  writer.addContent('manifest.json', writeManifest({ files: manifestOf(written), missing: [], elsewhere: null }))
  writer.end()
  return readFileSync(file)
}

function changedDatabase(statement: string): Buffer {
  return forged((members) => {
    const file = join(folder, 'changed.db')
    writeFileSync(file, members.get('frontdesk.db') as Buffer)
    const database = new Sqlite(file)
    database.run('PRAGMA journal_mode = DELETE')
    database.run(statement)
    database.close()
    members.set('frontdesk.db', readFileSync(file))
  })
}

const fileIn = (members: Map<string, Buffer>, kind: FileKind = 'uploads') =>
  [...members.keys()].find((name) => name.startsWith(`${kind}/`)) as string

test('the last member lists every other with its size and SHA-256', () => {
  const names = [...contents.keys()]
  expect(names.at(-1)).toBe('manifest.json')
  const { files } = JSON.parse((contents.get('manifest.json') as Buffer).toString())
  expect(files.map(({ name }: Member) => name)).toEqual(names.slice(0, -1))
  for (const { name, size, sha256 } of files as Member[]) {
    const content = contents.get(name) as Buffer
    expect([size, sha256]).toEqual([content.length, new Bun.CryptoHasher('sha256').update(content).digest('hex')])
  }
  expect(names).toContain('secret.key')
})

test('what was put together as frontdesk does it is restored', () => {
  const file = join(folder, 'same.tar')
  writeFileSync(
    file,
    forged(() => {}),
  )
  restore({ dataDir: join(folder, 'other') }, file)
  expect(readdirSync(join(folder, 'other')).sort()).toEqual([
    'attachments',
    'frontdesk.db',
    'frontdesk.lock',
    'secret.key',
    'uploads',
  ])
})

describe('a backup is refused', () => {
  test('with one bit flipped, wherever', () => {
    // All over the file, and each byte of the header, the content and the padding of one small member.
    const spread = Array.from({ length: 80 }, (_, i) => Math.floor((bytes.length * (i + 0.5)) / 80))
    const start = bytes.indexOf('secret.key')
    const within = Array.from({ length: 1024 / 16 }, (_, i) => start + i * 16 + (i % 16))
    for (const at of [...spread, ...within, bytes.length - 1, start + 154, start + 155]) {
      const altered = Buffer.from(bytes)
      altered[at] = (altered[at] as number) ^ (1 << (at % 8))
      expect(refusalOf(altered)).toMatch(/cannot be restored/)
    }
  })

  test('cut anywhere, at the boundary of a member too', () => {
    const boundaries: number[] = []
    for (let at = 0; at < bytes.length - 512; at += 512)
      if (bytes.toString('latin1', at + 257, at + 262) === 'ustar') boundaries.push(at)
    expect(boundaries.length).toBe(contents.size)
    const spread = Array.from({ length: 60 }, (_, i) => Math.floor((bytes.length * i) / 60))
    for (const at of [...boundaries, ...spread, bytes.length - 1, bytes.length - 512, bytes.length - 1024]) {
      expect(refusalOf(bytes.subarray(0, at))).toMatch(/cannot be restored/)
      const ended = Buffer.concat([bytes.subarray(0, at - (at % 512)), Buffer.alloc(1024)])
      if (at < bytes.length - 1024) expect(refusalOf(ended)).toMatch(/cannot be restored/)
    }
  })

  test('with something behind its end', () => {
    expect(refusalOf(Buffer.concat([bytes, Buffer.from('x')]))).toContain('changed behind its end')
  })

  test.each<[string, () => Buffer, string]>([
    [
      'with a foreign trigger',
      () => changedDatabase('CREATE TRIGGER evil AFTER INSERT ON contacts BEGIN DELETE FROM tickets; END'),
      'trigger evil',
    ],
    ['with a foreign view', () => changedDatabase('CREATE VIEW evil AS SELECT 1'), 'view evil'],
    ['with a foreign table', () => changedDatabase('CREATE TABLE evil (x)'), 'table evil'],
    [
      'with a table that lacks a column',
      () => changedDatabase('ALTER TABLE uploads DROP COLUMN sha256'),
      'table uploads',
    ],
    ['without an index', () => changedDatabase('DROP INDEX uploads_unused'), 'index uploads_unused is missing'],
    ['with rows that refer to nothing', () => changedDatabase('DELETE FROM forms'), 'refer to nothing'],
    ['without the file of a record', () => forged((members) => members.delete(fileIn(members))), 'which is missing'],
    [
      'without the file of an attachment',
      () => forged((members) => members.delete(fileIn(members, 'attachments'))),
      'which is missing',
    ],
    [
      'with another file for an attachment',
      () => forged((members) => members.set(fileIn(members, 'attachments'), Buffer.from('CONTENT'))),
      'is not the file',
    ],
    [
      'with another file for a record',
      () => forged((members) => members.set(fileIn(members), Buffer.from('x'))),
      'is not the file',
    ],
    [
      'with another file of the same size for a record',
      () =>
        forged((members) =>
          members.set(fileIn(members), Buffer.alloc((members.get(fileIn(members)) as Buffer).length)),
        ),
      'is not the file',
    ],
    [
      'with a member that the manifest does not know',
      () =>
        forged(
          (m) => m.set('uploads/a/b', Buffer.from('x')),
          (m) => m.filter(({ name }) => name !== 'uploads/a/b'),
        ),
      'is not in its manifest.json',
    ],
    [
      'without a member that the manifest names',
      () =>
        forged(
          () => {},
          (m) => [...m, { name: 'outbox/x', size: 0, sha256: '' }],
        ),
      'is missing',
    ],
    [
      'with a manifest that names a member twice',
      () =>
        forged(
          () => {},
          (members) => [members[0] as Member, ...members],
        ),
      'names a file twice',
    ],
    ['with a member of a foreign name', () => forged((m) => m.set('passwd', Buffer.from('x'))), '"passwd"'],
    [
      'with a member that reaches outside',
      () => forged((m) => m.set('uploads/../../x', Buffer.from('x'))),
      'uploads/../../x',
    ],
    ['without a database', () => forged((m) => m.delete('frontdesk.db')), 'no database'],
  ])('%s', (_, make, why) => {
    expect(refusalOf(make())).toContain(why)
  })

  test('with a member behind the manifest, though it is named', () => {
    const file = join(folder, 'behind.tar')
    const writer = new ArchiveWriter(file)
    const content = Buffer.from('x')
    const members = [...contents].filter(([name]) => name !== 'manifest.json')
    const written = members.map(([name, member]) => writer.addContent(name, member))
    const last = { name: 'uploads/a/b', size: 1, sha256: new Bun.CryptoHasher('sha256').update(content).digest('hex') }
    writer.addContent('manifest.json', writeManifest({ files: [...written, last], missing: [], elsewhere: null }))
    writer.addContent(last.name, content)
    writer.end()
    expect(refusalOf(readFileSync(file))).toContain('it holds "uploads/a/b"')
  })

  test('without a manifest, as earlier versions made them, in words that say what can be done', () => {
    const file = join(folder, 'old.tar')
    const writer = new ArchiveWriter(file)
    for (const [name, content] of contents) if (name !== 'manifest.json') writer.addContent(name, content)
    writer.end()
    expect(refusalOf(readFileSync(file))).toMatch(/no manifest\.json.*tar -xf/)
  })
})
