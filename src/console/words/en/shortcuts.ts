/* Single keys that do things in the inbox, the sheet that lists them, and their switch. */
export const shortcuts = {
  shortcutsTitle: 'Keyboard shortcuts',
  shortcutsHelp: 'They do nothing while you type.',
  shortcutsOff: 'Turn them off',
  closeSheet: 'Close this sheet',
  useShortcuts: 'Use single keys in the inbox',
  useShortcutsHelp:
    'Press ? there to see them. Turn them off if you dictate, or if they get in the way of a screen reader.',
  shortcutsAreOn: 'Keyboard shortcuts are on.',
  shortcutsAreOff: 'Keyboard shortcuts are off.',

  // What each key does
  keyNextTicket: 'Next ticket',
  keyPreviousTicket: 'Previous ticket',
  keyOpenTicket: 'Open the ticket',
  keyTick: 'Select the ticket',
  keySearch: 'Search',
  keySheet: 'Show this sheet',
  keyReply: 'Write an answer',
  keyNote: 'Write a note',
  keyAssign: 'Assign it, or what is selected',
  keyTags: 'Tags',
  keyPriority: 'Priority',
  keySnooze: 'Snooze',
  keyUndo: 'Undo what was done last',
  keySend: 'Send',
  keySendAndClose: 'Send and close the ticket',
  keyFind: 'Find anything',
  keyLeave: 'Leave the field, for these keys',
  keyClose: 'Close the ticket',
} as const
