import type { Translation } from '../../../words/sentences.ts'
import type { keys as english } from '../en/keys.ts'

export const keys: Translation<typeof english> = {
  keysTitle: 'API-Schlüssel',
  keysIntro:
    'Ein Programm braucht einen Schlüssel, um die API zu benutzen. Geben Sie jedem seinen eigenen, mit nicht mehr Rechten, als es braucht.',
  readDocs: 'Zur Dokumentation der API',
  newKey: 'Neuer Schlüssel',
  noKeys: 'Es gibt noch keine Schlüssel. Legen Sie einen an, um ein Programm anzubinden.',
  keysInUse: 'Gültige Schlüssel',
  keysEnded: 'Ungültige Schlüssel',
  keyName: 'Name',
  keyNameHelp: 'Wofür der Schlüssel da ist, damit Sie später wissen, ob er weg kann: „Website“, „Monatsbericht“.',
  keyStarts: 'Beginnt mit',
  keyScopes: 'Rechte',
  keyScopesHelp:
    'Wählen Sie, was das Programm braucht. Das lässt sich später nicht ändern: Legen Sie dann einen anderen Schlüssel an.',
  keyLastUsed: 'Zuletzt benutzt',
  keyExpires: 'Gültig bis',
  keyExpiresHelp: 'Bis zum Ende dieses Tages (UTC). Leer gelassen gilt der Schlüssel, bis er widerrufen wird.',
  keyCreated: 'Angelegt',
  keyState: 'Zustand',
  keyRevoked: 'Widerrufen',
  keyExpired: 'Abgelaufen',
  createKey: 'Schlüssel anlegen',
  revokeKey: 'Widerrufen',
  revokeQuestion: 'Programme, die „{name}“ benutzen, werden sofort und endgültig abgewiesen.',
  keyIsRevoked: '„{name}“ ist widerrufen.',
  keyIsCreated: 'Ihr neuer Schlüssel',
  keyShownOnce:
    'Kopieren Sie ihn jetzt und bewahren Sie ihn auf, wo nur Ihr Programm ihn lesen kann. Er wird nicht noch einmal gezeigt.',
  keyValue: 'Schlüssel',
  keyDone: 'Ich habe ihn gesichert',
  authorizeTitle: 'Ein Programm zulassen?',
  authorizeAsks:
    'Ein Programm, das sich „{client}“ nennt, möchte {tenant} in Ihrem Namen benutzen. Sie sind als {email} angemeldet.',
  authorizeLeads: 'Sie werden weitergeleitet an:',
  authorizeWarning:
    'Niemand hat geprüft, ob es ist, was es sagt. Fahren Sie nur fort, wenn Sie gerade selbst ein Programm verbunden haben und wissen, wohin Sie geleitet werden.',
  authorizeScopes: 'Was es darf',
  authorizeScopesHelp:
    'Solange Sie selbst es dürfen und bis Sie sich in diesem Browser abmelden oder die Verbindung in Ihrem Konto beenden.',
  authorizeAllow: 'Zulassen',
  authorizeDeny: 'Ablehnen',
  authorizeUnknownTitle: 'Diese Anfrage geht nicht',
  authorizeUnknown:
    'Das Programm, das Sie hierher geleitet hat, hat nicht gefragt, wie es muss: Es ist hier nicht registriert, will anderswo Antwort als dort, wo es sich registriert hat, oder benutzt ein älteres Protokoll. Verbinden Sie es neu.',
  connectionsTitle: 'Verbundene Programme',
  connectionClient: 'Programm',
  connectionPerson: 'Zugelassen von',
  connectionEnd: 'Beenden',
  connectionEndQuestion: '„{name}“ wird sofort abgewiesen. Es muss neu fragen, ob es zugelassen wird.',
  connectionIsEnded: 'Die Verbindung von „{name}“ ist beendet.',
  noConnections: 'Kein Programm ist verbunden.',
  scopeFormsRead: 'Formulare lesen: ihre Fragen und Einstellungen und die Arbeitsbereiche, in denen sie liegen.',
  scopeFormsWrite: 'Formulare anlegen, ändern, veröffentlichen, schließen und löschen und ihre Antworten löschen.',
  scopeResponsesRead: 'Antworten lesen und die Dateien, die dazugehören.',
  scopeContactsRead: 'Kontakte, ihre Gruppen und ihre Organisationen lesen.',
  scopeContactsWrite:
    'Kontakte, ihre Gruppen und ihre Organisationen anlegen, ändern und löschen, Kontakte an- und abmelden.',
  scopeTicketsRead:
    'Tickets mit Nachrichten und Anhängen, Posteingänge, Schlagwörter, Teams, Benutzer und Hilfeartikel lesen.',
  scopeTicketsWrite:
    'Tickets eröffnen, Kunden antworten, Tickets einordnen, zuweisen und schließen und Hilfeartikel schreiben.',
  scopeWebhooksManage:
    'Webhooks anlegen, ändern, prüfen und löschen, sehen, was sie zugestellt haben, und es noch einmal senden.',
}
