import { readFileSync } from 'node:fs'

const DECLARED = /^(?:export )?const ([A-Z_]+) = ([\d_*+/ ().A-Z]+)$/gm

/** Every number that a file of the program gives a name. */
const numbers = [...new Bun.Glob('src/**/*.ts').scanSync()].flatMap((path) => {
  const own = new Map<string, number>()
  for (const [, name = '', written = ''] of readFileSync(path, 'utf8').matchAll(DECLARED)) {
    const expression = written.replaceAll(/[A-Z_]{2,}/g, (other) => String(own.get(other))).replaceAll('_', '')
    own.set(name, Number(new Function(`return ${expression}`)()))
  }
  return [...own].map(([name, value]) => ({ path, name, value }))
})

/**
 * What the program means by `orphans:TRASH_KEPT`, a name and how the path of its file ends, wherever that lies; where it
 * has gone to another file, by the name alone. Throws where there is no such number, or more than one.
 */
export function constant(place: string): number {
  const [file = '', name] = place.split(':')
  const named = numbers.filter((one) => one.name === name)
  const there = named.filter(({ path }) => path.endsWith(`/${file}.ts`))
  const [value, ...others] = new Set((there.length > 0 ? there : named).map((one) => one.value))
  if (value === undefined) throw new Error(`${place}: the program has no such number`)
  if (others.length > 0) throw new Error(`${place}: the program has several: ${[value, ...others].join(', ')}`)
  return value
}
