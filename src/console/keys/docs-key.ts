import { createKey } from '../../keys/operations.ts'
import { scopes } from '../../kinds/scopes.ts'
import { html } from '../../lib/html/markup.ts'
import { formatTime } from '../../lib/time.ts'
import { backLink, copyable, pageHead } from '../components/display.ts'
import { button, form } from '../components/forms.ts'
import type { Guard } from '../guard.ts'
import type { Again, PageContent, Visit } from '../visit.ts'
import { scopeFields } from './scope-fields.ts'

const PATH = '/console/keys/docs'
/** How long such a key works, in milliseconds. */
const LIFETIME = 60 * 60 * 1000

/**
 * A key to try the API with in its documentation, which opens with it filled in. It is handed over in the browser, and
 * stands in no address: those are logged.
 */
export function docsKeyPages(add: Guard): void {
  add.page(PATH, { role: 'admin' }, (visit) => askPage(visit))

  add.action(PATH, { role: 'admin', again: askPage }, async (visit, sent) => {
    const input = {
      name: visit.wording.say('docsKeyName', { name: visit.principal.name }).slice(0, 255),
      scopes: sent.texts('scopes'),
      expiresAt: formatTime(visit.at + LIFETIME),
    }
    const { key } = await visit.change((tx, caller) => createKey(tx, caller, input))
    return handOverPage(visit, key)
  })
}

function askPage(visit: Visit, again?: Again): PageContent {
  const { say } = visit.wording
  return {
    title: say('docsKeyTitle'),
    width: 'narrow',
    body: html`${backLink(visit, '/console/keys', say('keysTitle'))}
${pageHead(say('docsKeyTitle'), null, say('docsKeyIntro'))}
${form(visit, { action: PATH }, [scopeFields(visit, again, scopes), button(say('docsKeyOpen'))])}`,
  }
}

/** The script goes on to the documentation at once. Where none runs, the key is there to be copied. */
function handOverPage(visit: Visit, key: string): PageContent {
  const { say } = visit.wording
  return {
    title: say('docsKeyTitle'),
    width: 'narrow',
    scripts: ['docs-key'],
    body: html`${pageHead(say('docsKeyTitle'), null, say('docsKeyReady'))}
${copyable(visit, { label: say('keyValue'), value: key, id: 'key' })}
<p><a class="primary" href="${visit.href('/docs')}" data-docs-key="${key}">${say('docsKeyGo')}</a></p>`,
  }
}
