import { englishPage } from '../lib/html/english-page.ts'
import { html } from '../lib/html/markup.ts'

/**
 * What stands at `/` (decisions §10): where to go from here, for those who work with it and those who program it. `base` is the path the service is reached under, mostly
 * ''; `version` is the style sheet's.
 */
export function homePage(base: string, version: string): string {
  return englishPage({
    title: 'frontdesk',
    styles: `${base}/home.css?v=${version}`,
    body: html`<header class="brand"><span class="monogram" aria-hidden="true">f</span><span>frontdesk</span></header>
<main class="card">
  <h1>Forms, contacts and a support inbox</h1>
  <p class="description">All of it behind one REST API, with signed webhooks.</p>
  <p class="ways"><a class="primary" href="${base}/console">Sign in</a> <a href="${base}/docs">API documentation</a> <a href="${base}/docs/json">OpenAPI document</a></p>
  <p class="lost">Looking for a form? Its address ends in a code, such as <code>/f/aB3xK9q2</code>. Ask whoever sent it to you for the whole link.</p>
</main>`,
  })
}
