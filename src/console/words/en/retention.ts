/* For how long a company keeps what: its settings, and what a contact's page says of it. */
export const retention = {
  settingsRetention: 'Retention',
  retentionIntro:
    'For how long data is kept. What is older is deleted for good, every hour, with its files. Backups keep it for as long as they are kept.',
  retentionWhat: 'What',
  retentionCounted: 'Counted',
  retentionHowLong: 'Kept for',
  retentionChange: 'Change',
  retentionCaption: 'For how long what is kept',
  keptForGood: 'For good',
  keptDays: { one: '{count} day', other: '{count} days' },
  kept_partial_responses: 'Unfinished responses',
  kept_partial_responses_help: 'After the respondent touched them last.',
  kept_responses: 'Complete responses',
  kept_responses_help: 'After they were sent. Results no longer count them, and tickets lose the rating they gave.',
  kept_closed_tickets: 'Closed tickets',
  kept_closed_tickets_help:
    'After they were closed, with messages, notes and tickets that were merged into them. Reports no longer count them. One with an answer that is still to be sent stays.',
  kept_contacts: 'Contacts without anything',
  kept_contacts_help:
    'After they were changed last, of contacts who have no ticket, no complete response and no chat (any more). Unfinished responses do not count: anybody may have typed the address, and they have a time of their own. Whoever was unsubscribed is forgotten with the rest.',
  kept_audit: 'Audit log',
  kept_audit_help: 'After the entry was made. What contacts have agreed to stays for as long as the contact.',
  kept_deliveries: 'Webhook deliveries',
  kept_deliveries_help: 'After they were delivered or given up. What is still to be delivered stays.',
  kept_raw_mails: 'Original mails',
  kept_raw_mails_help: 'After they arrived; mails in quarantine, too. What they said stays in their tickets.',
  retentionDays: 'Days',
  retentionDaysHelp: 'Empty: for good.',
  retentionLook: 'See what would go',
  retentionNow: 'What goes',
  retentionNothing: 'Nothing is that old today. From now on, what gets older is deleted.',
  retentionGoes: {
    one: '{count} of them is older than that and would be deleted now. Nobody can bring it back.',
    other: '{count} of them are older than that and would be deleted now. Nobody can bring them back.',
  },
  retentionForGood: 'Nothing of them is deleted any more by its age.',
  retentionKeep: 'Keep them for so long',
  retentionDelete: 'Delete what is older, for good',
  retentionNotSure: 'Tick the box if that is what you want.',
  retentionSure: 'Are you sure?',
  retentionSaved: '{what}: saved. What is older is being deleted.',
  // Under an entry of the audit log
  retentionGone: '{number} deleted',

  personKept: 'What is kept',
  personKeptTickets: 'Tickets',
  personKeptMails: 'Original mails',
  personKeptResponses: 'Responses',
  personKeptContact: 'Contact',
  // After a count: `3, for good`
  personForGood: '{number}, for good',
  personAfterClosing: {
    one: '{tickets}, until {count} day after closing',
    other: '{tickets}, until {count} days after closing',
  },
  personAfterArrival: { one: '{mails}, for {count} day', other: '{mails}, for {count} days' },
  personAfterSending: {
    one: '{responses}, for {count} day after sending',
    other: '{responses}, for {count} days after sending',
  },
  personContactForGood: 'For good',
  personContactDays: {
    one: 'Until {count} day after the last change, once nothing else is left',
    other: 'Until {count} days after the last change, once nothing else is left',
  },
} as const
