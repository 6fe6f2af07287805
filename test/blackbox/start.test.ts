import { Database as Sqlite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { chownSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dependencies, version } from '../../package.json' with { type: 'json' }
import { lockFolder } from '../../src/db/sqlite/folder-lock.ts'
import { testOfSqlite } from '../support/data/postgres.ts'
import { emptyFolder, executable, record, run, serve, source } from '../support/processes/program.ts'

const certificate = (name: string) => join(import.meta.dir, '../support/servers/certs', name)
const [cert, key] = [certificate('receiver.pem'), certificate('receiver-key.pem')]
const takesMail = { FRONTDESK_INBOUND_SMTP_PORT: '0' }

const programs = [
  ['from source', source],
  ['the executable', await executable()],
] as const

describe.each(programs)('starting %s', (_, program) => {
  test('in an empty folder makes the data folder, answers, and touches nothing else', async () => {
    const cwd = emptyFolder()
    const service = await serve(program, { cwd })
    const health = await fetch(`${service.url}/healthz`)
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok', warnings: [] }])
    expect(readdirSync(cwd)).toEqual(['data'])
    expect(await service.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  test('says its version', async () => {
    expect(await run(program, ['--version'], { cwd: emptyFolder() })).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    })
  })

  test('prints the licences of what it is made of', async () => {
    const licences: { name: string; version: string; licence: string; text: string }[] = await record(
      program,
      ['licences'],
      { cwd: emptyFolder() },
    )
    // Of some there are two versions: what others need is not always what we do.
    const named = new Set(licences.map(({ name, version }) => `${name} ${version}`))
    for (const [name, wanted] of Object.entries(dependencies)) expect(named).toContain(`${name} ${wanted}`)
    const names = new Set(licences.map(({ name }) => name))
    // What our dependencies need, and what they are bundled from.
    for (const needed of ['htmlparser2', 'strtok3', 'openapi-types']) expect(names.has(needed)).toBe(true)
    const textOf = (name: string) => licences.find((licence) => licence.name === name)?.text
    expect(textOf('bun')).toContain('JavaScriptCore')
    expect(textOf('swagger-ui-dist')).toContain('react.production.min.js')
    expect(textOf('elysia')).toContain('Permission is hereby granted')
    expect(licences.filter(({ licence }) => !/^\(?(?:[A-Z]|0BSD)/.test(licence))).toEqual([])
    for (const tool of ['typescript', '@biomejs/biome', 'playwright-core']) expect(names.has(tool)).toBe(false)
  })

  test('says nothing of a reader who has read enough', async () => {
    const { command } = program
    const piped = ['sh', '-c', '"$@" licences | head -c 9', 'sh', ...command]
    expect(await run({ ...program, command: piped }, [], { cwd: emptyFolder() })).toEqual({
      code: 0,
      stdout: 'frontdesk',
      stderr: '',
    })
  })

  test('on a taken port fails with one line that names the variable', async () => {
    const first = await serve(await executable(), { cwd: emptyFolder() })
    const port = new URL(first.url).port
    const second = await run(program, ['serve'], { cwd: emptyFolder(), environment: { FRONTDESK_PORT: port } })
    expect(second).toEqual({
      code: 1,
      stdout: '',
      stderr: `frontdesk: FRONTDESK_PORT: port ${port} on 127.0.0.1 is already in use\n`,
    })
    await first.stop()
  })

  test('on a taken port for mail fails with one line that names the variable', async () => {
    const first = await serve(await executable(), { cwd: emptyFolder(), environment: takesMail })
    const port = /^frontdesk takes mail on smtp:\/\/127\.0\.0\.1:(\d+)$/m.exec(first.output.stdout)?.[1] as string
    const environment = { FRONTDESK_INBOUND_SMTP_PORT: port }
    expect(await run(program, ['serve'], { cwd: emptyFolder(), environment })).toEqual({
      code: 1,
      stdout: '',
      stderr: `frontdesk: FRONTDESK_INBOUND_SMTP_PORT: port ${port} on 127.0.0.1 is already in use\n`,
    })
    expect(await first.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  testOfSqlite('a second time on the same data fails with one line, and works once the first has ended', async () => {
    const cwd = emptyFolder()
    const first = await serve(await executable(), { cwd })
    const second = await run(program, ['serve'], { cwd })
    expect(second).toMatchObject({ code: 1, stderr: expect.stringMatching(/^frontdesk: .*in use.*\n$/) })
    first.kill('SIGKILL')
    await first.exited
    await (await serve(program, { cwd })).stop()
  })
})

describe('a bad value of a variable', () => {
  test.each<[string, string, Record<string, string>?]>([
    ['FRONTDESK_PORT', 'eighty'],
    ['FRONTDESK_PORT', '65536'],
    ['FRONTDESK_HOST', '203.0.113.9'],
    ['FRONTDESK_BASE_URL', 'desk.acme.test'],
    ['FRONTDESK_RATE_LIMIT', '0'],
    ['FRONTDESK_PUBLIC_RATE_LIMIT', '-1'],
    ['FRONTDESK_MIN_FREE_MB', '-1'],
    ['FRONTDESK_TRUSTED_PROXIES', '10.0.0.0/8, proxy'],
    ['FRONTDESK_WEBHOOK_WINDOW_MS', '20s'],
    ['FRONTDESK_WEBHOOK_RETRY_BASE_MS', '1.5'],
    ['FRONTDESK_WEBHOOK_TIMEOUT_MS', '1e3'],
    ['FRONTDESK_WEBHOOK_ALLOW_PRIVATE', 'yes'],
    ['FRONTDESK_SECRET_KEY', 'c2hvcnQ='],
    ['FRONTDESK_SMTP_URL', 'mail.acme.test'],
    ['FRONTDESK_INBOUND_SMTP_PORT', 'smtp'],
    ['FRONTDESK_INBOUND_SMTP_PORT', '', { FRONTDESK_INBOUND_SMTP_HOST: '127.0.0.1' }],
    ['FRONTDESK_INBOUND_SMTP_PORT', '', { FRONTDESK_INBOUND_SMTP_TLS_CERT: cert, FRONTDESK_INBOUND_SMTP_TLS_KEY: key }],
    ['FRONTDESK_INBOUND_SMTP_HOST', '203.0.113.9', takesMail],
    ['FRONTDESK_INBOUND_SMTP_TLS_CERT', '', { ...takesMail, FRONTDESK_INBOUND_SMTP_TLS_KEY: key }],
    ['FRONTDESK_INBOUND_SMTP_TLS_KEY', '', { ...takesMail, FRONTDESK_INBOUND_SMTP_TLS_CERT: cert }],
    ['FRONTDESK_INBOUND_SMTP_TLS_CERT', 'missing.pem', { ...takesMail, FRONTDESK_INBOUND_SMTP_TLS_KEY: key }],
    ['FRONTDESK_INBOUND_SMTP_TLS_CERT', key, { ...takesMail, FRONTDESK_INBOUND_SMTP_TLS_KEY: key }],
    ['FRONTDESK_INBOUND_SMTP_TLS_KEY', cert, { ...takesMail, FRONTDESK_INBOUND_SMTP_TLS_CERT: cert }],
    ['FRONTDESK_INBOUND_SMTP_TLS_KEY', key, { ...takesMail, FRONTDESK_INBOUND_SMTP_TLS_CERT: certificate('ca.pem') }],
    ['FRONTDESK_STRIPE_KEY', 'pk_live_1', { FRONTDESK_STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
    ['FRONTDESK_STRIPE_KEY', '', { FRONTDESK_STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
    ['FRONTDESK_STRIPE_WEBHOOK_SECRET', '', { FRONTDESK_STRIPE_KEY: 'sk_live_1' }],
    ['FRONTDESK_STRIPE_WEBHOOK_SECRET', 'secret', { FRONTDESK_STRIPE_KEY: 'sk_live_1' }],
    ['FRONTDESK_STRIPE_API_BASE', 'https://api.stripe.com/v1'],
    ['FRONTDESK_RATE_LIMTI', '10'],
  ])('%s=%s stops the start with one line that names it', async (name, value, others = {}) => {
    const environment = { ...others, [name]: value }
    const answer = await run(await executable(), ['serve'], { cwd: emptyFolder(), environment })
    expect(answer).toMatchObject({ code: 1, stdout: '' })
    expect(answer.stderr).toMatch(new RegExp(`^frontdesk: ${name}: [^\\n]+\\n$`))
  })

  test('a data folder that cannot be made is one line too, with the path and what to do', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'file'), '')
    expect(await run(await executable(), ['serve', '--data', 'file/data'], { cwd })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'frontdesk: file/data: a part of this path is a file: choose a path of folders\n',
    })
    expect(await run(source, ['serve', '--data', 'file'], { cwd })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'frontdesk: file: is a file: choose a folder for the data (FRONTDESK_DATA, --data)\n',
    })
  })
})

test('several commands at once on a new folder all succeed, and it is migrated once', async () => {
  const program = await executable()
  const cwd = emptyFolder()
  const names = ['A', 'B', 'C', 'D']
  const made = await Promise.all(names.map((name) => record(program, ['tenant', 'create', '--name', name], { cwd })))
  expect(new Set(made.map(({ tenantId }) => tenantId)).size).toBe(names.length)
  await (await serve(program, { cwd })).stop()
})

testOfSqlite('a command waits while another, which a busy machine slows down, makes the folder', async () => {
  const program = await executable()
  const cwd = emptyFolder()
  const unlock = lockFolder(join(cwd, 'data'))
  const { uid } = statSync(cwd)
  for (const path of ['data', 'data/frontdesk.lock']) chownSync(join(cwd, path), uid, uid)
  const made = record(program, ['tenant', 'create', '--name', 'A'], { cwd })
  await Bun.sleep(4_000)
  unlock()
  expect(await made).toMatchObject({ tenantId: expect.any(String) })
})

test('the executable reads no .env and no bunfig.toml of the folder it is started in', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, '.env'), 'FRONTDESK_DATA=elsewhere\nFRONTDESK_RATE_LIMIT=nonsense\n')
  writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./hook.ts"]\n')
  writeFileSync(join(cwd, 'hook.ts'), `require('node:fs').writeFileSync('hooked', '')`)
  await (await serve(await executable(), { cwd })).stop()
  expect(existsSync(join(cwd, 'hooked'))).toBe(false)
  expect(readdirSync(cwd)).toContain('data')
})

describe('existing data', () => {
  const folder = async () => {
    const cwd = emptyFolder()
    const { tenantId } = await record(await executable(), ['tenant', 'create', '--name', 'Acme'], { cwd })
    return { cwd, tenantId, database: new Sqlite(join(cwd, 'data/frontdesk.db')) }
  }

  testOfSqlite('that a newer version wrote is refused with one line', async () => {
    const { cwd, database } = await folder()
    database.run("INSERT INTO migrations VALUES (9999, 'of a later day')")
    database.close()
    const answer = await run(await executable(), ['serve'], { cwd })
    expect(answer).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^frontdesk: .*version.*\n$/) })
  })

  testOfSqlite('is not migrated under an older server that serves it', async () => {
    const { cwd, tenantId, database } = await folder()
    const service = await serve(await executable(), { cwd })
    database.run('PRAGMA busy_timeout = 5000')
    const last = database.query<{ position: number; hash: string }, []>('SELECT * FROM migrations').all().at(-1)
    if (!last) throw new Error('there are no migrations')
    database.run('DELETE FROM migrations WHERE position = ?', [last.position])
    const refused = await run(await executable(), ['key', 'list', '--tenant', tenantId], { cwd })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^frontdesk: .*older.*\n$/) })
    database.run('INSERT INTO migrations VALUES (?, ?)', [last.position, last.hash])
    database.close()
    expect(await record(await executable(), ['key', 'list', '--tenant', tenantId], { cwd })).toEqual([])
    await service.stop()
  })

  testOfSqlite('is read while another program holds the write lock', async () => {
    const { cwd, tenantId, database } = await folder()
    // The first start has to write which key secrets are sealed with.
    await (await serve(await executable(), { cwd })).stop()
    database.run('BEGIN IMMEDIATE')
    expect(await record(await executable(), ['key', 'list', '--tenant', tenantId], { cwd })).toEqual([])
    const service = await serve(await executable(), { cwd })
    expect((await fetch(`${service.url}/v1/me`)).status).toBe(401)
    database.run('ROLLBACK')
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    database.close()
    await service.stop()
  })
})
