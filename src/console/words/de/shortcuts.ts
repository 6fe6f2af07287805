import type { Translation } from '../../../words/sentences.ts'
import type { shortcuts as english } from '../en/shortcuts.ts'

export const shortcuts: Translation<typeof english> = {
  shortcutsTitle: 'Tastenkürzel',
  shortcutsHelp: 'Während Sie schreiben, tun sie nichts.',
  shortcutsOff: 'Abschalten',
  closeSheet: 'Übersicht schließen',
  useShortcuts: 'Im Posteingang einzelne Tasten verwenden',
  useShortcutsHelp:
    'Mit ? sehen Sie dort, welche. Schalten Sie sie ab, wenn Sie diktieren oder ein Screenreader sie anders versteht.',
  shortcutsAreOn: 'Die Tastenkürzel sind eingeschaltet.',
  shortcutsAreOff: 'Die Tastenkürzel sind abgeschaltet.',

  keyNextTicket: 'Nächstes Ticket',
  keyPreviousTicket: 'Voriges Ticket',
  keyOpenTicket: 'Ticket öffnen',
  keyTick: 'Ticket markieren',
  keyTakeTicked: 'Markierte Tickets, oder dieses, sich selbst zuweisen',
  keyCloseTicked: 'Markierte Tickets, oder dieses, schließen',
  keySearch: 'Suchen',
  keySheet: 'Diese Übersicht zeigen',
  keyReply: 'Antwort schreiben',
  keyNote: 'Notiz schreiben',
  keyTake: 'Ticket sich selbst zuweisen',
  keyClose: 'Ticket schließen',
  keyNextMessage: 'Nächste Nachricht',
  keyPreviousMessage: 'Vorige Nachricht',
  keyBack: 'Zurück zur Liste',
}
