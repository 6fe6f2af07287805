import type { Translation } from '../../../words/sentences.ts'
import type { webhooks as english } from '../en/webhooks.ts'

export const webhooks: Translation<typeof english> = {
  webhooksTitle: 'Webhooks',
  webhooksIntro:
    'Ein Webhook sagt einem anderen Programm, was hier geschieht. Ereignisse werden {seconds} Sekunden lang gesammelt und zusammen an seine URL gesendet.',
  webhooksNone:
    'Es gibt noch keine Webhooks. Legen Sie einen an, damit ein anderes Programm erfährt, was hier geschieht.',
  webhookNew: 'Neuer Webhook',
  webhookColumn: 'Webhook',
  webhookState: 'Zustand',
  webhookWaiting: 'Wartend',
  webhookLastDelivery: 'Letzte Zustellung',
  webhookFacts: 'Auf einen Blick',
  webhookActive: 'Aktiv',
  webhookPaused: 'Angehalten',
  webhookFailing: 'Schlägt fehl',
  webhookDeleted: 'Gelöscht',
  webhookEvents: 'Ereignisse',
  webhookSigned: 'Signiert',

  webhookName: 'Name',
  webhookNameHelp: 'Wie er hier genannt wird.',
  webhookUrl: 'URL',
  webhookUrlHelp:
    'Wohin Ereignisse gesendet werden, als POST mit JSON: eine öffentliche Adresse, die mit https:// beginnt',
  webhookEventsHelp: 'Was das andere Programm wissen will. Wählen Sie mindestens eines.',
  webhookNoEvents: 'Wählen Sie mindestens ein Ereignis.',
  webhookSecret: 'Geheimnis',
  webhookSecretHelp: 'Zustellungen werden damit signiert, damit der Empfänger erkennt, dass sie von uns sind.',
  webhookSecretKeep: 'Lassen, wie es ist',
  webhookSecretMake: 'Eines für mich erzeugen',
  webhookSecretOwn: 'Mein eigenes verwenden',
  webhookSecretNone: 'Keines: Zustellungen werden nicht signiert',
  webhookOwnSecret: 'Ihr eigenes Geheimnis',
  webhookOwnSecretHelp: 'Nur, wenn Sie Ihr eigenes verwenden wollen.',
  webhookOwnSecretMissing: 'Geben Sie das Geheimnis ein, oder lassen Sie eines erzeugen.',
  webhookOwnSecretLong: 'Ein Geheimnis hat höchstens 1.000 Zeichen.',
  webhookIsActive: 'Aktiv',
  webhookIsActiveHelp:
    'Solange er angehalten ist, wird nichts Neues gesammelt; was wartet, wird gesendet, sobald er wieder aktiv ist.',
  webhookCreate: 'Webhook anlegen',
  webhookEdit: 'Webhook bearbeiten',
  webhookDeleteTitle: 'Diesen Webhook löschen',
  webhookDelete: 'Webhook löschen',
  webhookDeleteAsk:
    'Zustellungen an {name} enden sofort, und was wartet, wird nie gesendet. Das lässt sich nicht rückgängig machen.',

  webhookCreated: 'Der Webhook wurde angelegt.',
  webhookSaved: 'Der Webhook wurde gespeichert.',
  webhookWasPaused: 'Der Webhook ist angehalten.',
  webhookResumed: 'Der Webhook ist wieder aktiv. Was gewartet hat, wird gesendet.',
  webhookWasDeleted: 'Der Webhook wurde gelöscht.',
  webhookSecretTitle: 'Das Geheimnis von {name}',
  webhookSecretOnce: 'Übertragen Sie es jetzt zum Empfänger: Es wird nicht noch einmal gezeigt.',
  webhookSecretUse:
    'Die Kopfzeile X-Signature jeder Zustellung ist der HMAC-SHA256 des Inhalts mit diesem Text als Schlüssel, in Base64.',
  webhookSecretStandard: 'Es passt auch, so wie es ist, in Bibliotheken für Standard Webhooks.',
  webhookSecretDone: 'Ich habe es kopiert',

  eventResponseCreated: 'Ein Formular wurde beantwortet',
  eventResponseCreatedHelp: 'Jede vollständige Antwort, mit ihren Angaben, Punkten und dem Kontakt.',
  eventContactChanged: 'Ein Kontakt wurde angelegt oder geändert',
  eventContactChangedHelp: 'Name, Adresse, Gruppen und Ihre eigenen Felder, wie sie von da an sind.',
  eventContactUnsubscribed: 'Ein Kontakt hat sich abgemeldet',
  eventContactUnsubscribedHelp: 'Jemand möchte Ihre E-Mails nicht mehr bekommen.',
  eventTicketCreated: 'Ein Ticket wurde eröffnet',
  eventTicketCreatedHelp: 'Per E-Mail, in einem Chat oder durch die API.',
  eventTicketReplied: 'Ein Ticket bekam eine Nachricht',
  eventTicketRepliedHelp: 'Vom Kunden oder an den Kunden. Interne Notizen werden nicht gemeldet.',
  eventTicketStatus: 'Der Status eines Tickets hat sich geändert',
  eventTicketStatusHelp: 'Es wurde zum Beispiel geschlossen, wieder geöffnet oder zurückgestellt.',

  webhookPause: 'Anhalten',
  webhookResume: 'Fortsetzen',
  webhookSendTest: 'Test senden',
  webhookWaitingCount: { one: '{count} Zustellung', other: '{count} Zustellungen' },
  webhookMend: 'Warum Zustellungen fehlschlagen',
  webhookMendUrl: 'URL bearbeiten',
  webhookMendLook: 'Fehlgeschlagenes ansehen',
  deliveries: 'Zustellungen',
  deliveriesNone:
    'Es wurde noch nichts gesendet. Das erste Ereignis, für das dieser Webhook da ist, wird hier erscheinen.',
  deliveriesNoneSuch: 'Es gibt keine Zustellungen in diesem Zustand.',
  deliveryFilter: 'Zustellungen filtern',
  deliveryCollected: 'Erstes Ereignis',
  deliveryEvents: 'Ereignisse',
  deliveryAttempts: 'Versuche',
  deliveryOutcome: 'Letzte Antwort',
  deliveryNext: 'Nächster Versuch',
  deliveryCollecting: 'Sammelt',
  deliveryPending: 'Wartet',
  deliveryRetrying: 'Wird wiederholt',
  deliveryDelivered: 'Zugestellt',
  deliveryFailed: 'Fehlgeschlagen',

  replayTitle: 'Noch einmal senden',
  replaySince: 'Noch einmal senden seit (UTC)',
  replayHelp:
    'Was seither geschah, höchstens vor 31 Tagen, wird an diesen Webhook noch einmal gesendet: der Reihe nach, mit denselben Ereignis-IDs, hinter dem, was wartet.',
  replayDo: 'Noch einmal senden',
  replayNoTime: 'Geben Sie Datum und Uhrzeit ein.',
  replayBegun: {
    one: '{count} Ereignis wird noch einmal gesendet.',
    other: '{count} Ereignisse werden noch einmal gesendet.',
  },
  replayUnderWay:
    'Ereignisse werden noch einmal gesendet. Sobald alle oben in der Liste warten, können Sie von vorn beginnen.',

  deliveryTitle: 'Zustellung an {name}',
  deliveryId: 'Id des Stapels',
  deliveryRedeliver: 'Noch einmal zustellen',
  deliveryRetryNow: 'Jetzt noch einmal versuchen',
  deliveryQueued: 'Die Zustellung wird wiederholt, mit demselben Inhalt.',
  deliveryDue: 'Der nächste Versuch läuft.',
  attemptsNone: 'Es wurde noch kein Versuch gemacht.',
  attemptNumber: 'Versuch',
  attemptTime: 'Zeit',
  attemptAnswer: 'Antwort',
  attemptDuration: 'Dauer',
  milliseconds: '{count} ms',
  deliveryMended: 'Behoben? Versuchen Sie es jetzt noch einmal, oder warten Sie auf den nächsten Versuch.',
  deliveryMendedPaused:
    'Behoben? Der Webhook ist angehalten: Setzen Sie ihn fort, dann wird diese noch einmal zugestellt.',
  deliveryMendedOver: 'Von selbst wird nichts mehr versucht. Behoben? Stellen Sie diese noch einmal zu.',
  bodyTitle: 'Was gesendet wird',
  bodyNone: 'Der Inhalt wird geschrieben, sobald der Stapel vollständig ist.',
  bodyNever: 'Dieser Stapel war nie vollständig: Er hat keinen Inhalt.',
  bodyPretty: 'Der Inhalt, zum Lesen eingerückt',
  bodyRaw: 'Genau so, wie er gesendet wird',
  bodyCut: 'Das ist der Anfang: Der ganze Inhalt hat {size}.',
  bodyDownload: 'Inhalt herunterladen',

  testTitle: 'Test von {name}',
  testPassed: 'Der Empfänger hat ihn angenommen',
  testFailed: 'Der Empfänger hat ihn nicht angenommen',
  testStatus: 'Statuscode',
  testNoStatus: 'Keine Antwort',
  testTime: 'Gesendet',
  testAnswer: 'Was er geantwortet hat',
  testNoAnswer: 'Die Antwort hat keinen Text.',
  testAgain: 'Noch einen Test senden',
  testIntro: 'Ein erfundenes Ereignis wurde gesendet, signiert wie jedes andere. Es steht in keinem Verlauf.',
  testTooSoon: {
    one: 'Gerade eben wurde ein Test gesendet. Bitte warten Sie {count} Sekunde.',
    other: 'Gerade eben wurde ein Test gesendet. Bitte warten Sie {count} Sekunden.',
  },

  outcomeTaken: 'Zugestellt ({status})',
  outcomeStatus: 'Abgelehnt ({status})',
  outcomeRedirect: 'Weitergeleitet ({status})',
  outcomeTimeout: 'Keine Antwort in der Zeit',
  outcomeDns: 'Unbekannter Host',
  outcomeTls: 'Keine sichere Verbindung',
  outcomeRefused: 'Keine Verbindung',
  outcomeReset: 'Verbindung abgebrochen',
  outcomeBlocked: 'Adresse nicht erlaubt',
  outcomeProtocol: 'Kein Webserver',
  outcomeInternal: 'Ein Fehler bei uns',
  whyTimeout:
    'Der Empfänger hat nicht innerhalb von {seconds} Sekunden geantwortet. Lassen Sie ihn sofort mit einem 2xx-Status antworten und seine Arbeit danach tun.',
  whyDns:
    'Es gibt keinen Server dieses Namens. Prüfen Sie, wie der Host in der URL geschrieben ist und ob es seinen DNS-Eintrag gibt.',
  whyTls:
    'Das Zertifikat des Empfängers gilt nicht: Es ist abgelaufen, für einen anderen Namen, oder niemand bürgt dafür. Erneuern Sie es, oder nehmen Sie den Namen, für den es gilt.',
  whyRefused:
    'An diesem Host und Port nimmt nichts Verbindungen an. Prüfen Sie, ob der Empfänger läuft, ob der Port in der URL stimmt und ob keine Firewall dazwischen ist.',
  whyReset:
    'Der Empfänger hat die Verbindung geschlossen, ehe er geantwortet hat. Vielleicht sagt sein eigenes Protokoll, warum.',
  whyRedirect:
    'Der Empfänger verweist auf eine andere Adresse, und Weiterleitungen wird nicht gefolgt. Tragen Sie die Adresse, auf die er verweist, als URL ein.',
  whyBlocked:
    'Der Host hat eine Adresse in einem privaten oder reservierten Netz, wohin nie etwas gesendet wird. Nehmen Sie einen Host mit öffentlicher Adresse.',
  whyProtocol: 'Was dort antwortet, spricht kein HTTP. Prüfen Sie Host und Port in der URL.',
  whyInternal:
    'Der Versuch konnte nicht gemacht werden. Falls es noch einmal geschieht, sagen Sie denen Bescheid, die diesen Dienst betreiben.',
  whyNotFound: 'An dieser Adresse ist nichts ({status}). Prüfen Sie den Pfad der URL.',
  whyMethod: 'Diese Adresse nimmt kein POST an ({status}). Prüfen Sie den Pfad der URL.',
  whyAccess:
    'Der Empfänger hat uns nicht eingelassen ({status}). Vielleicht prüft er Signaturen mit einem anderen Geheimnis, oder er verlangt eine Anmeldung.',
  whySize: 'Was gesendet wurde, ist dem Empfänger zu groß ({status}). Heben Sie seine Grenze an.',
  whyTooMany:
    'Der Empfänger bittet um weniger Anfragen ({status}). Heben Sie seine Grenze an, oder lassen Sie ihn früher antworten.',
  whyRejected:
    'Der Empfänger hat nicht angenommen, was gesendet wurde ({status}). Vielleicht sagt sein eigenes Protokoll, warum.',
  whyServer:
    'Der Empfänger hat selbst einen Fehler ({status}). Hier ist nichts zu ändern: Beheben Sie ihn beim Empfänger.',
}
