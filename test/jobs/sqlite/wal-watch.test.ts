import { expect, test } from 'bun:test'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { WATCH_EVERY } from '../../../src/jobs/database-watch.ts'
import { startApp } from '../../support/app.ts'

const MIB = 1024 * 1024

test('a write-ahead log that grows is said once in the log until it is over, and in /healthz, which stays 200', async () => {
  const app = await startApp()
  const wal = join(app.dataDir, 'frontdesk.db-wal')
  const said = () => app.logged.filter((line) => line.includes('write-ahead log')).length
  const health = async () => {
    const { status, body } = await app.request('GET', '/healthz')
    expect([status, body.status]).toEqual([200, 'ok'])
    return body.warnings
  }
  const look = async () => {
    app.clock.advance(WATCH_EVERY)
    await app.runDue()
  }
  await look()
  expect([said(), await health()]).toEqual([0, []])
  truncateSync(wal, 200 * MIB)
  for (const _ of [1, 2]) await look()
  expect([said(), await health()]).toEqual([1, [expect.stringContaining('200 MiB')]])
  expect(app.logged.find((line) => line.includes('write-ahead log'))).toContain('"level":"warn"')
  truncateSync(wal, 64 * MIB)
  await look()
  expect([said(), await health()]).toEqual([1, []])
  truncateSync(wal, 200 * MIB)
  await look()
  expect(said()).toBe(2)
  await app.close()
})
