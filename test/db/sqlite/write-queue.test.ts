import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { commandCaller } from '../../../src/caller.ts'
import { DamageFound } from '../../../src/db/damage.ts'
import { type Database, openDatabase, remembered, type Tx } from '../../../src/db/index.ts'
import { groups, tenants } from '../../../src/db/schema.ts'
import { openConnection } from '../../../src/db/sqlite/connection.ts'
import { SyncedLog } from '../../../src/db/sqlite/synced-log.ts'
import { WriteQueue } from '../../../src/db/sqlite/write-queue.ts'
import { createGroup } from '../../../src/groups/operations.ts'
import { createTenant } from '../../../src/tenants/operations.ts'

const at = Date.parse('2026-01-01T00:00:00Z')

let folder: string
let database: Database
let tenantId: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-queue-'))
  database = await openDatabase({ dataDir: folder })
  tenantId = (await database.transaction((tx) => createTenant(tx, { name: 'Acme' }, at))).tenantId
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const addGroup = (name: string) => (tx: Tx) => createGroup(tx, commandCaller(tenantId, at), { name })

async function names(): Promise<string[]> {
  return (await database.db.select({ name: groups.name }).from(groups)).map(({ name }) => name)
}

/** What became of pieces of work that were handed over at once. */
async function outcomes(works: ((tx: Tx) => Promise<unknown>)[]): Promise<string[]> {
  const settled = await Promise.allSettled(works.map((work) => database.transaction(work)))
  return settled.map((one) => (one.status === 'fulfilled' ? 'done' : String(one.reason.message)))
}

/** As a disk does that fails in the middle of a write: SQLite takes back everything at once. */
async function fail(tx: Tx): Promise<never> {
  await tx.run(sql`ROLLBACK`)
  throw new Error('the disk failed')
}

/** Writes more than fits, to a disk that is full from then on. */
async function overfill(tx: Tx): Promise<void> {
  // It cannot be set below what there is.
  await tx.all(sql`PRAGMA max_page_count = 1`)
  await tx.update(tenants).set({ name: 'x'.repeat(1_000_000) })
}

const makeRoom = async (tx: Tx) => void (await tx.all(sql`PRAGMA max_page_count = 1000000`))

describe('writers that share a commit', () => {
  test('keep what they wrote when another throws, and only that one hears of it', async () => {
    const refuse = async (tx: Tx) => {
      await addGroup('Refused')(tx)
      throw new Error('refused')
    }
    expect(await outcomes([addGroup('One'), refuse, addGroup('Two')])).toEqual(['done', 'refused', 'done'])
    expect(await names()).toEqual(['One', 'Two'])
  })

  describe('and of whom one throws', () => {
    /** Names of the work that was run, each time that it was. */
    let runs: string[]
    beforeEach(() => {
      runs = []
    })

    const counted = (name: string, work: (tx: Tx) => Promise<unknown>) => (tx: Tx) => {
      runs.push(name)
      return work(tx)
    }
    const refusing = (work: (tx: Tx) => Promise<unknown>) => async (tx: Tx) => {
      await work(tx)
      throw new Error('refused')
    }

    test('what it wrote is taken back, and those before it run once more', async () => {
      const told = await outcomes([
        counted('one', addGroup('One')),
        counted('refused', refusing(addGroup('Refused'))),
        counted('two', addGroup('Two')),
        counted('refused too', refusing(addGroup('Refused'))),
        counted('three', addGroup('Three')),
      ])
      expect(told).toEqual(['done', 'refused', 'done', 'refused', 'done'])
      expect(await names()).toEqual(['One', 'Two', 'Three'])
      expect(runs).toEqual(['one', 'refused', 'one', 'two', 'refused too', 'three'])
    })

    test('nobody runs again where it wrote nothing: no row, or none that was not there', async () => {
      const again = (tx: Tx) => tx.insert(tenants).values({ id: tenantId, name: 'Again', createdAt: 'x' })
      const told = await outcomes([
        counted('one', addGroup('One')),
        counted('reads', refusing(names)),
        counted(
          'there already',
          refusing((tx) => again(tx).onConflictDoNothing()),
        ),
        counted(
          'says so',
          refusing((tx) => again(tx).onConflictDoNothing().returning()),
        ),
        counted(
          'changes none',
          refusing((tx) => tx.update(tenants).set({ name: 'x' }).where(sql`false`)),
        ),
        counted('two', addGroup('Two')),
      ])
      expect(told).toEqual(['done', 'refused', 'refused', 'refused', 'refused', 'done'])
      expect(await names()).toEqual(['One', 'Two'])
      expect(runs).toEqual(['one', 'reads', 'there already', 'says so', 'changes none', 'two'])
    })

    test('what a statement returns, and one that SQLite refused, counts as written', async () => {
      const returning = (tx: Tx) => tx.update(tenants).set({ name: 'Changed' }).returning()
      const orphan = (tx: Tx) => tx.run(sql`INSERT INTO workspaces VALUES ('nobody', 'x', 'x', 'x')`)
      const told = await outcomes([
        counted('one', addGroup('One')),
        counted('refused', refusing(returning)),
        counted('orphan', async (tx) => orphan(tx)),
      ])
      expect(told.slice(0, 2)).toEqual(['done', 'refused'])
      expect(told[2]).not.toBe('done')
      expect((await database.db.select().from(tenants)).map(({ name }) => name)).toEqual(['Acme'])
      expect(await names()).toEqual(['One'])
      expect(runs).toEqual(['one', 'refused', 'one', 'orphan'])
    })

    test('a long transaction never runs again: it shares its commit with nobody', async () => {
      const long = database.longTransaction(counted('long', addGroup('Long')))
      const told = outcomes([counted('one', addGroup('One')), counted('refused', refusing(addGroup('Refused')))])
      const longer = database.longTransaction(counted('longer', refusing(addGroup('Longer')))).catch(String)
      const last = database.transaction(counted('last', addGroup('Last')))
      await Promise.all([long, last])
      expect([await told, await longer]).toEqual([['done', 'refused'], 'Error: refused'])
      expect(await names()).toEqual(['Long', 'One', 'Last'])
      expect(runs).toEqual(['long', 'one', 'refused', 'one', 'longer', 'last'])
    })
  })

  test('are answered after the commit, not before', async () => {
    let seen: string[] | undefined
    const first = database.transaction(addGroup('One')).then(async () => {
      seen = await names()
    })
    await Promise.all([first, database.transaction(addGroup('Two'))])
    expect(seen).toEqual(['One', 'Two'])
  })
})

