/** Marks of quotes at the start of a line; some programs leave blanks between them. */
const MARKS = /^(?:> ?)*/

/**
 * Text of `format=flowed` with its lines as they were written: those that were broken to fit are put together again,
 * within quotes too, each level of them apart (RFC 3676 §4). With `delSp`, the blank that a line was broken at is none of
 * the text.
 */
export function unflow(text: string, delSp: boolean): string {
  const lines: string[] = []
  /** What goes on in the next line, and how deep in quotes it stands. */
  let pieces: string[] = []
  let level = 0
  const end = () => {
    if (pieces.length > 0) lines.push(quoted(pieces.join(''), level))
    pieces = []
  }
  for (const line of text.split(/\r?\n/)) {
    const marks = MARKS.exec(line)?.[0] ?? ''
    const depth = marks === '' ? 0 : marks.replaceAll(' ', '').length
    // Lines that begin with a blank, or that servers would change, are stuffed with one.
    const words = line.slice(depth > 0 ? marks.length : line.startsWith(' ') ? 1 : 0)
    const isSignature = words === '-- '
    if (depth !== level || isSignature) end()
    level = depth
    const goesOn = words.endsWith(' ') && !isSignature
    pieces.push(goesOn && delSp ? words.slice(0, -1) : words)
    if (!goesOn) end()
  }
  end()
  return lines.join('\n')
}

function quoted(words: string, depth: number): string {
  return depth === 0 ? words : `${'>'.repeat(depth)} ${words}`.trimEnd()
}
