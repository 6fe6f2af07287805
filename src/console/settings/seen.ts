import { refusal, rule } from '../../errors.ts'
import { html, type Markup } from '../../lib/markup.ts'
import type { FormFields } from '../form-fields.ts'

/** What a form was written from, so that who sends it is told when somebody else has changed it meanwhile. */
export function seenInput(settings: object): Markup {
  return html`<input type="hidden" name="seen" value="${versionOf(settings)}">`
}

/** Throws `conflict` where these are no longer the settings that the form was written from. In the transaction of the change. */
export function requireSeen(sent: FormFields, settings: object): void {
  if (sent.has('seen') && sent.exact('seen') !== versionOf(settings)) {
    throw refusal('conflict', rule('settings_changed'))
  }
}

function versionOf(settings: object): string {
  return Bun.hash(JSON.stringify(settings)).toString(36)
}
