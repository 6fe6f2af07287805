import { html, type Insert, type Markup } from './markup.ts'

/** A page that speaks of frontdesk itself, or of the demo: always English, and of no language that somebody chose. */
interface EnglishPage {
  readonly title: Insert
  /** Address of its style sheet. */
  readonly styles: string
  /** What it runs: whole `script` elements. */
  readonly script?: Markup
  readonly body: Markup
}

/** Such a page, whole: shown light or dark as its reader likes, and by no search engine. */
export function englishPage({ title, styles, script, body }: EnglishPage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${styles}">
${script && html`${script}\n`}</head>
<body>
${body}
</body>
</html>
`.text
}
