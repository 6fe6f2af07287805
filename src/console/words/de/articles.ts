import type { Translation } from '../../../words/sentences.ts'
import type { articles as english } from '../en/articles.ts'

export const articles: Translation<typeof english> = {
  articlesTitle: 'Artikel',
  articlesIntro: 'Was Ihr Hilfebereich zeigt und woraus der Chat antwortet.',
  articleNew: 'Neuer Artikel',
  articleSource: 'Quelle',
  articleFilters: 'Artikel finden',
  articleSearch: 'Wörter',
  articlesNone: 'Es gibt noch keine Artikel.',
  articlesNotFound: 'Kein Artikel enthält alle diese Wörter.',
  articleNoSource: 'Artikel gehören zu einer Quelle eines Live-Chats, und es gibt noch keine.',
  articleHelpCentre: 'Hilfebereich öffnen',
  articleTitle: 'Titel',
  articleFormat: 'Format',
  articleUpdated: 'Geändert',
  articleMarkdown: 'Markdown',
  articleHtml: 'HTML',
  articleText: 'Nur Text',
  articleSlug: 'Adresse',
  articleSlugHelp:
    'Das Ende der Seitenadresse: Buchstaben ohne Umlaute, Ziffern und - . _ ~. Bleibt das Feld leer, entsteht sie aus dem Titel.',
  articleSlugWrong:
    'Muss aus 1 bis 200 Buchstaben ohne Umlaute, Ziffern und - . _ ~ bestehen; nicht möglich sind . und .. und sitemap.xml.',
  articleSlugTaken: 'Einen Artikel mit dieser Adresse gibt es schon.',
  articleTitleMissing: 'Ein Artikel braucht einen Titel.',
  articleContent: 'Inhalt',
  articleContentMissing: 'Ein Artikel braucht einen Inhalt.',
  articleCanonical: 'Zuerst erschienen unter',
  articleCanonicalHelp: 'Suchmaschinen erfahren, dass diese Seite das Original ist.',
  articleCreate: 'Artikel anlegen',
  articleCreated: 'Der Artikel wurde angelegt.',
  articleSaved: 'Der Artikel wurde gespeichert.',
  articleEdit: 'Artikel bearbeiten',
  articlePreview: 'Vorschau',
  articlePreviewHelp: 'So wird ihn der Hilfebereich zeigen. Es ist noch nichts gespeichert.',
  articleOpen: 'Seite öffnen',
  articleChanged:
    'Jemand anders hat diesen Artikel geändert, seit Sie ihn geöffnet haben. Was Sie eingegeben haben, steht noch hier: Vergleichen Sie es mit der öffentlichen Seite, und speichern Sie noch einmal, um sie zu ersetzen.',
  articleDelete: 'Artikel löschen',
  articleDeleteQuestion: '„{title}“ wird endgültig gelöscht, aus dem Hilfebereich und aus den Antworten des Chats.',
  articleDeleted: 'Der Artikel wurde gelöscht.',
}
