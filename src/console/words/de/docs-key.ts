import type { Translation } from '../../../words/sentences.ts'
import type { docsKey as english } from '../en/docs-key.ts'

export const docsKey: Translation<typeof english> = {
  docsKeyTitle: 'API ausprobieren',
  docsKeyIntro:
    'Legt einen Schlüssel an, der eine Stunde gilt, und öffnet damit die Dokumentation: Jedes Beispiel darin lässt sich an Ihren eigenen Daten ausprobieren.',
  docsKeyOpen: 'Dokumentation öffnen',
  docsKeyName: 'Dokumentation, für {name}',
  docsKeyReady:
    'Drücken Sie in der Dokumentation auf „Authorize“ und fügen Sie diesen Schlüssel ein. Er gilt eine Stunde und wird nicht noch einmal gezeigt.',
  docsKeyGo: 'Zur Dokumentation',
}
