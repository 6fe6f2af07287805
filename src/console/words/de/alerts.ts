import type { Translation } from '../../../words/sentences.ts'
import type { alerts as english } from '../en/alerts.ts'

export const alerts: Translation<typeof english> = {
  alertsTitle: 'Benachrichtigungen',
  alertsHelp:
    'Was Sie selbst getan haben, wird Ihnen nie gemeldet. Wenn Sie auf eine dieser E-Mails antworten, antworten Sie im Ticket.',
  alert_assigned: 'Mir zugewiesen',
  alert_answered: 'Ein Kunde schreibt in meinem Ticket',
  alert_mentioned: 'Eine Notiz erwähnt mich',
  alert_new_in_team: 'Neu in meinen Teams',
  alertMail: 'E-Mail',
  alertMail_off: 'Keine E-Mail',
  alertMail_unless_read: 'Wenn ich nach 5 Minuten nicht nachgesehen habe',
  alertMail_at_once: 'Sofort',
  alertsAreSaved: 'Ihre Benachrichtigungen sind gespeichert.',
}
