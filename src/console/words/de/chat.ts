export const chat = {
  saidTakenBack: 'Von der Seite des Besuchers zurückgenommen. Ihre Nachricht steht wieder unten.',
} as const
