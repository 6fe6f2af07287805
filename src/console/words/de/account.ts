import type { Translation } from '../../../words/sentences.ts'
import type { account as english } from '../en/account.ts'

export const account: Translation<typeof english> = {
  accountTitle: 'Ihr Konto',
  accountEmail: 'Sie melden sich mit {email} an.',
  profileTitle: 'Sie',
  profileNameHelp: 'Kunden sehen ihn unter Ihren Antworten, Kollegen überall.',
  language: 'Sprache',
  languageOfTenant: 'Wie bei {tenant}',
  profileIsSaved: 'Ihre Angaben sind gespeichert.',
  passwordTitle: 'Passwort',
  currentPassword: 'Jetziges Passwort',
  passwordWrong: 'Das ist nicht Ihr Passwort.',
  changePassword: 'Passwort ändern',
  passwordIsChanged: 'Ihr Passwort ist geändert. Alle anderen Sitzungen sind beendet.',
  sessionsTitle: 'Wo Sie angemeldet sind',
  sessionBrowser: 'Browser',
  sessionBegan: 'Angemeldet',
  sessionSeen: 'Zuletzt gesehen',
  sessionFrom: 'Von',
  thisSession: 'Diese Sitzung',
  unknownBrowser: 'Unbekannter Browser',
  browserOn: '{browser} unter {system}',
  endSession: 'Abmelden',
  sessionIsEnded: 'Diese Sitzung ist beendet.',
  endOthers: 'Überall sonst abmelden',
  othersAreEnded: 'Alle anderen Sitzungen sind beendet.',
}
