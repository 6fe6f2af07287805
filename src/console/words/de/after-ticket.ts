import type { Translation } from '../../../words/sentences.ts'
import type { afterTicket as english } from '../en/after-ticket.ts'

export const afterTicket: Translation<typeof english> = {
  sendOtherwise: 'Andere Arten zu senden',
  sendAndWait: 'Senden und auf den Kunden warten',
  sendAndSnooze: 'Senden und zurückstellen',
  sendAndSnoozeUntil: 'Zurückstellen bis',
  sendUntilThen: 'Senden und bis dahin zurückstellen',

  afterDoneTitle: 'Arbeiten im Posteingang',
  afterDone: 'Nach dem Antworten oder Schließen zeigen',
  afterDoneNext: 'das nächste Ticket',
  afterDoneList: 'die Liste',
  afterDoneTicket: 'dasselbe Ticket',
  afterDoneSaved: 'Ihre Auswahl ist gespeichert.',
}
