import { html, type Markup } from '../../lib/html/markup.ts'
import { getProfile, updateUser } from '../../users/profile.ts'
import { button, form, textArea } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import { shownHtml } from '../inbox/message/stored-html.ts'
import type { Again, Visit } from '../visit.ts'

/** What stands below one's mails: to be changed, and as it looks. It is sent to `action`. */
export async function signaturePart(visit: Visit, action: string, again?: Again): Promise<Markup> {
  const { say } = visit.wording
  const { tenantId, userId } = visit.principal
  const { signature } = await getProfile(visit.db, tenantId, userId)
  const shown = signature === null ? null : shownHtml(visit, signature, false).content
  return html`${form(visit, { action }, [
    textArea(visit, {
      name: 'signature',
      label: say('signatureTitle'),
      help: say('signatureHelp'),
      value: typed(signature ?? ''),
      rows: 5,
      again,
    }),
    button(say('save'), { kind: 'secondary' }),
  ])}
${shown && html`<figure class="mail-signature"><figcaption>${say('signatureShown')}</figcaption><div class="written">${shown}</div></figure>`}`
}

/** Keeps it, sanitised; an empty one is none. Throws `invalid_request`. */
export async function saveSignature(visit: Visit, sent: FormFields): Promise<void> {
  const signature = written(sent.text('signature'))
  await visit.change((tx, caller) => updateUser(tx, caller, visit.principal.userId, { signature }))
}

/** What makes a text HTML: an address in pointed brackets does not. */
const TAG = /<\/?(a|b|br|div|em|h[1-6]|hr|i|img|li|ol|p|span|strong|table|td|tr|u|ul)(\s[^>]*)?\/?>/i

/** Text without a tag is no HTML: its lines stay lines. */
function written(text: string): string {
  return TAG.test(text) ? text : Bun.escapeHTML(text).replaceAll('\n', '<br>')
}

/** The other way round: what was written as text can be changed as text. */
function typed(stored: string): string {
  const text = stored.replace(/<br ?\/?>\n?/g, '\n')
  if (text.includes('<')) return stored
  const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'", amp: '&' }
  return text.replace(/&(lt|gt|quot|#x27|#39|amp);/g, (_, name: string) => signs[name] as string)
}
