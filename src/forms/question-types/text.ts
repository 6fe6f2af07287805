import { Type } from '@sinclair/typebox'
import { invalid } from '../../errors.ts'
import { isEmail } from '../../lib/email.ts'
import { isBlank, readString } from '../../lib/read.ts'
import { MAX_ANSWER_LENGTH, pick } from './answers.ts'
import { int32Or, optionalWord } from './fields.ts'
import { questionType } from './types.ts'

interface Limitation {
  readonly rule: string
  readonly sample: string
  allows(text: string): boolean
}

const SAMPLE_TEXTS = ['Very helpful, thank you.', 'The delivery took longer than expected.', 'Nothing to add.']

const limitations = {
  email: { rule: 'must be an email address', sample: 'ada@example.com', allows: isEmail },
  telephone: { rule: 'must be a telephone number', sample: '+44 20 7946 0018', allows: isTelephone },
  url: { rule: 'must be a web address', sample: 'https://example.com/', allows: isWebAddress },
  integer: { rule: 'must be a whole number', sample: '42', allows: (text) => /^[+-]?\d{1,15}$/.test(text) },
  letters: { rule: 'must hold letters only', sample: 'Ada', allows: (text) => /^[\p{L}\p{M} ]+$/u.test(text) },
} satisfies Record<string, Limitation>

const LIMITATION_NAMES = Object.keys(limitations) as (keyof typeof limitations)[]

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
    const { allows, rule } = limitations[inputLimitation]
    if (!allows(answer.trim())) throw invalid(place, rule)
  },
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

function isTelephone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length
  return /^\+?[\d\s().\-/]+$/.test(text) && digits >= 3 && digits <= 20 && text.length <= 50
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && !/\s/.test(text) && URL.canParse(text)
}
