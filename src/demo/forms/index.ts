import { holidays, website } from './drafts.ts'
import { grant, openHouse } from './events.ts'
import { satisfaction } from './feedback.ts'
import type { DemoForm } from './form.ts'
import { firstMonth, seats } from './onboarding.ts'
import { oldPricing, roadmap } from './research.ts'
import { support } from './support.ts'
import { satisfactionInArabic, satisfactionInGerman } from './translated.ts'

export type { DemoForm } from './form.ts'

/** All forms of the demo; together they use every question type. */
export const demoForms: readonly DemoForm[] = [
  satisfaction,
  support,
  satisfactionInGerman,
  satisfactionInArabic,
  firstMonth,
  roadmap,
  openHouse,
  seats,
  grant,
  oldPricing,
  website,
  holidays,
]
