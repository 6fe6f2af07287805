import type { Translation } from '../../../words/sentences.ts'
import type { people as english } from '../en/people.ts'

export const people: Translation<typeof english> = {
  usersTitle: 'Benutzer',
  usersIntro:
    'Mitarbeiter arbeiten mit Formularen, Tickets, Kontakten und Artikeln. Administratoren verwalten auch Schlüssel, Webhooks, Benutzer und Einstellungen.',
  inviteUser: 'Jemanden einladen',
  sendInvitation: 'Einladung senden',
  userName: 'Name',
  userEmailHelp: 'Damit wird angemeldet. Dorthin geht auch die Einladung; sie gilt 7 Tage.',
  userRole: 'Rolle',
  userBillable: 'Kann Formulare besitzen',
  userBillableHelp: 'Formulare, die über die API entstehen, gehören dem ersten Benutzer, der welche besitzen kann.',
  userState: 'Zustand',
  userActive: 'Aktiv',
  userInvited: 'Eingeladen',
  userSince: 'Seit',
  secondFactorOn: 'Anmeldung in zwei Schritten',
  mailCameBack: 'Mail kam zurück',
  mailCameBackHelp:
    'Die letzte Mail kam nicht an, und ihr Link gilt nicht mehr. Prüfen Sie die Adresse, bevor Sie noch eine senden.',
  userIsInvited: 'Eine Einladung ist unterwegs an {email}.',
  userIsThereMailFailed:
    '{email} wurde hinzugefügt, aber die Einladung ließ sich nicht senden. Prüfen Sie FRONTDESK_SMTP_URL und senden Sie sie noch einmal.',
  userIsSaved: 'Die Änderungen an {email} sind gespeichert.',
  userIsRemoved: '{email} wurde entfernt.',
  mailFailed: 'Die Mail ließ sich nicht senden. Prüfen Sie FRONTDESK_SMTP_URL und versuchen Sie es noch einmal.',
  resendInvitation: 'Einladung noch einmal senden',
  sendReset: 'Link für ein neues Passwort senden',
  resetIsSent: 'Ein Link ist unterwegs an {email}.',
  mailIsInOutbox:
    'Die E-Mail an {email} liegt im Ordner outbox des Datenordners: Noch kein Server verschickt solche E-Mails (FRONTDESK_SMTP_URL).',
  resetHelp: 'Für alle, die ihres vergessen haben. Der Link gilt eine Stunde, das alte Passwort, bis er benutzt wird.',
  removeUser: 'Entfernen',
  removeQuestion:
    '{email} wird sofort abgemeldet und kann sich nicht mehr anmelden. Die Formulare gehören dann Ihnen; Geschriebenes bleibt.',
  removeTitle: 'Diesen Benutzer entfernen',
  accessTitle: 'Zugang',
  backToUsers: 'Alle Benutzer',

  userSessionsTitle: 'Sitzungen',
  userSessions: {
    one: 'Mit {count} Browser angemeldet.',
    other: 'Mit {count} Browsern angemeldet.',
  },
  userNoSessions: 'Zurzeit nirgends angemeldet.',
  endSessions: 'Überall abmelden',
  endSessionsQuestion:
    'Jeder Browser von {email} muss sich neu anmelden. Was dort getippt und nicht gespeichert ist, geht verloren.',
  sessionsAreEnded: '{email} ist überall abgemeldet.',
  providerTitle: 'Identitätsanbieter',
  providerKnows:
    'Meldet sich über {provider} an. Dort ist bekannt, wer das ist, wie auch immer die Adresse dort lautet.',
  providerForget: 'Konto dort vergessen',
  providerForgetQuestion:
    'Für jemanden, dessen Konto dort neu angelegt wurde: Wer sich als Nächstes über {provider} mit {email} anmeldet, gilt als diese Person.',
  providerIsForgotten: 'Das Konto von {email} dort ist vergessen.',

  invitationSubject: 'Ihre Einladung zu {tenant}',
  invitationText: '{name} hat Sie eingeladen, für {tenant} zu arbeiten. Wählen Sie hier ein Passwort:',
  invitationEnds: 'Der Link gilt 7 Tage.',
  invitationElsewhere:
    '{name} hat Sie eingeladen, für {tenant} zu arbeiten. Mit dieser Adresse melden Sie sich hier schon für jemand anderen an, und jede Adresse gilt nur für eine Organisation.',
  invitationElsewhereHelp:
    'Bitten Sie {name}, eine andere Adresse von Ihnen einzuladen. Soll es diese sein, lassen Sie erst Ihr Konto bei der anderen Organisation entfernen und bitten Sie dann noch einmal um die Einladung.',
  resetSubject: 'Ein neues Passwort für {tenant}',
  resetText: 'Wählen Sie hier ein neues Passwort für Ihr Konto bei {tenant}:',
  resetEnds: 'Der Link gilt eine Stunde. Wenn Sie ihn nicht wollten, müssen Sie nichts tun.',

  forgotPassword: 'Passwort vergessen?',
  forgotTitle: 'Neues Passwort',
  forgotIntro: 'Wir senden Ihnen einen Link, um ein anderes zu wählen.',
  sendLink: 'Link senden',
  linkSent: 'Falls es für {email} ein Konto gibt, ist ein Link unterwegs. Er gilt eine Stunde.',
  choosePassword: 'Passwort wählen',
  choosePasswordFor: 'Für {email} bei {tenant}.',
  newPassword: 'Neues Passwort',
  passwordHelp: 'Mindestens 12 Zeichen. Ein paar Wörter hintereinander merken sich leicht.',
  linkEnded: 'Dieser Link gilt nicht mehr',
  linkEndedWhy: 'Er wurde schon benutzt oder ist zu alt. Lassen Sie sich einen neuen senden.',
  passwordIsChosen: 'Ihr Passwort ist gesetzt. Bitte melden Sie sich an.',
}
