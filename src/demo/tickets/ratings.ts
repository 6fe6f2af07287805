import { getForm } from '../../forms/operations.ts'
import { questionsOf } from '../../forms/pages.ts'
import { startResponse } from '../../responses/collection.ts'
import { satisfactionForm } from '../../satisfaction/ready-made.ts'
import type { Company } from '../company.ts'
import type { Random } from '../random.ts'
import { HOUR, MINUTE, type Step } from '../timeline.ts'

const HAPPY = [
  'Quick and friendly. Thank you!',
  'Solved on the same day, which I did not expect.',
  'Clear answer, and no forms to fill in.',
  'You took the time to look at our calendar yourselves. Great.',
  'Maja called back within the hour. That is how it should be.',
  'The link you sent was exactly what I needed.',
  'Our guests have their confirmations again. Thanks!',
  null,
  null,
] as const

const UNHAPPY = [
  'It took three messages until somebody read what I had written.',
  'I still do not know why it happened.',
  'The answer was kind, but it came after the weekend was over.',
  null,
] as const

/** How a customer whose ticket was closed at `closedAt` rates it, some hours later; most do not. */
export function ratingSteps(
  { tenantId, admin }: Company,
  ticketId: () => string,
  closedAt: number,
  random: Random,
  now: number,
): Step[] {
  const [answers, isHappy, pause] = [random.chance(0.7), random.chance(0.78), random.integer(20, 900) * MINUTE]
  const why = random.pick(isHappy ? HAPPY : UNHAPPY)
  const at = closedAt + pause
  if (!answers || at > now - HOUR) return []
  return [
    {
      at,
      async run(tx, caller) {
        const formId = await satisfactionForm(tx, { ...caller, author: admin, via: 'console' })
        const [thumbs, text] = questionsOf((await getForm(tx, tenantId, formId)).pages)
        const given = [
          { questionId: thumbs?.id as number, value: isHappy },
          ...(why === null ? [] : [{ questionId: text?.id as number, value: why }]),
        ]
        await startResponse(tx, caller, formId, { answers: given, complete: true, ticketId: ticketId() })
      },
    },
  ]
}
