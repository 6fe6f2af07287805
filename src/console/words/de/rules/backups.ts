import type { Translation } from '../../../../words/sentences.ts'
import type { backupsRules as english } from '../../en/rules/backups.ts'

export const backupsRules: Translation<typeof english> = {
  rule_no_backup_place:
    'Es ist kein Ort für Sicherungen festgelegt, also kann keine gemacht werden. Diese Seite sagt, was zu tun ist.',
  rule_backup_under_way: 'Es wird schon eine Sicherung gemacht oder geprüft. Warten Sie, bis das fertig ist.',
  rule_backup_lately: {
    one: 'Gerade eben hat jemand eine Sicherung angefordert. Versuchen Sie es in einer Minute noch einmal.',
    other: 'Gerade eben hat jemand eine Sicherung angefordert. Versuchen Sie es in {count} Minuten noch einmal.',
  },
}
