import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const DECLARED = /^(?:export )?const ([A-Z_]+) = ([\d_*+/ ().A-Z]+)$/gm

/** Numbers that the program's files give a name, by file and name: `orphans:TRASH_KEPT`. Files may move, and keep theirs. */
const numbers = new Map<string, number[]>()

for (const path of new Bun.Glob('src/**/*.ts').scanSync()) {
  const own = new Map<string, number>()
  for (const [, name = '', written = ''] of readFileSync(path, 'utf8').matchAll(DECLARED)) {
    const expression = written
      .replaceAll(/[A-Z_]{2,}/g, (other) => String(own.get(other) ?? Number.NaN))
      .replaceAll('_', '')
    const value = Number(new Function(`return ${expression}`)())
    if (Number.isNaN(value)) continue
    own.set(name, value)
    const key = `${basename(path, '.ts')}:${name}`
    numbers.set(key, [...(numbers.get(key) ?? []), value])
  }
}

/** What the program means by `orphans:TRASH_KEPT`. Throws where no file, or more than one, has such a number. */
export function constant(name: string): number {
  const [value, ...others] = new Set(numbers.get(name))
  if (value === undefined || others.length > 0) throw new Error(`${name}: ${others.length + 1} such numbers, or none`)
  return value
}
