import { Type } from '@sinclair/typebox'
import { invalid, rule } from '../../errors.ts'
import { readFields, readInteger, readList } from '../../lib/input/read.ts'
import { MAX_ANSWER_ITEMS, part, pickInteger, readIndex, requireKnownIndexes } from './answers.ts'
import { int32Or, LABEL, readLabel } from './fields.ts'
import { CONTROL_SIZE, sizeOfControls } from './page-size.ts'
import { type Field, questionType } from './types.ts'

const MAX_SCALES = 100

interface Scale {
  text: string
  opposingText: string
}

const scales: Field<Scale[]> = {
  schema: Type.Array(
    Type.Object({
      text: Type.String({ ...LABEL, description: 'The low end.', examples: ['Disagree'] }),
      opposingText: Type.String({ ...LABEL, description: 'The high end.', examples: ['Agree'] }),
    }),
    {
      description: 'The two ends of each scale, lowest first.',
      default: [{ text: 'Disagree', opposingText: 'Agree' }],
      minItems: 1,
      maxItems: MAX_SCALES,
    },
  ),
  read(value, place) {
    if (value === null) return [{ text: 'Disagree', opposingText: 'Agree' }]
    const items = readList(value, MAX_SCALES, place)
    if (items.length === 0) throw invalid(place, rule('too_few_scales'))
    return items.map((item, index) => readScale(item, `${place}[${index}]`))
  },
}

/** A button per step, so a scale has at most 101 of them. */
export const likert = opinionScale('likert', 'Opinion scale as buttons.', 100, (span) => span + 1)
export const likertSlider = opinionScale('likert_slider', 'Opinion scale as a slider.', 10_000, () => 3)

/** `controlsFor` says how many controls a scale of a span is made of. */
function opinionScale<const Name extends string>(
  type: Name,
  meaning: string,
  maxSpan: number,
  controlsFor: (span: number) => number,
) {
  return questionType({
    type,
    meaning,
    fields: {
      scales,
      scaleStart: int32Or(1, 'The value of the lowest step.'),
      scaleEnd: int32Or(5, 'The value of the highest step.'),
    },
    answerSchema: Type.Array(
      Type.Object({
        scale: Type.Integer({ description: 'Index into scales.' }),
        value: Type.Integer({ description: 'From scaleStart to scaleEnd.' }),
      }),
    ),
    checkSettings({ scaleStart, scaleEnd }, place) {
      if (scaleStart >= scaleEnd) throw invalid(`${place}.scaleStart`, rule('scale_start'))
      if (scaleEnd - scaleStart > maxSpan) {
        throw invalid(`${place}.scaleEnd`, rule('scale_end', { most: maxSpan }))
      }
    },
    pageSize({ scales, scaleStart, scaleEnd }) {
      const controls = scales.length * controlsFor(scaleEnd - scaleStart)
      // Both ends stand there for the eye and in the names of controls.
      return (
        2 * sizeOfControls(scales.flatMap(({ text, opposingText }) => [text, opposingText])) + controls * CONTROL_SIZE
      )
    },
    accept: (value, _settings, place) =>
      readList(value, MAX_ANSWER_ITEMS, place).map((item, index) => {
        const given = readFields(item, ['scale', 'value'], part(place, `[${index}]`))
        return {
          scale: readIndex(given.scale, part(place, `[${index}].scale`)),
          value: readInteger(given.value, part(place, `[${index}].value`)),
        }
      }),
    isEmpty: (answer) => answer.length === 0,
    check(answer, settings, place, required) {
      const given = answer.map(({ scale }) => scale)
      requireKnownIndexes(given, { count: settings.scales.length, noun: 'scale', all: required }, place)
      const { scaleStart, scaleEnd } = settings
      for (const { scale, value } of answer) {
        if (value < scaleStart || value > scaleEnd) {
          throw invalid(place, rule('scale_value', { scale, least: scaleStart, most: scaleEnd }))
        }
      }
    },
    score: (answer, { scaleStart, scaleEnd }) => ({
      total: answer.reduce((sum, { value }) => sum + value - scaleStart, 0),
      max: answer.length * (scaleEnd - scaleStart),
    }),
    sample: (settings, random) =>
      settings.scales.map((_, scale) => ({
        scale,
        value: pickInteger(settings.scaleStart, settings.scaleEnd, random),
      })),
    text: (answer, settings) =>
      answer.map(({ scale, value }) => `${scaleName(settings.scales[scale], scale)}: ${value}`).join('\n'),
  })
}

function readScale(value: unknown, place: string): Scale {
  const given = readFields(value, ['text', 'opposingText'], place)
  return {
    text: readEnd(given.text, `${place}.text`),
    opposingText: readEnd(given.opposingText, `${place}.opposingText`),
  }
}

function readEnd(value: unknown, place: string): string {
  if (value === null) throw invalid(place, rule('required'))
  return readLabel(value, place)
}

function scaleName(scale: Scale | undefined, index: number): string {
  return scale ? `${scale.text} – ${scale.opposingText}` : `Scale ${index}`
}
