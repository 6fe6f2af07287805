import type { Translation } from '../../../words/sentences.ts'
import type { articles as english } from '../en/articles.ts'

export const articles: Translation<typeof english> = {
  articlesTitle: 'Artikel',
  articlesIntro: 'Was Ihr Hilfebereich zeigt und woraus der Chat antwortet.',
  articleNew: 'Neuer Artikel',
  articleSource: 'Quelle',
  articleFilters: 'Artikel finden',
  articleSearch: 'Wörter',
  articlesNone:
    'Es gibt noch keine Artikel. Schreiben Sie auf, was immer wieder gefragt wird: Das Hilfecenter zeigt es.',
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
  articleMore: 'Adresse, Format und Original',
  articleState: 'Stand',
  articleUntitled: 'Ohne Titel',
  articlePublish: 'Veröffentlichen',
  articlePublished: 'Veröffentlicht',
  articleCreated: 'Der Artikel ist veröffentlicht.',
  articleSaved: 'Ihre Änderungen sind veröffentlicht.',
  articleDraft: 'Entwurf · nicht veröffentlicht',
  articleDraftOf: 'Entwurf gespeichert:',
  articleDrafts: 'Entwürfe',
  articleDraftsAll: 'Alle Entwürfe',
  articleDraftsNone: 'Es gibt keine Entwürfe.',
  articleDraftSave: 'Entwurf speichern',
  articleDraftSaved: 'Der Entwurf wurde gespeichert.',
  articleDraftSavedAt: 'Gespeichert',
  articleDraftKept: 'Entwurf gespeichert',
  articleDraftNotKept:
    'Der Entwurf kann gerade nicht gespeichert werden. Er liegt auf diesem Computer und wird gespeichert, sobald es geht.',
  articleDraftChanged:
    'Jemand anders hat diesen Entwurf geändert, seit Sie ihn geöffnet haben; Ihrer wird deshalb nicht mehr gespeichert. In einem anderen Tab sehen Sie, was die anderen geschrieben haben. „Entwurf speichern“ ersetzt es durch Ihres.',
  articleDraftDiscard: 'Entwurf verwerfen',
  articleDraftDiscardQuestion:
    'Was seit der letzten Veröffentlichung geschrieben wurde, geht endgültig verloren. Der veröffentlichte Artikel bleibt, wie er ist.',
  articleDraftDeleteQuestion: 'Dieser Entwurf wurde nie veröffentlicht. Er geht endgültig verloren.',
  articleDraftDiscarded: 'Der Entwurf wurde verworfen.',
  articleOvertaken:
    'Der veröffentlichte Artikel wurde geändert, nachdem dieser Entwurf begonnen wurde. Wer veröffentlicht, ersetzt das.',
  articleView: 'Ansicht',
  articleRich: 'Editor',
  articleWhyMarkdown: 'Dieser Artikel bleibt in Markdown: Der Editor würde ändern, was mit „{text}“ beginnt.',
  articlePreview: 'Vorschau',
  articlePreviewHelp: 'So wird ihn der Hilfebereich zeigen. Es ist noch nichts veröffentlicht.',
  articleOpen: 'Seite öffnen',
  articleChanged:
    'Jemand anders hat diesen Artikel geändert, seit Sie ihn geöffnet haben. Was Sie eingegeben haben, steht noch hier: Vergleichen Sie es mit der öffentlichen Seite, und veröffentlichen Sie noch einmal, um sie zu ersetzen.',
  articleDelete: 'Artikel löschen',
  articleDeleteQuestion:
    '„{title}“ wird endgültig gelöscht, aus dem Hilfebereich und aus den Antworten des Chats, samt seinem Entwurf.',
  articleDeleted: 'Der Artikel wurde gelöscht.',
}