describe('when the whole transaction is lost', () => {
  test('all who were in it are told so, nothing of theirs is stored, and those behind go on', async () => {
    const told = await outcomes([addGroup('One'), addGroup('Two'), fail, addGroup('Three'), addGroup('Four')])
    expect(told).toEqual(['the disk failed', 'the disk failed', 'the disk failed', 'done', 'done'])
    expect(await names()).toEqual(['Three', 'Four'])
    expect(await outcomes([addGroup('Later')])).toEqual(['done'])
  })

  test('one who had thrown by itself hears what was lost, too: nobody’s rows are left', async () => {
    const refuse = () => Promise.reject(new Error('refused'))
    expect(await outcomes([refuse, addGroup('One'), fail])).toEqual(Array(3).fill('the disk failed'))
    expect(await names()).toEqual([])
  })

  test('at its commit, it is the same', async () => {
    // What a commit refuses: a row of a tenant that is not there, looked at only then.
    const orphan = async (tx: Tx) => {
      await tx.run(sql`PRAGMA defer_foreign_keys = ON`)
      await tx.run(sql`INSERT INTO workspaces (tenant_id, id, name, created_at) VALUES ('nobody', 'x', 'x', 'x')`)
    }
    const told = await outcomes([addGroup('One'), orphan, addGroup('Two')])
    expect(told).toEqual(Array(3).fill('FOREIGN KEY constraint failed'))
    expect(await names()).toEqual([])
    expect(await outcomes([addGroup('Later'), addGroup('Last')])).toEqual(['done', 'done'])
    expect(await names()).toEqual(['Later', 'Last'])
  })

  test('on a disk that is full, nothing is half stored, and all goes on when there is room', async () => {
    const told = await outcomes([addGroup('One'), overfill, addGroup('Two')])
    expect(told[1]).toBe('database or disk is full')
    const stored = await names()
    expect(stored).toEqual(['One', 'Two'].filter((_, i) => told[i * 2] === 'done'))
    expect((await database.db.select().from(tenants)).map(({ name }) => name)).toEqual(['Acme'])
    expect(await outcomes([makeRoom, addGroup('Later')])).toEqual(['done', 'done'])
    expect(await names()).toEqual([...stored, 'Later'])
  })

  test('nobody who listens to commits is told of one', async () => {
    let commits = 0
    database.onCommit(() => {
      commits += 1
    })
    await outcomes([addGroup('One'), fail])
    expect(commits).toBe(0)
    await outcomes([addGroup('Two')])
    expect(commits).toBe(1)
  })

  test('what was remembered before still holds, for readers and for the next writer', async () => {
    const loads: string[] = []
    const remembering = remembered([groups], async (db, key) => {
      loads.push(key)
      return (await db.select({ name: groups.name }).from(groups)).map(({ name }) => name)
    })
    await database.transaction(addGroup('Kept'))
    await remembering(database.db, 'reader')
    await database.transaction((tx) => remembering(tx, 'writer'))
    await outcomes([addGroup('Lost'), fail])
    expect(await remembering(database.db, 'reader')).toEqual(['Kept'])
    expect(await database.transaction((tx) => remembering(tx, 'writer'))).toEqual(['Kept'])
    expect(loads).toEqual(['reader', 'writer'])
  })

  test('because none could begin, all who wait are told so, and those who come later go on', async () => {
    let isBroken = true
    const file = join(folder, 'other.db')
    const connection = openConnection(file)
    connection.run('CREATE TABLE anything (x)')
    const { prepare } = connection
    connection.prepare = ((text: string) => {
      const statement = prepare.call(connection, text)
      if (text !== 'BEGIN IMMEDIATE') return statement
      const run = () => {
        if (isBroken) throw new Error('the disk is gone')
        return statement.run()
      }
      return { run }
    }) as typeof prepare
    const queue = new WriteQueue(connection, new SyncedLog(file), new DamageFound())
    const waiting = Array.from({ length: 100 }, (_, i) => queue.run(async () => i))
    const told = await Promise.allSettled(waiting)
    expect(new Set(told.map((one) => String((one as PromiseRejectedResult).reason?.message)))).toEqual(
      new Set(['the disk is gone']),
    )
    isBroken = false
    expect(await queue.run(async () => 'done')).toBe('done')
    connection.close()
  })
})

