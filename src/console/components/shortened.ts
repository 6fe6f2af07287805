/** Long texts are read where they are whole. */
export function shortened(text: string, length = 200): string {
  return text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`
}
