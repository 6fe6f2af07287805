import { afterAll, describe, expect, test } from 'bun:test'
import { fstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ArchiveWriter, type Member, readArchive } from '../../src/backup/archive.ts'
import { backupArguments } from '../../src/backup/child.ts'
import { makeBackup } from '../../src/backup/make.ts'
import { paced } from '../../src/backup/pace.ts'
import { startApp } from '../support/app.ts'

const MB = 1024 * 1024
const KEEP = { hours: 9, days: 0, weeks: 0, months: 0 }
const folders: string[] = []
const temporary = () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe('a pause', () => {
  /** What is slept after a megabyte that took so long, in milliseconds. */
  function sleptAfter(...took: number[]): number[] {
    let time = 0
    const slept: number[] = []
    const sleep = (ms: number) => {
      slept.push(ms)
      time += ms
    }
    const pace = paced({ clock: { monotonic: () => time }, sleep })
    for (const ms of took) {
      time += ms
      pace(MB)
    }
    return slept
  }

  test('is as long as what was done before it, but neither nothing nor long', () => {
    expect(sleptAfter(20, 0, 7, 5_000, 20)).toEqual([20, 4, 7, 100, 20])
  })

  test('comes once small files make a megabyte, too', () => {
    let pauses = 0
    const pace = paced({ clock: { monotonic: () => 0 }, sleep: () => void pauses++ })
    for (let file = 0; file < 4 * 3; file++) pace(MB / 4)
    expect(pauses).toBe(3)
  })
})

test('a backup that is paced pauses while it is made and while it is read back, and holds the same', async () => {
  const app = await startApp()
  const folder = temporary()
  try {
    await app.createTenant()
    const outbox = join(app.dataDir, 'outbox')
    mkdirSync(outbox, { recursive: true })
    for (let i = 0; i < 3; i++) writeFileSync(join(outbox, `${i}.eml`), Buffer.alloc(2 * MB + i, `mail ${i}`))
    const where = { to: { kind: 'folder', url: folder, folder }, keep: KEEP } as const
    const make = (hour: number, options?: Parameters<typeof makeBackup>[3]) =>
      makeBackup(app.deps.config, where, Date.UTC(2026, 0, 1, hour), options)
    const plain = await make(1)
    const slept: number[] = []
    const pace = paced({ clock: { monotonic: () => 0 }, sleep: (ms) => void slept.push(ms) })
    const slow = await make(2, { pace })
    expect(contentOf(join(folder, slow.name))).toEqual(contentOf(join(folder, plain.name)))
    expect(slow.size).toBe(plain.size)
    // Six megabytes of mails, and those of the database: each is written once and read once.
    expect(slept.length).toBeGreaterThanOrEqual(2 * 6)
    expect(slept.length).toBeLessThanOrEqual((2 * slow.size) / MB)
  } finally {
    await app.close()
  }
})

test('the disk holds an archive while it is written: at its end no more than a megabyte is left for it', () => {
  const held: number[] = []
  const writer = new ArchiveWriter(join(temporary(), 'archive.tar'), undefined, (file) => {
    held.push(fstatSync(file).size)
  })
  for (let file = 0; file < 12; file++) writer.addContent(`small-${file}`, Buffer.alloc(MB / 4))
  const large = join(temporary(), 'large')
  writeFileSync(large, Buffer.alloc(5 * MB + 1))
  writer.addFile('large', large)
  writer.end()
  const steps = held.map((size, i) => size - (held[i - 1] ?? 0))
  expect(steps.length).toBeGreaterThanOrEqual(7)
  // What is written at once is at most a megabyte, with a header or what fills up a block before it.
  expect(Math.max(...steps)).toBeLessThan(2 * MB)
})

test('those that the service makes by itself are paced', () => {
  expect(backupArguments(0)).toContain('--paced')
})

function contentOf(file: string): Member[] {
  return readArchive(file, () => () => {}).members
}
