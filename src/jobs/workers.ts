import { Vectors } from '../assistant/vectors.ts'
import { Backups } from '../backup/schedule.ts'
import { AlertMails } from '../channels/email/alerts/sending.ts'
import { letterboxOf } from '../channels/email/mailboxes/letterbox.ts'
import { MailboxWatch } from '../channels/email/mailboxes/watch.ts'
import { Imports } from '../contacts/imports/running.ts'
import type { Deps } from '../deps.ts'
import { respondentMailOf } from '../hosted/mails/to-respondents.ts'
import { ChatMailSender } from '../livechat/send-mail.ts'
import { ReportMails } from '../reports/mails/sending.ts'
import { Notifications } from '../responses/notifications/sending.ts'
import { RuleMails } from '../rules/mails.ts'
import { ReplySending } from '../tickets/replies/reply-sending.ts'
import { Deliveries } from '../webhooks/delivery/delivery.ts'

/** What the jobs are made of. */
export type JobDeps = Pick<
  Deps,
  | 'config'
  | 'database'
  | 'clock'
  | 'log'
  | 'meter'
  | 'secrets'
  | 'files'
  | 'channels'
  | 'resolver'
  | 'providerEndpoints'
  | 'live'
  | 'startBackup'
  | 'startLook'
>

/** What works beside the jobs that start it, for longer than one of them may take. */
export type Workers = ReturnType<typeof createWorkers>

/** One of each, for one service. */
export function createWorkers(deps: JobDeps) {
  return {
    deliveries: new Deliveries(deps),
    notifications: new Notifications(deps, respondentMailOf),
    mailboxes: new MailboxWatch(deps, letterboxOf(deps)),
    chatMailSender: new ChatMailSender(deps),
    vectors: new Vectors(deps),
    imports: new Imports(deps),
    replySending: new ReplySending(deps),
    alertMailing: new AlertMails(deps),
    ruleMails: new RuleMails(deps),
    reportMailing: new ReportMails(deps),
    backups: new Backups(deps),
  }
}
