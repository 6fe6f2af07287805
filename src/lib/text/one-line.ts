/** `text` without line breaks and control characters, runs of white space as one space. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** The first `max` UTF-16 units, one less where the last would be half a character; what is cut ends in no white space. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : start(text, max).trimEnd()
}

/** As much of a text as a list of many shows, with a sign that it goes on: it is read where it is whole. */
export function shortened(text: string, max = 200): string {
  return text.length <= max ? text : `${start(text, max)}…`
}

function start(text: string, max: number): string {
  const last = text.charCodeAt(max - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isHalf ? max - 1 : max)
}
