/* The page of backups, for admins. */
export const backups = {
  settingsBackups: 'Backups',
  backupsIntro: 'Automatic copies of everything, to go back to when a disk fails or something was deleted.',
  backupsShared:
    'Several companies share this installation, and a backup holds all of them. So sizes, places and reasons are shown to whoever runs it (frontdesk backup list), and not here.',
  backupsLast: 'Last good one',
  backupsNoneYet: 'None yet',
  backupsState: 'State',
  backupsFine: 'Up to date',
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
  backupsFailedShared: 'Its log tells whoever runs the installation why.',
  backupsFailedAgain: 'It is tried again by itself.',

  backupMake: 'Make one now',
  backupMakeHelp: 'Before a risky change, for example. It takes a while; everything keeps working meanwhile.',
  backupAsked: 'A backup is being made.',
  backupMaking: 'A backup is being made',
  backupMakingHelp: 'It is read back and checked before it counts. You can leave this page.',
  backupWaiting: 'A backup was asked for and begins in a moment',
  backupChecking: 'Backups are being checked',
  backupBegun: 'Started',
  backupTookLast: 'How long the last one took',
  backupTookMoment: 'Less than a minute',
  backupTook: { one: '{count} minute', other: '{count} minutes' },
  backupCheck: 'Check them now',
  backupCheckAsked: 'The backups are being checked.',
  backupCheckNone: 'All of them have been checked.',
  backupsUnchecked: {
    one: '{count} of them was put there by other means, or has changed since it was checked. It will be checked within the hour.',
    other:
      '{count} of them were put there by other means, or have changed since they were checked. They will be checked within the hour.',
  },

  backupsCaption: 'Existing backups',
  backupWhen: 'When',
  backupName: 'Name',
  backupSize: 'Size',
  backupState: 'State',
  backupGood: 'Good',
  backupDamaged: 'Damaged',
  backupUnknown: 'Not checked yet',
  backupForeign: 'Cannot be checked by this version',
  backupsNone: 'No backups yet.',
  backupsMore: { one: 'There is {count} older one.', other: 'There are {count} older ones.' },
  backupsAway: 'The place where backups are kept cannot be read at the moment.',
  backupsRestoreHelp:
    'To go back to one, whoever runs this installation stops it and runs “frontdesk restore” with its name: everything since then is gone.',
  backupsGuide: 'Backups in the guide',

  backupsOff: 'There are no automatic backups.',
  backupsOffHelp:
    'If the disk fails, everything is lost. Whoever runs this installation sets FRONTDESK_BACKUP_TO to a folder, better on the disk of another machine, or to s3://bucket/prefix, beside the other variables of the service, and starts it again. From then on a backup is made every day.',
} as const
