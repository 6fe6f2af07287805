import type { Fault, TrialError } from '../../../channels/email/mailboxes/connecting.ts'
import { statusOf } from '../../../http/answers/errors.ts'
import type { MailboxProblem, MailProvider } from '../../../kinds/mailboxes.ts'
import { Refusal } from '../../refusal.ts'
import type { View } from '../../visit.ts'

export const providerWords = {
  microsoft: 'mailboxMicrosoft',
  google: 'mailboxGoogle',
} as const satisfies Record<MailProvider, string>

const whereWords = {
  ...providerWords,
  imap: 'mailboxImap',
  smtp: 'mailboxSmtp',
  password: 'mailboxByPassword',
} as const satisfies Record<Fault['where'], string>

/** Why a mailbox cannot be reached, as a sentence. */
export function sayProblem({ wording: { say } }: View, problem: MailboxProblem): string {
  return say(`mailbox_${problem}`)
}

/** What a trial found, beside the field that can put it right first. */
export function refusedTrial(view: View, error: TrialError): Refusal {
  const text = error.faults.map((fault) => sayFault(view, fault)).join(' ')
  return new Refusal({ field: fieldOf(error.faults[0]), text }, statusOf(error))
}

function sayFault(view: View, { where, place, problem, detail }: Fault): string {
  const { say } = view.wording
  const what = say(whereWords[where])
  const said = {
    where: place === null ? what : say('mailboxFaultPlace', { what, place }),
    why: sayProblem(view, problem),
  }
  return detail === null ? say('mailboxFault', said) : say('mailboxFaultSaid', { ...said, said: detail })
}

function fieldOf({ where, problem }: Fault): string | null {
  if (where !== 'imap' && where !== 'smtp') return null
  return problem === 'sign_in' ? 'password' : `${where}Host`
}
