import type { backups } from '../../../../errors/rules/backups.ts'
import type { RuleWords } from '../../rules.ts'

export const backupsRules = {
  rule_no_backup_place: 'No place for backups is set, so none can be made. This page says what to do.',
  rule_backup_under_way: 'A backup is being made or checked already. Wait until that is done.',
  rule_backup_lately: {
    one: 'Somebody asked for a backup a moment ago. Try again in a minute.',
    other: 'Somebody asked for a backup a moment ago. Try again in {count} minutes.',
  },
} satisfies RuleWords<typeof backups>
