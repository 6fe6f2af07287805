import { type Scope, scopes } from '../../kinds/scopes.ts'
import type { Markup } from '../../lib/html/markup.ts'
import { checkbox, fieldset } from '../components/forms.ts'
import type { Again, View } from '../visit.ts'
import type { ConsoleWords } from '../words/index.ts'

/** What a scope means, for those who do not program. */
const meanings = {
  'forms:read': 'scopeFormsRead',
  'forms:write': 'scopeFormsWrite',
  'responses:read': 'scopeResponsesRead',
  'contacts:read': 'scopeContactsRead',
  'contacts:write': 'scopeContactsWrite',
  'tickets:read': 'scopeTicketsRead',
  'tickets:write': 'scopeTicketsWrite',
  'webhooks:manage': 'scopeWebhooksManage',
} as const satisfies Record<Scope, keyof ConsoleWords>

/** What a key may do, to be ticked: `chosen` are ticked before. `told` where it is no key, and not all are offered. */
export function scopeFields(
  view: View,
  again?: Again,
  chosen: readonly Scope[] = [],
  told?: { offered: readonly Scope[]; legend: string; help: string },
): Markup {
  const { say, words } = view.wording
  const { offered, legend, help } = told ?? { offered: scopes, legend: say('keyScopes'), help: say('keyScopesHelp') }
  return fieldset(
    { legend, help, name: 'scopes', again },
    offered.map((scope) =>
      checkbox(view, {
        name: 'scopes',
        value: scope,
        label: scope,
        help: words[meanings[scope]],
        checked: chosen.includes(scope),
        again,
      }),
    ),
  )
}
