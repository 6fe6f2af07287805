import { application } from './application.ts'
import { appointment } from './appointment.ts'
import { bug } from './bug.ts'
import { csat } from './csat.ts'
import { event } from './event.ts'
import { exit } from './exit.ts'
import { lead } from './lead.ts'
import { newsletter } from './newsletter.ts'
import { nps } from './nps.ts'
import { onboarding } from './onboarding.ts'
import { order } from './order.ts'
import { quiz } from './quiz.ts'
import type { FormTemplate, TemplateForm } from './template.ts'

export type { FormTemplate, Motif } from './template.ts'

/** Forms to begin with, in the order in which they are offered; their texts are to be written over. */
export const formTemplates = {
  nps,
  csat,
  lead,
  event,
  order,
  appointment,
  application,
  onboarding,
  exit,
  bug,
  newsletter,
  quiz,
} as const satisfies Readonly<Record<string, FormTemplate>>

export type TemplateName = keyof typeof formTemplates

export const templateNames = Object.keys(formTemplates) as TemplateName[]

/** What templates can be written in. */
export const templateLanguages = ['en', 'de'] as const
export type TemplateLanguage = (typeof templateLanguages)[number]

/** The form of a template in one language: what `POST /v1/forms` takes, not yet active. */
export function formOfTemplate(name: TemplateName, language: TemplateLanguage): TemplateForm {
  return formTemplates[name].make((english, german) => (language === 'de' ? german : english))
}
