/** A line that a command begins on, in code that shows a console. */
const PROMPT = /^\$ /
/** A command goes on after a line that ends so. */
const GOES_ON = /(\\|\||&&) *$/

/** What is typed in a console, each command with its lines and the number of its first, counted from 0; not what it prints. */
export function typedIn(text: string, begins = PROMPT): { readonly line: number; readonly command: string }[] {
  const typed: { line: number; command: string }[] = []
  let goesOn = false
  for (const [line, written] of text.split('\n').entries()) {
    const last = typed.at(-1)
    if (last && goesOn) last.command += `\n${written}`
    else if (begins.test(written)) typed.push({ line, command: written.replace(PROMPT, '') })
    else continue
    goesOn = GOES_ON.test(written)
  }
  return typed
}
