/** What asking for a backup by hand is held to (decisions §22). */
export const backups = {
  no_backup_place: 'no place for backups is set (FRONTDESK_BACKUP_TO)',
  backup_under_way: 'a backup is being made or checked already',
  backup_lately: {
    one: 'one was asked for a moment ago: ask again in {count} minute',
    other: 'one was asked for a moment ago: ask again in {count} minutes',
  },
} as const
