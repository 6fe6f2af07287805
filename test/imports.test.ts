import { expect, test } from 'bun:test'
import { chainOf, circlesOf, importsInSource } from './support/sources/imports.ts'
import { layers } from './support/sources/layers.ts'
import { loadedWith } from './support/sources/loaded.ts'

test('no file imports itself through others', async () => {
  const imports = await importsInSource()
  expect(imports.get('main.ts')).not.toEqual([])
  expect(circlesOf(imports).map((circle) => chainOf(circle, imports).join(' → '))).toEqual([])
})

/** The room that a file of `src` stands in: its folder, or itself without the ending. */
const roomOf = (path: string) => (path.split('/')[0] as string).replace(/\.ts$/, '')

test('no room uses one that stands above it', async () => {
  const order = Object.values(layers).flat()
  const imports = await importsInSource()
  expect([...new Set([...imports.keys()].map(roomOf))].sort()).toEqual([...order].sort())
  const upwards = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => order.indexOf(roomOf(target)) < order.indexOf(roomOf(file)))
      .map((target) => `${file} → ${target}`),
  )
  expect(upwards).toEqual([])
})

test('of what import each other, the shortest way around is named', () => {
  const imports = new Map([
    ['main.ts', ['a.ts', 'd.ts']],
    ['a.ts', ['b.ts']],
    ['b.ts', ['c.ts', 'd.ts']],
    ['c.ts', ['b.ts', 'a.ts']],
    ['d.ts', []],
  ])
  const circles = circlesOf(imports)
  expect(circles).toEqual([['a.ts', 'b.ts', 'c.ts']])
  expect(circles.map((circle) => chainOf(circle, imports))).toEqual([['b.ts', 'c.ts', 'b.ts']])
})

test('a service starts with the libraries that every one needs; what few use is loaded where it is used', async () => {
  const needed = /^(?:@sinclair\/typebox.*|bun|commander|drizzle-orm.*|elysia|ipaddr\.js|jsep)$/
  const small = /^(?:image-size\/types\/.*|nodemailer\/lib\/addressparser|uqr)$/
  const { libraries } = await loadedWith('main.ts')
  expect(libraries).toContain('elysia')
  expect(libraries.filter((name) => !needed.test(name) && !small.test(name))).toEqual([])
})

test('a service starts without the pages that people look at, and without the other commands', async () => {
  const { files } = await loadedWith('main.ts')
  expect(files).toContain('console/routes.ts')
  const needless = /^(?:console\/(?!routes)|guide\/(?!routes)|(?:docs|help|hosted|livechat)\/pages|cli\/commands)/
  expect(files.filter((file) => needless.test(file))).toEqual([])
})
