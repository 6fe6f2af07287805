import { html, type Markup } from '../../../lib/markup.ts'
import { icons } from '../icons.ts'
import { steps } from './scales.ts'
import { type Control, idOf, named } from './types.ts'

export const nps: Control<'nps'> = {
  render: (question) => html`<div class="scale nps">
    ${steps(
      idOf(question, 0),
      Array.from({ length: 11 }, (_, value) => value),
      { low: 'Not at all likely', high: 'Extremely likely' },
    )}
  </div>`,
}

export const starRating: Control<'star_rating'> = {
  render(question) {
    const { maxStars } = question.settings
    const stars = Array.from({ length: maxStars }, (_, index) => index + 1)
    return html`<div class="stars">${stars.map(
      (value) =>
        html`<label><input type="radio" name="${idOf(question)}" id="${idOf(question, value)}" value="${value}" aria-label="${value} of ${maxStars} stars">${icons.star}</label>`,
    )}</div>`
  },
}

const pairs = {
  thumbs: [icons.thumbsUp, icons.thumbsDown],
  tick_cross: [icons.tick, icons.cross],
  faces: [icons.smile, icons.frown],
} as const

export const binary: Control<'binary'> = {
  render(question) {
    const { trueLabel, falseLabel, icon } = question.settings
    const [yes, no] = pairs[icon]
    const side = (value: boolean, label: string, picture: Markup) =>
      html`<label class="side"><input type="radio" name="${idOf(question)}" id="${idOf(question, String(value))}" value="${String(value)}">${picture}<span>${label}</span></label>`
    return html`<div class="binary">${side(true, trueLabel, yes)}${side(false, falseLabel, no)}</div>`
  },
}

export const numeric: Control<'numeric'> = {
  render: (question) =>
    html`<input class="text short" type="number" step="any" inputmode="decimal" ${named(question)}>`,
}
