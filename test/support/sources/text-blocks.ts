import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { typedIn } from '../../../src/guide/console-lines.ts'

const ROOT = join(import.meta.dir, '../../..')

/** Code of the README or of a chapter, as it stands between its fences. */
export interface Block {
  /** From the root of the repository. */
  readonly path: string
  /** Number of its first line in the file. */
  readonly line: number
  /** What follows the fence: `sh`, `console`, `ini` …, or ''. */
  readonly language: string
  readonly text: string
}

/** A command of a block, with what the text shows that it prints. */
export interface Step {
  /** `README.md:45`. */
  readonly place: string
  readonly command: string
  /** Null where the text shows nothing, as in blocks for a shell. */
  readonly shown: string | null
}

/** All code of a file, in its order. */
export function blocksOf(path: string): Block[] {
  const blocks: Block[] = []
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const fence = /^ *```(\w*)$/.exec(lines[at] ?? '')
    if (!fence) continue
    const end = lines.findIndex((line, index) => index > at && /^ *```$/.test(line))
    blocks.push({ path, line: at + 2, language: fence[1] ?? '', text: lines.slice(at + 1, end).join('\n') })
    at = end
  }
  return blocks
}

/**
 * All code of a file, for the test that runs it: of these languages, in this order. Throws where another block has come
 * to the text, which nobody would run.
 */
export function codeOf<const L extends readonly string[]>(path: string, ...languages: L): { [I in keyof L]: Block } {
  const blocks = blocksOf(path)
  for (const [index, { line, language }] of blocks.entries()) {
    if (language !== languages[index]) throw new Error(`${path}:${line}: no test runs this block of ${language}`)
  }
  if (blocks.length < languages.length) throw new Error(`${path}: it has ${blocks.length} blocks of code`)
  return blocks as { [I in keyof L]: Block }
}

/**
 * The commands of a block. In one for a shell every line is a command; in one of a console those that begin with `$ `,
 * and what follows them is what they print. Lines that go on are one command.
 */
export function stepsOf({ path, line, language, text }: Block): Step[] {
  const isConsole = language === 'console'
  const lines = text.split('\n')
  const typed = isConsole ? typedIn(text) : typedIn(text, /^[^#\s]/)
  return typed.map(({ line: at, command }, index) => {
    const printed = lines.slice(at + command.split('\n').length, typed[index + 1]?.line)
    const shown = isConsole && printed.length > 0 ? printed.join('\n') : null
    return { place: `${path}:${line + at}`, command, shown }
  })
}
