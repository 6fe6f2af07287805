import { beforeAll, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder, executable, type Program, record, run } from '../../support/processes/program.ts'

let program: Program
beforeAll(async () => {
  program = await executable()
})

async function withData() {
  const cwd = emptyFolder()
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
  const environment = { FRONTDESK_BACKUP_TO: join(emptyFolder(), 'kept') }
  return { cwd, environment, folder: environment.FRONTDESK_BACKUP_TO }
}

test('backup list names what is there, newest first, and which of it is good; check --backup says what is wrong with it', async () => {
  const { cwd, environment, folder } = await withData()
  const list = () => record(program, ['backup', 'list'], { cwd, environment })
  expect(await list()).toEqual([])
  const { name, at, size } = await record(program, ['backup', 'now'], { cwd, environment })
  const good = { name, at: new Date(at).toISOString(), size, good: true }
  expect(await list()).toEqual([good])
  const [earlier, damaged] = ['frontdesk-2026-01-01T00-00-00Z.tar', 'frontdesk-2025-01-01T00-00-00Z.tar']
  copyFileSync(join(folder, name), join(folder, earlier))
  const bytes = readFileSync(join(folder, name))
  bytes[900_000] = (bytes[900_000] as number) ^ 1
  writeFileSync(join(folder, damaged), bytes)
  for (const copy of [earlier, damaged]) chmodSync(join(folder, copy), 0o644)
  expect(await list()).toEqual([
    good,
    { name: earlier, at: '2026-01-01T00:00:00.000Z', size, good: true },
    { name: damaged, at: '2025-01-01T00:00:00.000Z', size, good: false },
  ])
  // It only looked.
  expect(readdirSync(folder).sort()).toEqual([damaged, earlier, name, `${name}.sha256`])
  expect(await run(program, ['check', '--backup', name, '--json'], { cwd, environment })).toMatchObject({
    code: 0,
    stdout: '[]\n',
  })
  const bad = await run(program, ['check', '--backup', join(folder, damaged)], { cwd: emptyFolder() })
  expect([bad.code, bad.stdout]).toEqual([
    1,
    expect.stringMatching(/frontdesk\.db" was changed: it cannot be restored/),
  ])
  const gone = await run(program, ['check', '--backup', 'nothing.tar'], { cwd })
  expect([gone.code, gone.stdout]).toEqual([1, expect.stringContaining('does not exist')])
  // On a bare machine, from the place alone.
  const bare = emptyFolder()
  await record(program, ['restore', name], { cwd: bare, environment })
  expect(existsSync(join(bare, 'data/frontdesk.db'))).toBe(true)
})

test('without room none is made, what is there stays, and the line says how much it takes', async () => {
  const { cwd, environment, folder } = await withData()
  await record(program, ['backup', 'now'], { cwd, environment })
  const before = readdirSync(folder)
  // A file that claims to be larger than any disk takes no room itself.
  const huge = join(cwd, 'data/uploads/huge')
  await Bun.$`mkdir -p ${join(cwd, 'data/uploads')} && truncate -s 8E ${huge} 2>/dev/null || truncate -s 15T ${huge}`.quiet()
  await Bun.$`chmod -R a+rwX ${join(cwd, 'data/uploads')}`.quiet()
  const refused = await run(program, ['backup', 'now'], { cwd, environment })
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^frontdesk: there is no room for a backup: making it takes \d+ MB in .*: make room, or .*\n$/,
    ),
  ])
  expect(readdirSync(folder)).toEqual(before)
})

test('what the variables cannot be is refused in a line that names the variable', async () => {
  const cwd = emptyFolder()
  for (const [name, value] of [
    ['FRONTDESK_BACKUP_TO', 'ftp://backups/here'],
    ['FRONTDESK_BACKUP_TO', 's3://no'],
    ['FRONTDESK_BACKUP_EVERY', '24'],
    ['FRONTDESK_BACKUP_EVERY', '0h'],
    ['FRONTDESK_BACKUP_KEEP', '7'],
    ['FRONTDESK_BACKUP_KEEP', '7d 3d'],
    ['FRONTDESK_BACKUP_KEEP', '0d'],
  ] as const) {
    const { code, stderr } = await run(program, ['backup', 'list'], { cwd, environment: { [name]: value } })
    expect([value, code, stderr]).toEqual([
      value,
      1,
      expect.stringMatching(new RegExp(`^frontdesk: ${name}: must be .*\\n$`)),
    ])
  }
  const s3 = await run(program, ['backup', 'list'], { cwd, environment: { FRONTDESK_BACKUP_TO: 's3://bucket/desk' } })
  expect(s3.stderr).toBe('frontdesk: AWS_ACCESS_KEY_ID: must be set where FRONTDESK_BACKUP_TO begins with s3://\n')
  const unset = await run(program, ['backup', 'now'], { cwd })
  expect(unset.stderr).toStartWith('frontdesk: FRONTDESK_BACKUP_TO: must be set')
})
