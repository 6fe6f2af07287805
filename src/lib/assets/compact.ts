const SPACE = String.raw`(?:\s|\/\*(?:(?!\*\/)[^])*\*\/)`

/** Strings, which stay; signs that need no space, the last `;` of a rule that nothing needs; and space. */
const PIECES = new RegExp(
  String.raw`("(?:[^"\\]|\\[^])*")|${SPACE}*(?:;${SPACE}*)?(})${SPACE}*|${SPACE}*([{;,>])${SPACE}*|(:)${SPACE}+|${SPACE}+`,
  'g',
)

/** A style sheet without its comments and the space that it does not need. Its strings stand in double quotes. */
export function compact(css: string): string {
  const pieces = css.replace(PIECES, (_, string, end, sign, colon) => string ?? end ?? sign ?? colon ?? ' ')
  return pieces.trim()
}
