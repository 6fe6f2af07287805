import { html, type Markup } from '../../../lib/markup.ts'
import { type Asked, type Control, idOf } from './types.ts'

type Scales = Asked<'likert'> | Asked<'likert_slider'>
type Scale = Scales['settings']['scales'][number]

/** Up to so many steps stand in one row, on a wide page and on a phone; more of them wrap. */
const WIDE_ROW = 11
const NARROW_ROW = 6

export const likert: Control<'likert'> = {
  render: (question) => each(question, (scale, index) => buttons(question, scale, index)),
}

export const likertSlider: Control<'likert_slider'> = {
  render: (question) => each(question, (scale, index) => slider(question, scale, index)),
}

function each(question: Scales, control: (scale: Scale, index: number) => Markup): Markup {
  return html`<div class="scales">${question.settings.scales.map(control)}</div>`
}

function buttons(question: Scales, scale: Scale, index: number): Markup {
  const { scaleStart, scaleEnd } = question.settings
  const values = Array.from({ length: scaleEnd - scaleStart + 1 }, (_, step) => scaleStart + step)
  return html`<div class="scale" role="radiogroup" aria-label="${nameOf(scale)}" data-scale="${index}">
    ${steps(
      idOf(question, index),
      values,
      values.map((value) => ariaOf(value, scale, scaleStart, scaleEnd)),
    )}
    ${ends(scale.text, scale.opposingText)}
  </div>`
}

/** A row of numbers to choose from. `spoken` is what each is called where its number alone says too little. */
export function steps(name: string, values: readonly number[], spoken: readonly (string | null)[] = []): Markup {
  const wrap = values.length > WIDE_ROW ? ' many' : values.length > NARROW_ROW ? ' several' : ''
  return html`<div class="steps${wrap}">
    ${values.map((value, index) => {
      const label = spoken[index]
      return html`<label class="step"><input type="radio" name="${name}" id="${name}-${value}" value="${value}"${label && html` aria-label="${label}"`}><span>${value}</span></label>`
    })}
  </div>`
}

/** What the lowest and the highest step mean, under them. */
export function ends(low: string, high: string): Markup {
  return html`<div class="ends" aria-hidden="true"><span>${low}</span><span>${high}</span></div>`
}

function slider(question: Scales, scale: Scale, index: number): Markup {
  const { scaleStart, scaleEnd } = question.settings
  const id = idOf(question, index)
  const middle = Math.floor((scaleStart + scaleEnd) / 2)
  return html`<div class="scale slider" data-scale="${index}" data-untouched>
    <output for="${id}" aria-hidden="true">–</output>
    <input type="range" id="${id}" min="${scaleStart}" max="${scaleEnd}" step="1" value="${middle}" data-start="${middle}" aria-label="${nameOf(scale)}" aria-valuetext="Not answered yet, ${scaleStart} to ${scaleEnd}">
    <input type="hidden" id="${id}-touched" value="">
    ${ends(scale.text, scale.opposingText)}
  </div>`
}

function nameOf({ text, opposingText }: Scale): string {
  return `${text} to ${opposingText}`
}

function ariaOf(value: number, { text, opposingText }: Scale, start: number, end: number): string | null {
  if (value === start) return `${value}, ${text}`
  return value === end ? `${value}, ${opposingText}` : null
}
