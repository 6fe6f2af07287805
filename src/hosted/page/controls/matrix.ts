import { html } from '../../../lib/html/markup.ts'
import { type Control, idOf, labelsIn } from './types.ts'

/** The width of the table on a wide page, and of a letter and the margins of a column heading, in pixels. */
const WIDTH = 614
const LETTER = 7.8
const MARGINS = 8
/** What a finger or a mouse needs. */
const NARROWEST = 60

/** Rows are groups of radio buttons: a table on a wide page, a card for each row on a phone. */
export const matrix: Control<'matrix'> = {
  render(question, { langOf }) {
    const rowHeadings = labelsIn(question.settings, 'rowHeadings')
    const columnHeadings = labelsIn(question.settings, 'columnHeadings')
    return html`<div class="matrix${!fits(columnHeadings) && ' cards'}">
      <div class="matrix-head" aria-hidden="true"><span></span>${columnHeadings.map((column) => html`<span${langOf(column)}>${column}</span>`)}</div>
      ${rowHeadings.map((heading, row) => {
        const id = idOf(question, row)
        return html`<div class="matrix-row" role="radiogroup" aria-labelledby="${id}-heading" data-row="${row}">
          <span class="matrix-heading" id="${id}-heading"${langOf(heading)}>${heading}</span>
          ${columnHeadings.map(
            (label, column) =>
              html`<label class="cell"><input type="radio" name="${id}" id="${id}-${column}" value="${column}"><span${langOf(label)}>${label}</span></label>`,
          )}
        </div>`
      })}
    </div>`
  },
}

/** Between words; where they are not spaced, any letter may begin a line. */
const WORDS = /[\s-]+|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u

/** Whether columns can stand beside each other with no word broken; otherwise rows are cards on a wide page, too. */
function fits(headings: readonly string[]): boolean {
  // The row's heading takes the place of two.
  const width = WIDTH / (headings.length + 2)
  const longest = Math.max(...headings.flatMap((heading) => heading.split(WORDS)).map(({ length }) => length))
  return width >= Math.max(NARROWEST, longest * LETTER + MARGINS)
}
