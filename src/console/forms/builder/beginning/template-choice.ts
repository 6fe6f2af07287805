import { invalid, rule } from '../../../../errors.ts'
import { type Form, FormCreate } from '../../../../forms/model.ts'
import { createForm } from '../../../../forms/operations.ts'
import { changeSettings } from '../../../../forms/settings/operations.ts'
import {
  formOfTemplate,
  formTemplates,
  type TemplateLanguage,
  type TemplateName,
  templateLanguages,
  templateNames,
} from '../../../../forms/templates/index.ts'
import { checkValue } from '../../../../http/requests/validation.ts'
import { html, type Markup } from '../../../../lib/html/markup.ts'
import { getTenantSettings } from '../../../../tenants/operations.ts'
import { button, form, select } from '../../../components/forms.ts'
import type { FormFields } from '../../../form-fields.ts'
import type { Again, Visit } from '../../../visit.ts'
import { templatePicture } from './template-picture.ts'

/** All templates, each with its picture, and in which language they are to be. */
export function templateChoice(visit: Visit, action: string, again?: Again): Markup {
  const { say, locale } = visit.wording
  return html`<p class="help">${say('formNewTemplatesHelp')}</p>${form(visit, { action }, [
    html`<div class="template-language">${select(visit, {
      name: 'language',
      label: say('formNewTemplatesLanguage'),
      options: [
        ['en', say('templateEnglish')],
        ['de', say('templateGerman')],
      ],
      value: locale.startsWith('de') ? 'de' : 'en',
      again,
    })}</div>`,
    html`<ul class="templates">${templateNames.map((name) => template(visit, name))}</ul>`,
  ])}`
}

function template({ wording: { say } }: Visit, name: TemplateName): Markup {
  return html`<li>${templatePicture(formTemplates[name].motifs)}<div><h3>${say(`template_${name}`)}</h3><p class="help">${say(`template_${name}_help`)}</p></div>${button(
    html`${say('formNewUse')}<span class="sr">: ${say(`template_${name}`)}</span>`,
    { kind: 'secondary', name: 'template', value: name },
  )}</li>`
}

/** Makes the form of the template that was chosen, a draft. It speaks the language that it is written in. */
export async function createFromTemplate({ change }: Visit, sent: FormFields): Promise<Form> {
  const name = chosen('template', templateNames, sent)
  const language: TemplateLanguage = sent.has('language') ? chosen('language', templateLanguages, sent) : 'en'
  const { mode = 'page' } = formTemplates[name] as { mode?: string }
  const input = checkValue(FormCreate, { ...formOfTemplate(name, language), active: false })
  return change(async (tx, caller) => {
    const made = await createForm(tx, caller, input)
    const tenant = await getTenantSettings(tx, caller.tenantId)
    const isTenants = new Intl.Locale(tenant.language ?? 'en').language === language
    await changeSettings(tx, caller, made.id, { mode, language: isTenants ? null : language })
    return made
  })
}

function chosen<Choice extends string>(place: string, choices: readonly Choice[], sent: FormFields): Choice {
  const choice = choices.find((one) => one === sent.text(place))
  if (choice === undefined) throw invalid(place, rule('one_of', { choices: choices.join(', ') }))
  return choice
}
