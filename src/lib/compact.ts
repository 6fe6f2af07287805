/** A style sheet without its comments and the space that it does not need; its strings hold neither. */
export function compact(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim()
}
