import { html } from '../../../lib/html/markup.ts'
import { icons } from '../icons.ts'
import { type Control, idOf, labelsIn } from './types.ts'

/** Dragged, by finger at the handle, or moved by the buttons; what happened is read out. The order counts once it was touched. */
export const ranking: Control<'ranking'> = {
  render: (question, { say, langOf }) => html`<ol class="ranking" data-untouched>
    ${labelsIn(question.settings, 'rankOptions').map(
      (label, index) => html`<li data-label="${question.settings.rankOptions[index]}">
        <span class="handle" aria-hidden="true">${icons.handle}</span>
        <span class="rank" aria-hidden="true">–</span>
        <span class="label"${langOf(label)}>${label}</span>
        <button type="button" class="icon" data-move="-1" id="${idOf(question, `${index}-up`)}" aria-label="${say('moveUp', { option: label })}">${icons.up}</button>
        <button type="button" class="icon" data-move="1" id="${idOf(question, `${index}-down`)}" aria-label="${say('moveDown', { option: label })}">${icons.down}</button>
      </li>`,
    )}
  </ol>
  <button type="button" class="quiet" data-confirm>${say('keepOrder')}</button>
  <p class="sr" role="status"></p>
  <input type="hidden" id="${idOf(question, 'order')}" value="">`,
  hint: (_, { say }) => say('rankingHint'),
}
