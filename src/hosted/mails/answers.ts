import { spoken } from '../../forms/logic/texts.ts'
import { answerText, type NumberedQuestion } from '../../forms/question-types/index.ts'
import type { MailWording } from './words.ts'

const payments = { paid: 'paymentPaid', pending: 'paymentPending', not_due: 'paymentNotDue' } as const

/**
 * A stored answer as a mail says it to whoever gave it: with dates, numbers and money as their language writes them, and what
 * has no words of its own in ours. `question` is in that language already.
 */
export function answerIn({ say, locale }: MailWording, question: NumberedQuestion, answer: unknown): string {
  const { id, friendlyId, type } = question
  const said = () => spoken({ id, friendlyId, type }, answer, locale)
  switch (type) {
    case 'signature':
      return answer === null ? '' : say('signed')
    case 'payment': {
      if (answer === null) return ''
      const state = say(payments[(answer as { status: keyof typeof payments }).status])
      const amount = said()
      return amount === '' ? state : say('paymentOf', { amount, state })
    }
    case 'date':
    case 'date_range':
    case 'numeric':
    case 'nps':
    case 'star_rating':
      return said()
    default:
      return answerText(question, answer)
  }
}
