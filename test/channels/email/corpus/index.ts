import { automatic } from './automatic.ts'
import { chinese } from './chinese.ts'
import { desktop } from './desktop.ts'
import { encodings } from './encodings.ts'
import { hostile } from './hostile.ts'
import type { CorpusMail } from './mail.ts'
import { otherReports } from './other-reports.ts'
import { outlook } from './outlook.ts'
import { reports } from './reports.ts'
import { secure } from './secure.ts'
import { structure } from './structure.ts'
import { threads } from './threads.ts'
import { webmail } from './webmail.ts'

export { type CorpusMail, type Expected, type ExpectedFile, type Outcome, SETUP } from './mail.ts'

/** Mails of every kind that comes, and what must come of each. */
export const corpus: readonly CorpusMail[] = [
  ...webmail,
  ...chinese,
  ...desktop,
  ...outlook,
  ...encodings,
  ...structure,
  ...secure,
  ...threads,
  ...reports,
  ...otherReports,
  ...automatic,
  ...hostile,
]
