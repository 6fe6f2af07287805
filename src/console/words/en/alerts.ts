/* Alerts: what somebody is told of, and how. */
export const alerts = {
  alertsTitle: 'Alerts',
  alertsHelp: 'You are never told of what you did yourself. You can answer these emails to answer the ticket.',
  alert_assigned: 'Assigned to me',
  alert_answered: 'A customer writes on my ticket',
  alert_mentioned: 'A note mentions me',
  alert_new_in_team: 'New in my teams',
  alertMail: 'Email',
  alertMail_off: 'No email',
  alertMail_unless_read: 'If I have not looked after 5 minutes',
  alertMail_at_once: 'Right away',
  alertsAreSaved: 'Your alerts are saved.',
} as const
