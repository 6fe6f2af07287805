import { html, type Markup } from '../../../lib/html/markup.ts'
import type { PageWording } from '../page-wording.ts'
import { type Asked, type Control, idOf, labelsIn } from './types.ts'

type Scales = Asked<'likert'> | Asked<'likert_slider'>

/** What the two ends of a scale mean. */
interface Ends {
  readonly low: string
  readonly high: string
}

/** The width of a row of steps on the narrowest page that has the wide layout, and on a phone of 320 pixels. */
const WIDE = 520
const NARROW = 280
/** Of a step, in pixels: the least a mouse or a finger needs, and what a character and the margins take. */
const WIDE_STEP = 34
const NARROW_STEP = 24
const CHARACTER = 9
const MARGINS = 6
/** From here on the steps of a row on a phone touch each other. */
const JOINED = 8

export const likert: Control<'likert'> = {
  render: (question, wording) => each(question, wording, (scale, index) => buttons(question, scale, index, wording)),
}

export const likertSlider: Control<'likert_slider'> = {
  render: (question, wording) => each(question, wording, (scale, index) => slider(question, scale, index, wording)),
}

function each(question: Scales, { say }: PageWording, control: (scale: Ends, index: number) => Markup): Markup {
  const ends = labelsIn(question.settings, 'scales').map(({ text, opposingText }) =>
    // The preset of the question type is ours to say in the form's language.
    text === 'Disagree' && opposingText === 'Agree'
      ? { low: say('disagree'), high: say('agree') }
      : { low: text, high: opposingText },
  )
  return html`<div class="scales">${ends.map(control)}</div>`
}

function buttons(question: Scales, scale: Ends, index: number, wording: PageWording): Markup {
  const { scaleStart, scaleEnd } = question.settings
  const values = Array.from({ length: scaleEnd - scaleStart + 1 }, (_, step) => scaleStart + step)
  return html`<div class="scale" role="radiogroup" aria-label="${wording.say('scaleEnds', { ...scale })}" data-scale="${index}">
    ${steps(idOf(question, index), values, scale, wording)}
  </div>`
}

/**
 * Numbers to choose from, lowest first, and what the two ends mean. They stand in one row; where a phone has no room for
 * it they are a list with both ends named, and on a wide page they wrap.
 */
export function steps(
  name: string,
  values: readonly number[],
  { low, high }: Ends,
  { say, write }: PageWording,
): Markup {
  const last = values.length - 1
  const text = Math.max(...values.map((value) => write(value).length)) * CHARACTER + MARGINS
  const wraps = WIDE / values.length < Math.max(WIDE_STEP, text)
  const isList = NARROW / values.length < Math.max(NARROW_STEP, text - MARGINS)
  const endMeaning = (index: number, meaning: string) => say('endMeaning', { step: values[index] as number, meaning })
  return html`<div class="steps${wraps && ' wraps'}${isList ? ' list' : values.length >= JOINED && ' joined'}">
    ${values.map((value, index) => {
      const end = index === 0 ? low : index === last ? high : null
      return html`<label class="step"><input type="radio" name="${name}" id="${name}-${value}" value="${value}"${end && html` aria-label="${say('stepMeaning', { step: value, meaning: end })}"`}><span>${write(value)}</span>${isList && end && html`<small>${end}</small>`}</label>`
    })}
  </div>
  ${wraps ? ends(endMeaning(0, low), endMeaning(last, high)) : ends(low, high)}`
}

/** What the lowest and the highest step mean, under them. */
function ends(low: string, high: string): Markup {
  return html`<div class="ends" aria-hidden="true"><span>${low}</span><span>${high}</span></div>`
}

function slider(question: Scales, scale: Ends, index: number, { say }: PageWording): Markup {
  const { scaleStart, scaleEnd } = question.settings
  const id = idOf(question, index)
  const middle = Math.floor((scaleStart + scaleEnd) / 2)
  return html`<div class="scale slider" data-scale="${index}" data-untouched>
    <output for="${id}" aria-hidden="true">–</output>
    <input type="range" id="${id}" min="${scaleStart}" max="${scaleEnd}" step="1" value="${middle}" data-start="${middle}" aria-label="${say('scaleEnds', { ...scale })}" aria-valuetext="${say('notAnsweredYet', { low: scaleStart, high: scaleEnd })}">
    <input type="hidden" id="${id}-touched" value="">
    ${ends(scale.low, scale.high)}
  </div>`
}
