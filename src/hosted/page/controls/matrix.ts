import { html } from '../../../lib/markup.ts'
import { type Control, idOf } from './types.ts'

/** With more columns than fit beside each other, every row is a card, on a wide page too. */
const FITS = 7

/** Rows are groups of radio buttons: a table on a wide page, a card for each row on a phone. */
export const matrix: Control<'matrix'> = {
  render(question) {
    const { rowHeadings, columnHeadings } = question.settings
    return html`<div class="matrix${columnHeadings.length > FITS && ' cards'}">
      <div class="matrix-head" aria-hidden="true"><span></span>${columnHeadings.map((column) => html`<span>${column}</span>`)}</div>
      ${rowHeadings.map((heading, row) => {
        const id = idOf(question, row)
        return html`<div class="matrix-row" role="radiogroup" aria-labelledby="${id}-heading" data-row="${row}">
          <span class="matrix-heading" id="${id}-heading">${heading}</span>
          ${columnHeadings.map(
            (label, column) =>
              html`<label class="cell"><input type="radio" name="${id}" id="${id}-${column}" value="${column}"><span>${label}</span></label>`,
          )}
        </div>`
      })}
    </div>`
  },
}
