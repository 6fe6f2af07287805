/**
 * What a text shows of a program's output, and what the program printed. In the text `…` stands for anything, and lines
 * may be broken where the output has none. Values of chance (ids, ports, codes) are others each time: the first one that
 * the text shows stands for the one that was printed in its place, and from then on for no other.
 */

/** Values of chance, as the README and the guide show them. */
const CHANCE = [
  'http://127\\.0\\.0\\.1:3000',
  '127\\.0\\.0\\.1:\\d{5}',
  '(?:r_)?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}',
  'sk_[\\w-]{20,}',
  '(?<=/f/)\\w{8}\\b',
  '(?<="launchCode":")\\w{8}',
  '(?<=x-request-id: )\\S+',
  '(?<="requestId":")[\\w-]+',
  '(?<=ratelimit-remaining: )\\d+',
  '(?<=help\\+t\\.)\\w+',
]
const TOKEN = new RegExp(`(${CHANCE.join('|')})|([\\w-]*…)|(\\s+)`)

/** What the text's values of chance stand for. */
export type Known = Map<string, string>

/** The first line of `shown` that `printed` does not have in its place, counted from 0; null where it has them all. */
export function faultIn(shown: string, printed: string, known: Known): number | null {
  const lines = shown.split('\n')
  const values = matched(shown, printed, known, '\\s*$')
  if (values) {
    for (const [value, actual] of values) known.set(value, actual)
    return null
  }
  const isFound = (count: number) => matched(lines.slice(0, count).join('\n'), printed, known, '')
  for (let count = 1; count <= lines.length; count += 1) if (!isFound(count)) return count - 1
  return lines.length - 1
}

/** What the values of chance in `shown` stand for, those that are new; null where `printed` is something else. */
function matched(shown: string, printed: string, known: Known, end: string): Known | null {
  const names: string[] = []
  const pattern = shown.split(TOKEN).reduce((before, part, index) => {
    if (part === undefined || part === '') return before
    const kind = index % 4
    if (kind === 0) return before + RegExp.escape(part)
    if (kind === 2) return `${before}[\\s\\S]*?`
    if (kind === 3) return `${before}\\s*`
    const actual = known.get(part)
    if (actual !== undefined) return before + RegExp.escape(actual)
    if (names.includes(part)) return `${before}\\${names.indexOf(part) + 1}`
    names.push(part)
    return `${before}(\\S+?)`
  }, '^\\s*')
  const found = new RegExp(pattern + end).exec(printed)
  return found && new Map(names.map((name, index) => [name, found[index + 1] as string]))
}

/** A command of the text with what its values of chance stand for; `sk_…` is the key, whichever it is. */
export function inserted(command: string, known: Known): string {
  const key = [...known].find(([value]) => value.startsWith('sk_'))
  const all: [string, string][] = key ? [...known, ['sk_…', key[1]]] : [...known]
  return all.reduce((text, [value, actual]) => text.replaceAll(value, actual), command)
}
