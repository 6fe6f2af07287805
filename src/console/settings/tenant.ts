import { wordLists } from '../../hosted/words/index.ts'
import { html } from '../../lib/html/markup.ts'
import { getTenantSettings, updateTenant } from '../../tenants/operations.ts'
import { button, checkbox, field, form, select } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import { requireSeen, seenInput } from '../seen.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type View, type Visit } from '../visit.ts'
import { consoleWordingFor } from '../words/index.ts'
import { settingsHead } from './head.ts'

/** What the company is called, its language and its colour. */
export async function tenantPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const settings = await getTenantSettings(visit.db, visit.principal.tenantId)
  return {
    title: say('settingsTitle'),
    width: 'narrow',
    body: html`${settingsHead(visit, '/console/settings')}
<div class="card">${form(visit, { action: '/console/settings' }, [
      seenInput(settings),
      field(visit, {
        name: 'name',
        label: say('tenantName'),
        help: say('tenantNameHelp'),
        value: settings.name,
        required: true,
        maxLength: 255,
        again,
      }),
      select(visit, {
        name: 'language',
        label: say('tenantLanguage'),
        help: say('tenantLanguageHelp'),
        options: [['', say('languageDefault')], ...languageOptions(visit, settings.language)],
        value: settings.language,
        again,
      }),
      field(visit, {
        name: 'accent',
        label: say('tenantAccent'),
        help: say('tenantAccentHelp'),
        value: settings.accent,
        maxLength: 7,
        again,
      }),
      checkbox(visit, {
        name: 'requiresSecondFactor',
        label: say('requireSecondFactor'),
        help: say('requireSecondFactorHelp'),
        checked: again ? again.form.has('requiresSecondFactor') : settings.requiresSecondFactor,
        again,
      }),
      button(say('save')),
    ])}</div>`,
  }
}

export async function saveTenant(visit: Visit, sent: FormFields): Promise<Redirect> {
  const input = {
    name: sent.text('name'),
    language: sent.text('language') || null,
    accent: sent.text('accent') || null,
    requiresSecondFactor: sent.has('requiresSecondFactor'),
  }
  await visit.change(async (tx, caller) => {
    requireSeen(sent, await getTenantSettings(tx, caller.tenantId))
    await updateTenant(tx, caller, input)
  })
  // The next page may be in another language than this one.
  const { say } = consoleWordingFor(visit.request, visit.session.language, input.language)
  return redirectTo('/console/settings', say('settingsSaved'))
}

/** The languages that forms and chats speak, and the one that is chosen already: the command line takes any. */
export function languageOptions({ wording }: View, chosen: string | null): [tag: string, name: string][] {
  const names = new Intl.DisplayNames(wording.locale, { type: 'language' })
  const tags = new Set([...Object.keys(wordLists), ...(chosen === null ? [] : [chosen])])
  return [...tags].map((tag) => [tag, names.of(tag) ?? tag])
}
