import type { Deps } from '../deps.ts'
import { passedOn } from '../http/when-asked-for.ts'
import { accountPages } from './account/pages.ts'
import { articlePages } from './articles/pages.ts'
import { assets } from './assets.ts'
import { auditPages } from './audit/pages.ts'
import { cannedReplyPages } from './canned-replies/pages.ts'
import { authorizePages } from './connections/authorize.ts'
import { fieldPages } from './contacts/fields.ts'
import { groupPages } from './contacts/groups.ts'
import { contactPages } from './contacts/pages.ts'
import { findPages } from './find/pages.ts'
import { formPages } from './forms/routes.ts'
import { Guard } from './guard.ts'
import { importPages } from './imports/pages.ts'
import { inboxPages } from './inbox/routes.ts'
import { keyPages } from './keys/pages.ts'
import { organisationPages } from './organisations/pages.ts'
import { reportPages } from './reports/routes.ts'
import { settingsPages } from './settings/routes.ts'
import { signInPages } from './sign-in/pages.ts'
import { userPages } from './users/pages.ts'
import { webhookPages } from './webhooks/routes.ts'

/** Every part of the console, in one list: each adds its pages. */
const parts: readonly ((add: Guard) => void)[] = [
  signInPages,
  accountPages,
  keyPages,
  authorizePages,
  auditPages,
  webhookPages,
  userPages,
  inboxPages,
  reportPages,
  cannedReplyPages,
  contactPages,
  groupPages,
  fieldPages,
  importPages,
  organisationPages,
  articlePages,
  formPages,
  settingsPages,
  findPages,
]

/** The pages of the console. Routes name their role to the guard. */
export function consolePages(deps: Deps) {
  const app = passedOn(deps)
  for (const [path, serve] of assets) app.get(path, ({ request }) => serve(request), { scope: 'public' })
  const guard = new Guard(deps, (method, path, role, handle) => {
    app.route(method, path, ({ request, params }) => handle(request, params), {
      detail: { 'x-console': role } as object,
    })
  })
  for (const addPages of parts) addPages(guard)
  guard.addStart()
  return app
}
