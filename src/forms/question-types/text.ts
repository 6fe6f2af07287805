import { Type } from '@sinclair/typebox'
import { invalid, rule } from '../../errors.ts'
import { isBlank, readString } from '../../lib/input/read.ts'
import { MAX_ANSWER_LENGTH, pick } from './answers.ts'
import { int32Or, optionalWord } from './fields.ts'
import { type LimitationName, limitations, wholeWebAddress } from './limitations.ts'
import { questionType } from './types.ts'

const SAMPLE_TEXTS = ['Very helpful, thank you.', 'The delivery took longer than expected.', 'Nothing to add.']

const LIMITATION_NAMES = Object.keys(limitations) as LimitationName[]

/** A limitation looks at the text without its surrounding white space; letters may be parted by spaces. */
export const textbox = questionType({
  type: 'textbox',
  meaning: 'Free text.',
  fields: {
    rows: int32Or(1, 'Height of the box in lines.', { min: 1, max: 100 }),
    inputLimitation: optionalWord(LIMITATION_NAMES, 'What the text is restricted to; null for anything.'),
  },
  answerSchema: Type.String(),
  accept: (value, _settings, place) => readString(value, MAX_ANSWER_LENGTH, place),
  isEmpty: isBlank,
  check(answer, { inputLimitation }, place) {
    if (inputLimitation === null) return
    const { allows, rule: broken } = limitations[inputLimitation]
    if (!allows(answer.trim())) throw invalid(place, rule(broken))
  },
  finish: (answer, { inputLimitation }) => (inputLimitation === 'url' ? wholeWebAddress(answer.trim()) : answer),
  number: integerIn,
  givesNumber: (settings) => settings.inputLimitation === 'integer',
  sample: ({ inputLimitation }, random) =>
    inputLimitation === null ? pick(SAMPLE_TEXTS, random) : limitations[inputLimitation].sample,
  text: (answer) => answer,
})

/** The number in a text that a partial save may have left unfinished: 0 then. */
function integerIn(text: string): number {
  return limitations.integer.allows(text.trim()) ? Number(text) : 0
}
