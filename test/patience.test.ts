import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'

/** What gives a test, a hook or a page a limit of its own, which a machine passes that has other things to do. */
const OWN_LIMITS = [
  /setDefaultTimeout\([^)]*\)/g,
  /^\s*\}, [\d_]{4,}\)$/gm,
  /^\s*\},\n\s*[\d_]{4,},\n\s*\)$/gm,
  /\btimeout: [\d_]+ \}/g,
  /waitForTimeout\([^)]*\)/g,
]

test('tests wait with the patience that they share, and have no limits of their own', () => {
  const files = [...new Bun.Glob('test/**/*.{test,slow,postgres}.ts').scanSync()]
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return OWN_LIMITS.flatMap((limit) => [...text.matchAll(limit)].map(([own]) => `${file}: ${own.trim()}`))
  })
  expect(files.length).toBeGreaterThan(200)
  expect(found).toEqual([])
})

test('tests wait for what fails without standing still themselves', () => {
  const files = [...new Bun.Glob('test/**/*.ts').scanSync()].filter((file) => file !== 'test/support/refusal.ts')
  expect(files.filter((file) => /\.rejects\b/.test(readFileSync(file, 'utf8').replace(/^ *\*.*$/gm, '')))).toEqual([
    'test/patience.test.ts',
  ])
})

test('no transaction is the driver’s own on PostgreSQL: one that loses its connection throws where nobody can catch it', () => {
  const files = [...new Bun.Glob('{src,test}/**/*.ts').scanSync()].filter((file) => !file.startsWith('test/bench/'))
  const own = /\.reserve\(\)|\.begin\((?:async|'(?:ISOLATION|READ)|\(?(?:sql|tx)\b)/
  expect(files.filter((file) => own.test(readFileSync(file, 'utf8')))).toEqual([])
})
