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
  alertBrowser: 'Mitteilung',
  alertSound: 'Ton',
  alertMail: 'E-Mail',
  alertMail_off: 'Keine E-Mail',
  alertMail_unless_read: 'E-Mail, falls nach 5 Minuten ungelesen',
  alertMail_at_once: 'Sofort eine E-Mail',
  alertsAllow: 'Mitteilungen in diesem Browser erlauben',
  alertsAllowed: 'Dieser Browser zeigt Mitteilungen, solange Sie den Posteingang nicht ansehen.',
  alertsBlocked: 'Dieser Browser blockiert Mitteilungen dieser Seite. Erlauben Sie sie in seinen Einstellungen.',
  alertsUnable: 'Dieser Browser kann hier keine Mitteilungen zeigen.',
  alertsAreSaved: 'Ihre Benachrichtigungen sind gespeichert.',

  alerted_assigned: 'Ihnen wurde ein Ticket zugewiesen',
  alertedBy_assigned: '{name} hat Ihnen ein Ticket zugewiesen',
  alerted_answered: 'Ein Kunde hat in Ihrem Ticket geschrieben',
  alertedBy_answered: '{name} hat in Ihrem Ticket geschrieben',
  alerted_mentioned: 'Eine Notiz erwähnt Sie',
  alertedBy_mentioned: '{name} hat Sie erwähnt',
  alerted_new_in_team: 'Ihr Team hat ein neues Ticket',
  alertedBy_new_in_team: '{name} hat Ihrem Team ein Ticket gegeben',
}
