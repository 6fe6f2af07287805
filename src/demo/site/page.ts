import { englishPage } from '../../lib/html/english-page.ts'
import { html } from '../../lib/html/markup.ts'

/**
 * A page as Harbour & Pine might have it, with the chat of a source in its corner. `base` is the path the service is
 * reached under, mostly ''; `version` is the style sheet's.
 */
export function demoPage(base: string, version: string, sourceId: string): string {
  return englishPage({
    title: 'Harbour & Pine',
    styles: `${base}/demo-site.css?v=${version}`,
    script: html`<script src="${base}/chat/${sourceId}/widget.js" async></script>`,
    body: html`<header class="brand"><span class="monogram" aria-hidden="true">H</span><span>Harbour &amp; Pine</span></header>
<main class="card">
  <h1>Bookings for guest houses and studios</h1>
  <p class="description">One calendar for rooms and classes, deposits that are paid when somebody books, and mails to guests that write themselves.</p>
  <p>This company is invented, and so is its site. The chat in the corner is real: ask “How do I get my money back if I cancel?”, or write something and answer it as the company would, in the <a href="${base}/console/inbox">inbox</a>.</p>
  <p>What the chat knows stands in the <a href="${base}/help/${sourceId}">help centre</a>.</p>
  <noscript><p>The chat needs JavaScript. The help centre does not.</p></noscript>
</main>`,
  })
}
