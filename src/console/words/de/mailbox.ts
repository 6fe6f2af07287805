import type { Translation } from '../../../words/sentences.ts'
import type { mailbox as english } from '../en/mailbox.ts'

export const mailbox: Translation<typeof english> = {
  mailboxTitle: 'Postfach',
  mailboxOnlyEmail: 'Nur Posteingänge für E-Mail haben ein Postfach: Was hier ankommt, braucht keines.',
  mailboxNone:
    'Dieser Posteingang ist mit keinem Postfach verbunden: Er nimmt E-Mails an, die an diesen Dienst gesendet werden, und seine Antworten gehen so hinaus, wie dieser Dienst eingerichtet ist. Verbinden Sie eines, um seine E-Mails abzuholen und von ihm zu senden.',
  mailboxImap: 'Eingehende E-Mail',
  mailboxSmtp: 'Ausgehende E-Mail',
  mailboxUser: 'Angemeldet als',
  mailboxUserBy: '{user} ({way})',
  mailboxByPassword: 'Passwort',
  mailboxMicrosoft: 'Microsoft 365',
  mailboxGoogle: 'Google',
  mailboxTest: 'Verbindung prüfen',
  mailboxTested: 'Beide Server haben die Anmeldung angenommen.',
  mailboxDisconnect: 'Trennen',
  mailboxDisconnectAsk:
    'Es werden keine E-Mails mehr abgeholt, und das Passwort wird vergessen. Tickets und die E-Mails im Postfach bleiben.',
  mailboxDisconnected: 'Das Postfach ist getrennt.',
  mailboxReplace: 'Neu oder mit einem anderen Postfach verbinden',
  mailboxIsConnected:
    'Das Postfach ist verbunden. E-Mails werden gleich abgeholt, und Antworten gehen über dieses Postfach hinaus.',

  mailboxConsentTitle: 'Microsoft 365 oder Google',
  mailboxConsentHelp:
    'Sie melden sich dort als Inhaber des Postfachs an und erlauben diesem Dienst, seine E-Mails zu lesen und zu senden. Hier wird kein Passwort aufbewahrt.',
  mailboxConsentNone:
    'Postfächer von Microsoft 365 und Google lassen sich ohne Passwort verbinden, sobald dieser Dienst dort von denen registriert wurde, die ihn betreiben.',
  mailboxAccount: 'Konto',
  mailboxGoTo: 'Weiter mit {provider}',
  mailboxConsentTooOld:
    'Das hat zu lange gedauert oder begann in einer anderen Sitzung. Bitte beginnen Sie noch einmal.',
  mailboxConsentDenied: '{provider} hat keinen Zugang gegeben, oder Sie sind dort umgekehrt.',

  mailboxPasswordTitle: 'Benutzer und Passwort',
  mailboxPasswordHelp: 'Beide Server werden zuerst geprüft. Das kann eine halbe Minute dauern.',
  mailboxUserName: 'Benutzer',
  mailboxUserNameHelp: 'Wie beim Mailserver: meist die ganze Adresse.',
  mailboxPasswordOwnHelp:
    'Hat der Anbieter Passwörter für Apps, nehmen Sie ein solches. Es wird verschlüsselt gespeichert.',
  mailboxHost: 'Server',
  mailboxPort: 'Port',
  mailboxPortHelp: 'Leer für den üblichen.',
  mailboxSecurity: 'Verschlüsselung',
  mailboxTls: 'TLS',
  mailboxStartTls: 'STARTTLS',
  mailboxOld: 'E-Mails, die schon dort liegen',
  mailboxOldNone: 'Unberührt lassen',
  mailboxOldWeek: 'Aus denen der letzten 7 Tage Tickets machen',
  mailboxOldMonth: 'Aus denen der letzten 30 Tage Tickets machen',
  mailboxOldAll: 'Aus allen Tickets machen',
  mailboxTry: 'Prüfen und verbinden',

  mailboxFault: '{where}: {why}',
  mailboxFaultSaid: '{where}: {why} Der Server sagte: „{said}“',
  mailboxFaultPlace: '{what} ({place})',
  mailboxSaid: 'Der Server sagte: „{said}“',
  mailbox_host_unknown: 'Einen Host dieses Namens gibt es nicht.',
  mailbox_not_public: 'Dieser Host hat eine private oder reservierte Adresse: Dorthin wird nie etwas gesendet.',
  mailbox_refused: 'Der Host nimmt auf diesem Port keine Verbindungen an.',
  mailbox_unreachable: 'Der Host antwortet nicht.',
  mailbox_tls:
    'Es kam keine sichere Verbindung zustande: Das Zertifikat stimmt nicht, oder die Art der Verschlüsselung.',
  mailbox_sign_in: 'Der Server nimmt diesen Benutzer mit diesem Passwort nicht an.',
  mailbox_not_renewed: 'Der Zugang ist abgelaufen und wird nicht verlängert. Verbinden Sie das Postfach neu.',
  mailbox_no_consent: 'Es wurde kein dauerhafter Zugang gegeben. Stimmen Sie noch einmal zu.',
  mailbox_no_client:
    'Dieser Dienst ist dort nicht oder nicht mehr registriert. Wer ihn betreibt, muss sich seine Client-ID und ihr Geheimnis ansehen.',
  mailbox_no_inbox: 'Das Konto hat keinen Ordner INBOX, der sich öffnen ließe.',
  mailbox_lost: 'Der Server schließt die Verbindung immer wieder.',
  mailbox_sealed: 'Das gespeicherte Passwort lässt sich nicht entschlüsseln. Verbinden Sie das Postfach neu.',
  mailbox_trouble: 'Der Server antwortet anders als erwartet.',
}
