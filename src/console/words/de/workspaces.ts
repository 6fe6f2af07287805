import type { Translation } from '../../../words/sentences.ts'
import type { workspaces as english } from '../en/workspaces.ts'

export const workspaces: Translation<typeof english> = {
  settingsWorkspaces: 'Arbeitsbereiche',
  workspacesIntro: 'Jedes Formular liegt in einem Arbeitsbereich. Programme finden Formulare danach.',
  workspaceName: 'Bezeichnung',
  workspaceRename: 'Umbenennen',
  workspaceNew: 'Neuer Arbeitsbereich',
  workspaceCreate: 'Arbeitsbereich anlegen',
  workspaceCreated: 'Der Arbeitsbereich {name} wurde angelegt.',

  tenantAccent: 'Farbe',
  tenantAccentHelp:
    'Von Formularen und Chats, die keine eigene haben, etwa #0a7d4f. Sie wird dunkler oder heller, wo sie sonst nicht lesbar wäre.',

  chatPreview: 'Vorschau',
  chatPreviewHelp:
    'Der Knopf in der Ecke dieser Seite ist der Chat, wie Besucher ihn mit den gespeicherten Einstellungen bekommen. Er ist echt: Was Sie dort schreiben, wird ein Ticket.',
}
