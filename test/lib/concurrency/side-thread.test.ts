import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SideThread } from '../../../src/lib/concurrency/side-thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-thread-'))
const module = join(folder, 'worker.ts')

beforeAll(() => {
  writeFileSync(
    module,
    `import { serveJobs } from ${JSON.stringify(require.resolve('../../../src/lib/concurrency/side-thread.ts'))}
     serveJobs((job) => {
       if (job === 'for ever') for (;;);
       if (job === 'in vain') throw new Error('no')
       if (job === 'while others work') Bun.sleepSync(2_000)
       return job + ': done'
     })`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A thread whose jobs may take a second. */
const startThread = () => new SideThread<string, string>(() => module, { time: 1_000, idle: 60_000 })

test('a job that does not come to its end is given up, one that fails comes to nothing, and the next ones are done', async () => {
  const thread = startThread()
  const jobs = ['first', 'for ever', 'second', 'in vain', 'third'].map((job) => thread.run(job))
  expect(await Promise.all(jobs)).toEqual(['first: done', null, 'second: done', null, 'third: done'])
})

test('a job has the time that it works, not that in which the machine lets others work', async () => {
  expect(await startThread().run('while others work')).toBe('while others work: done')
})
