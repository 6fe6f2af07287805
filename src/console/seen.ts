import { refusal, rule } from '../errors.ts'
import { html, type Markup } from '../lib/html/markup.ts'
import type { FormFields } from './form-fields.ts'

/** What a form was written from, so that who sends it is told when somebody else has changed it meanwhile. */
export function seenInput(settings: object): Markup {
  return html`<input type="hidden" name="seen" value="${versionOf(settings)}">`
}

/** Whether these are still the settings that the form was written from. Asked in the transaction of the change. */
export function hasSeen(sent: FormFields, settings: object): boolean {
  return sent.exact('seen') === versionOf(settings)
}

/** Throws `conflict` where a form that says what it was written from was not written from these settings: `hasSeen`. */
export function requireSeen(sent: FormFields, settings: object): void {
  if (sent.has('seen') && !hasSeen(sent, settings)) throw refusal('conflict', rule('settings_changed'))
}

/** Another one for other settings. */
function versionOf(settings: object): string {
  return Bun.hash(JSON.stringify(settings)).toString(36)
}
