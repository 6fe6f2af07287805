import { dirname, join, relative } from 'node:path'
import ts from 'typescript-5'

const SRC = join(import.meta.dir, '../../../src')

/** Each file of `src` (`tickets/read.ts`), with those of `src` that it imports, types too. */
export async function importsInSource(): Promise<Map<string, string[]>> {
  const paths = [...new Bun.Glob('**/*.ts').scanSync(SRC)].filter((path) => !path.endsWith('.d.ts')).sort()
  const known = new Set(paths)
  const all = new Map<string, string[]>()
  for (const path of paths) {
    const { importedFiles } = ts.preProcessFile(await Bun.file(join(SRC, path)).text(), true, true)
    const targets = importedFiles
      .filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => relative(SRC, join(SRC, dirname(path), fileName)))
    all.set(
      path,
      [...new Set(targets)].filter((target) => known.has(target)),
    )
  }
  return all
}

/** Groups of what reaches one another, in whatever steps: Tarjan's strongly connected components of more than one. */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (node: string): void => {
    order.set(node, order.size)
    lowest.set(node, order.get(node) as number)
    stack.push(node)
    for (const target of graph.get(node) ?? []) {
      if (!order.has(target)) visit(target)
      if (stack.includes(target)) {
        lowest.set(node, Math.min(lowest.get(node) as number, lowest.get(target) as number))
      }
    }
    if (lowest.get(node) !== order.get(node)) return
    const circle = stack.splice(stack.indexOf(node))
    if (circle.length > 1) circles.push(circle.sort())
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return circles
}

/** The shortest way around in a circle, which ends where it begins. */
export function chainOf(circle: readonly string[], graph: ReadonlyMap<string, readonly string[]>): string[] {
  const ways = circle.map((start) => wayBack(start, graph))
  return ways.reduce((shortest, way) => (way.length < shortest.length ? way : shortest))
}

/** The shortest way from `start` to itself. */
function wayBack(start: string, graph: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set<string>()
  const ways = [[start]]
  for (const way of ways) {
    for (const target of graph.get(way.at(-1) as string) ?? []) {
      if (target === start) return [...way, target]
      if (!seen.has(target)) ways.push([...way, target])
      seen.add(target)
    }
  }
  throw new Error(`${start} is in no circle`)
}
