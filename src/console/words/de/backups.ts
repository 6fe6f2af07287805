import type { Translation } from '../../../words/sentences.ts'
import type { backups as english } from '../en/backups.ts'

export const backups: Translation<typeof english> = {
  settingsBackups: 'Sicherungen',
  backupsIntro:
    'Kopien von allem, die von selbst entstehen: um zurückzukönnen, wenn eine Platte ausfällt oder etwas gelöscht wurde.',
  backupsShared:
    'Mehrere Unternehmen teilen sich diese Installation, und eine Sicherung enthält sie alle. Größen, Orte und Gründe sieht deshalb, wer sie betreibt (frontdesk backup list), und nicht diese Seite.',
  backupsLast: 'Letzte gute',
  backupsNoneYet: 'Noch keine',
  backupsState: 'Zustand',
  backupsFine: 'In Ordnung',
  backupsOverdue: 'Überfällig',
  backupsFailed: 'Der letzte Versuch ist gescheitert',
  backupsFirst: 'Die erste entsteht gleich',
  backupsNext: 'Nächste',
  backupsNow: 'Jetzt',
  backupsHowOften: 'Wie oft',
  backupsEvery_day: { one: 'Jeden Tag', other: 'Alle {count} Tage' },
  backupsEvery_hour: { one: 'Jede Stunde', other: 'Alle {count} Stunden' },
  backupsEvery_minute: { one: 'Jede Minute', other: 'Alle {count} Minuten' },
  backupsEvery_second: { one: 'Jede Sekunde', other: 'Alle {count} Sekunden' },
  backupsKept: 'Aufbewahrt',
  backupsKeptOf: 'Jeweils die neueste, so weit zurück: {spans}',
  backupsWhere: 'Wo',
  backupsOverdueWhy:
    'Die letzte gute Sicherung ist älter als zwei Zeitspannen. Was seither kam, steht in keiner. Sagen Sie es denen, die diese Installation betreiben.',
  backupsFailedThen: 'Es konnte keine Sicherung gemacht werden.',
  backupsFailedShared: 'Warum, sagt das Protokoll denen, die die Installation betreiben.',
  backupsFailedAgain: 'Es wird von selbst noch einmal versucht.',

  backupMake: 'Jetzt eine machen',
  backupMakeHelp: 'Zum Beispiel vor etwas Gewagtem. Es dauert eine Weile, und der Dienst läuft dabei weiter.',
  backupAsked: 'Eine Sicherung wird gemacht.',
  backupMaking: 'Eine Sicherung wird gemacht',
  backupMakingHelp: 'Sie wird zurückgelesen und geprüft, bevor sie zählt. Sie können diese Seite verlassen.',
  backupWaiting: 'Eine Sicherung wurde angefordert und beginnt gleich',
  backupChecking: 'Sicherungen werden geprüft',
  backupBegun: 'Begonnen',
  backupTookLast: 'So lange dauerte die letzte',
  backupTookMoment: 'Weniger als eine Minute',
  backupTook: { one: '{count} Minute', other: '{count} Minuten' },
  backupCheck: 'Jetzt prüfen',
  backupCheckAsked: 'Sie werden geprüft.',
  backupCheckNone: 'Alle wurden schon angesehen.',
  backupsUnchecked: {
    one: '{count} davon wurde anders dorthin gelegt oder hat sich geändert, seit sie geprüft wurde. Sie wird binnen einer Stunde angesehen.',
    other:
      '{count} davon wurden anders dorthin gelegt oder haben sich geändert, seit sie geprüft wurden. Sie werden binnen einer Stunde angesehen.',
  },

  backupsCaption: 'Vorhandene Sicherungen',
  backupWhen: 'Wann',
  backupName: 'Dateiname',
  backupSize: 'Größe',
  backupState: 'Zustand',
  backupGood: 'Gut',
  backupDamaged: 'Beschädigt',
  backupUnknown: 'Noch nicht geprüft',
  backupForeign: 'Kann diese Version nicht beurteilen',
  backupsNone: 'Es gibt noch keine.',
  backupsMore: { one: 'Es gibt {count} ältere.', other: 'Es gibt {count} ältere.' },
  backupsAway: 'Der Ort der Sicherungen lässt sich gerade nicht ansehen.',
  backupsRestoreHelp:
    'Um zu einer zurückzukehren, hält an, wer den Dienst betreibt, und ruft „frontdesk restore“ mit ihrem Namen auf: Alles seither ist dann weg.',
  backupsGuide: 'Sicherungen im Handbuch',

  backupsOff: 'Es werden von selbst keine Sicherungen gemacht.',
  backupsOffHelp:
    'Fällt die Platte aus, ist alles verloren. Wer diese Installation betreibt, setzt FRONTDESK_BACKUP_TO auf einen Ordner, am besten auf der Platte einer anderen Maschine, oder auf s3://bucket/prefix, neben den anderen Variablen des Dienstes, und startet ihn neu. Von da an entsteht jeden Tag eine.',
}
