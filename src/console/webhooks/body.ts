import { html, type Markup } from '../../lib/html/markup.ts'
import { writeSize } from '../../lib/language/amounts.ts'
import type { View } from '../visit.ts'

/** Characters of a body that a page shows: a browser grows slow with more, and the whole can be downloaded. */
const SHOWN = 100_000

/** The body of a delivery, indented and as it is sent, with a file of all of it at `path`. */
export function bodyView(view: View, body: string, path: string): Markup {
  const { say, locale } = view.wording
  const isCut = body.length > SHOWN
  const size = writeSize(Buffer.byteLength(body), locale)
  return html`${isCut && html`<p>${say('bodyCut', { size })}</p>`}
<pre class="text code" tabindex="0" role="region" aria-label="${say('bodyPretty')}">${indented(body).slice(0, SHOWN)}</pre>
<details><summary>${say('bodyRaw')}</summary><pre class="text code raw" tabindex="0" role="region" aria-label="${say('bodyRaw')}">${body.slice(0, SHOWN)}</pre></details>
<p><a href="${view.href(path)}" download>${say('bodyDownload')}</a></p>`
}

/** Written by us, so it is JSON. Numbers keep the digits that a reader of the bytes would get. */
function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}
