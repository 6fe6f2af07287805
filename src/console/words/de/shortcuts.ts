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
  keySearch: 'Suchen',
  keySheet: 'Diese Übersicht zeigen',
  keyReply: 'Antwort schreiben',
  keyNote: 'Notiz schreiben',
  keyAssign: 'Zuweisen, auch die ausgewählten',
  keyTags: 'Schlagwörter',
  keyPriority: 'Priorität',
  keySnooze: 'Zurückstellen',
  keyUndo: 'Das Letzte rückgängig machen',
  keySend: 'Senden',
  keySendAndClose: 'Senden und das Ticket schließen',
  keyFind: 'Alles finden',
  keyLeave: 'Feld verlassen, für diese Tasten',
  keyClose: 'Ticket schließen',
}
