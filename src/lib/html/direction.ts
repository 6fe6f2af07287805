const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u

/** Innermost blocks of text, and lists and tables as a whole, which say no direction yet. */
const BLOCK = /<(p|h[1-6]|pre|ul|ol|table)(?=[\s>])(?![^>]*\sdir=)/g

/**
 * HTML of a mail in which every part runs as its own text does: mail programs write from left to right unless they are
 * told. What holds nothing that runs from right to left stays as it is.
 */
export function withDirections(html: string): string {
  return RIGHT_TO_LEFT.test(html) ? `<div dir="auto">${html.replace(BLOCK, '<$1 dir="auto"')}</div>` : html
}
