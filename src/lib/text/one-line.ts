/** `text` without line breaks and control characters, runs of white space as one space. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** The first `max` UTF-16 units, one less where the last would be half a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isHalf ? max - 1 : max).trimEnd()
}
