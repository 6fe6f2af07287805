import { html, type Markup } from '../../../lib/html/markup.ts'
import { icons } from '../icons.ts'
import { steps } from './scales.ts'
import { type Control, idOf, named } from './types.ts'

export const nps: Control<'nps'> = {
  render: (question, wording) => html`<div class="scale nps">
    ${steps(
      idOf(question, 0),
      Array.from({ length: 11 }, (_, value) => value),
      { low: wording.say('notLikely'), high: wording.say('veryLikely') },
      wording,
    )}
  </div>`,
}

export const starRating: Control<'star_rating'> = {
  render(question, { say }) {
    const { maxStars } = question.settings
    const stars = Array.from({ length: maxStars }, (_, index) => index + 1)
    return html`<div class="stars">${stars.map(
      (value) =>
        html`<label><input type="radio" name="${idOf(question)}" id="${idOf(question, value)}" value="${value}" aria-label="${say('stars', { stars: value, count: maxStars })}">${icons.star}</label>`,
    )}</div>`
  },
}

const pairs = {
  thumbs: [icons.thumbsUp, icons.thumbsDown],
  tick_cross: [icons.tick, icons.cross],
  faces: [icons.smile, icons.frown],
} as const

export const binary: Control<'binary'> = {
  render(question, { say }) {
    const { trueLabel, falseLabel, icon } = question.settings
    const [yes, no] = pairs[icon]
    const side = (value: boolean, label: string, picture: Markup) =>
      html`<label class="side"><input type="radio" name="${idOf(question)}" id="${idOf(question, String(value))}" value="${String(value)}">${picture}<span>${label}</span></label>`
    return html`<div class="binary">${side(true, ownOr('Yes', trueLabel, say('yes')), yes)}${side(false, ownOr('No', falseLabel, say('no')), no)}</div>`
  },
}

export const numeric: Control<'numeric'> = {
  render: (question) =>
    html`<input class="text short" type="number" step="any" inputmode="decimal" ${named(question)}>`,
}

/** A label of the form; where it is the `preset` of the question type, it is `ours` to say in the form's language. */
function ownOr(preset: string, label: string, ours: string): string {
  return label === preset ? ours : label
}