describe('what is committed', () => {
  /** A log whose disk takes as long as the test likes. */
  function slowLog() {
    const waiting: (() => void)[] = []
    const log = { synced: (then: () => void) => void waiting.push(then), end: async () => {} }
    return { log: log as unknown as SyncedLog, sync: () => waiting.shift()?.() }
  }

  test('is answered and told of once the disk holds it, not before; the next ones run meanwhile', async () => {
    const connection = openConnection(join(folder, 'other.db'))
    connection.run('CREATE TABLE numbers (n)')
    const { log, sync } = slowLog()
    const queue = new WriteQueue(connection, log, new DamageFound())
    const heard: string[] = []
    queue.committed.add(() => heard.push('commit'))
    const add = (n: number) =>
      queue
        .run(async (tx) => void (await tx.run(sql`INSERT INTO numbers VALUES (${n})`)))
        .then(() => heard.push(`${n}`))
    const stored = () => connection.query('SELECT count(*) AS count FROM numbers').get() as { count: number }
    const first = add(1)
    while (stored().count < 1) await new Promise(setImmediate)
    const second = add(2)
    while (stored().count < 2) await new Promise(setImmediate)
    expect(heard).toEqual([])
    sync()
    await first
    expect(heard).toEqual(['commit', '1'])
    sync()
    await second
    expect(heard).toEqual(['commit', '1', 'commit', '2'])
    connection.close()
  })

  test('and cannot be held by the disk ends the process, nobody answered', async () => {
    // What cannot be synced.
    symlinkSync('/dev/null', join(folder, 'failing-wal'))
    const code = `
      import { SyncedLog } from './src/db/sqlite/synced-log.ts'
      new SyncedLog(${JSON.stringify(join(folder, 'failing'))}).synced(() => console.log('answered'))
    `
    const child = Bun.spawn([process.execPath, '-e', code], { stdout: 'pipe', stderr: 'pipe' })
    const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    expect([await child.exited, out]).toEqual([1, ''])
    expect(error).toContain('EINVAL')
  })
})

test('a writer who comes after the end is refused', async () => {
  await database.close()
  expect(await outcomes([addGroup('One'), addGroup('Two')])).toEqual(Array(2).fill('the database is closed'))
  database = await openDatabase({ dataDir: folder })
  expect(await names()).toEqual([])
  expect(await outcomes([addGroup('Three')])).toEqual(['done'])
})

test('more writers than fit into one commit are all answered, in order', async () => {
  const works = Array.from({ length: 200 }, (_, i) => addGroup(`Group ${i}`))
  expect(new Set(await outcomes(works))).toEqual(new Set(['done']))
  expect(await names()).toEqual(works.map((_, i) => `Group ${i}`))
})
