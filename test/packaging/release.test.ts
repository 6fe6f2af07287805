import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { BILL, makeRelease, type Released, SUMS } from '../../src/packaging/release.ts'
import { fileOf, ownTarget, type Target } from '../../src/packaging/targets.ts'
import { copyExecutable } from '../support/runs/build.ts'

const target = ownTarget() as Target
let parent: string
let into: string
let released: Released[]

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'frontdesk-release-'))
  into = join(parent, 'packages')
  released = await makeRelease(into, [target], (_, file) => copyExecutable(file))
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

test('a release has the executable, which runs, and is smaller compressed', async () => {
  const file = fileOf(target)
  expect(readdirSync(into).sort()).toEqual([SUMS, BILL, file, `${file}.gz`].sort())
  const { size } = statSync(join(into, file))
  expect(released).toEqual([{ file, size, compressed: statSync(join(into, `${file}.gz`)).size }])
  expect(released[0]?.compressed).toBeLessThan(size / 2)
  const said = Bun.spawnSync([join(into, file), '--version']).stdout.toString()
  expect(said.trim()).toBe(manifest.version)
})

test('its sums are those of sha256sum, and one byte more is noticed', () => {
  const check = () => Bun.spawnSync(['sha256sum', '--check', '--strict', SUMS], { cwd: into })
  expect(check().exitCode).toBe(0)
  expect(readFileSync(join(into, SUMS), 'utf8').trim().split('\n')).toHaveLength(3)
  writeFileSync(join(into, BILL), ' ', { flag: 'a' })
  expect(check().stdout.toString()).toContain(`${BILL}: FAILED`)
})

test('its bill of materials names every package that we depend on, and Bun, each once', () => {
  const bill = JSON.parse(readFileSync(join(into, BILL), 'utf8'))
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
  expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  const refs = bill.components.map((component: { purl: string }) => component.purl)
  expect(new Set(refs).size).toBe(refs.length)
  for (const [name, version] of Object.entries({ ...manifest.dependencies, bun: Bun.version })) {
    expect(refs).toContain(`pkg:npm/${name.replace('@', '%40')}@${version}`)
  }
  expect(refs).not.toContain(`pkg:npm/typescript@${manifest.devDependencies.typescript}`)
  const unlicensed = bill.components.filter(({ licenses }: { licenses?: unknown[] }) => !licenses?.length)
  expect(unlicensed.map(({ name }: { name: string }) => name)).toEqual([])
})

test('one that fails leaves what was there, and nothing else', async () => {
  const before = readFileSync(join(into, SUMS), 'utf8')
  const failing = makeRelease(into, [target], async () => {
    throw new Error('no compiler')
  })
  expect(await failing.catch((error) => error.message)).toBe('no compiler')
  expect([readdirSync(parent), readFileSync(join(into, SUMS), 'utf8')]).toEqual([['packages'], before])
})
