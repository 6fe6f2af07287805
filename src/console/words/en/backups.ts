/* The page of backups, for admins. */
export const backups = {
  settingsBackups: 'Backups',
  backupsIntro: 'Copies of everything, made by themselves, to go back to when a disk fails or something was deleted.',
  backupsShared:
    'Several companies share this installation, and a backup holds all of them. So sizes, places and reasons are shown to whoever runs it (frontdesk backup list), and not here.',
  backupsLast: 'Last good one',
  backupsNoneYet: 'None yet',
  backupsState: 'State',
  backupsFine: 'In order',
  backupsOverdue: 'Overdue',
  backupsFailed: 'The last attempt failed',
  backupsFirst: 'The first one is about to be made',
  backupsNext: 'Next one',
  backupsNow: 'Now',
  backupsHowOften: 'How often',
  backupsEvery_day: { one: 'Every day', other: 'Every {count} days' },
  backupsEvery_hour: { one: 'Every hour', other: 'Every {count} hours' },
  backupsEvery_minute: { one: 'Every minute', other: 'Every {count} minutes' },
  backupsEvery_second: { one: 'Every second', other: 'Every {count} seconds' },
  backupsKept: 'Kept',
  // `spans`: `7 days, 4 weeks and 6 months`
  backupsKeptOf: 'The newest of each of the last {spans}',
  backupsWhere: 'Where',
  backupsOverdueWhy:
    'The last good backup is older than two periods. What came since is in none. Tell whoever runs this installation.',
  // After a time and a colon
  backupsFailedThen: 'no backup could be made.',
  backupsFailedShared: 'Its log and GET /healthz tell whoever runs the installation why.',
  backupsFailedAgain: 'It is tried again by itself.',

  backupMake: 'Make one now',
  backupMakeHelp: 'Before something risky, say. It takes a while, and the service goes on meanwhile.',
  backupAsked: 'A backup is being made.',
  backupMaking: 'A backup is being made',
  backupMakingHelp: 'It is read back and checked before it counts. You can leave this page.',
  backupWaiting: 'A backup was asked for and begins in a moment',
  backupChecking: 'Backups are being checked',
  backupBegun: 'Begun',
  backupTookLast: 'How long the last one took',
  backupTookMoment: 'Less than a minute',
  backupTook: { one: '{count} minute', other: '{count} minutes' },
  backupCheck: 'Check them now',
  backupCheckAsked: 'They are being checked.',
  backupCheckNone: 'All of them have been looked at.',
  backupsUnchecked: {
    one: '{count} of them was put there by other means, or has changed since it was checked. It is looked at within the hour.',
    other:
      '{count} of them were put there by other means, or have changed since they were checked. They are looked at within the hour.',
  },

  backupsCaption: 'Backups that are there',
  backupWhen: 'When',
  backupName: 'Name',
  backupSize: 'Size',
  backupState: 'State',
  backupGood: 'Good',
  backupDamaged: 'Damaged',
  backupUnknown: 'Not checked yet',
  backupForeign: 'Cannot be judged by this version',
  backupsNone: 'There is none yet.',
  backupsMore: { one: 'There is {count} older one.', other: 'There are {count} older ones.' },
  backupsAway: 'The place of backups cannot be looked at now.',
  backupsRestoreHelp:
    'To go back to one, whoever runs the service stops it and calls “frontdesk restore” with its name: everything since then is gone.',
  backupsGuide: 'Backups in the guide',

  backupsOff: 'No backups are made by themselves.',
  backupsOffHelp:
    'If the disk fails, everything is lost. Whoever runs this installation sets FRONTDESK_BACKUP_TO to a folder, better on the disk of another machine, or to s3://bucket/prefix, beside the other variables of the service, and starts it again. From then on one is made every day.',
} as const
