/** Begins what stands for a character that PostgreSQL's text cannot hold; no program means anything by it. */
const ESCAPE = '\uFDD0'
const ESCAPED = /[\0\uFDD0]/g
const ESCAPES = /\uFDD0([01])/g

/** Text as PostgreSQL can hold it: U+0000, which JSON can carry and SQLite keeps, is escaped. */
export function encodeText(text: string): string {
  if (!text.includes('\0') && !text.includes(ESCAPE)) return text
  return text.replace(ESCAPED, (character) => ESCAPE + (character === '\0' ? '0' : '1'))
}

/** What `encodeText` was given. */
export function decodeText(text: string): string {
  return text.includes(ESCAPE) ? text.replace(ESCAPES, (_, which) => (which === '0' ? '\0' : ESCAPE)) : text
}
