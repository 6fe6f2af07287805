import { limitations } from '../../../forms/question-types/limitations.ts'
import { answerOf } from '../answering/answers.ts'
import { keepSent, sentIn } from '../answering/sent-files.ts'
import { all, jsonOf, one, setValue } from './dom.ts'
import { bringIntoView, leaveFor } from './frame.ts'
import { newKey } from './new-key.ts'
import { locale, say, writeNumber } from './words.ts'

/** What the page's own script has anyway, and its parts need not bring again. */
export const tools = {
  all,
  one,
  setValue,
  jsonOf,
  sentIn,
  keepSent,
  answerOf,
  limitations,
  bringIntoView,
  leaveFor,
  newKey,
  say,
  locale,
  writeNumber,
}
