import { upsertArticle } from '../articles/operations.ts'
import { createSource } from '../articles/sources.ts'
import apiKeysAndWebhooks from './articles/api-keys-and-webhooks.md' with { type: 'text' }
import connectACalendar from './articles/connect-a-calendar.md' with { type: 'text' }
import depositsAndPayments from './articles/deposits-and-payments.md' with { type: 'text' }
import emailsToGuests from './articles/emails-to-guests.md' with { type: 'text' }
import formsOnYourWebsite from './articles/forms-on-your-website.md' with { type: 'text' }
import gettingStarted from './articles/getting-started.md' with { type: 'text' }
import inviteYourTeam from './articles/invite-your-team.md' with { type: 'text' }
import invoicesAndBilling from './articles/invoices-and-billing.md' with { type: 'text' }
import privacy from './articles/privacy.md' with { type: 'text' }
import refundsAndCancellations from './articles/refunds-and-cancellations.md' with { type: 'text' }
import reportsAndExports from './articles/reports-and-exports.md' with { type: 'text' }
import seriesAndClasses from './articles/series-and-classes.md' with { type: 'text' }
import type { Company } from './company.ts'
import { DAY, HOUR, type Step } from './timeline.ts'

/** The help centre of Harbour & Pine, by slug; each begins with its title. */
const articles: readonly (readonly [slug: string, markdown: string])[] = [
  ['getting-started', gettingStarted],
  ['connect-a-calendar', connectACalendar],
  ['invite-your-team', inviteYourTeam],
  ['series-and-classes', seriesAndClasses],
  ['deposits-and-payments', depositsAndPayments],
  ['refunds-and-cancellations', refundsAndCancellations],
  ['emails-to-guests', emailsToGuests],
  ['reports-and-exports', reportsAndExports],
  ['invoices-and-billing', invoicesAndBilling],
  ['forms-on-your-website', formsOnYourWebsite],
  ['privacy', privacy],
  ['api-keys-and-webhooks', apiKeysAndWebhooks],
]

/** How the help centre was written: an article every few days, and some of them gone over again later. */
export function articleSteps(company: Company, now: number): Step[] {
  let sourceId = ''
  const first = now - 76 * DAY
  return [
    {
      at: first - HOUR,
      async run(tx, caller) {
        const source = await createSource(tx, caller, { name: 'Help centre', inboxId: company.inboxes.chat })
        sourceId = source.id
      },
    },
    ...articles.flatMap(([slug, markdown], index) => {
      const at = first + index * 5 * DAY
      const write = (text: string, moment: number): Step => ({
        at: moment,
        run: (tx, caller) => upsertArticle(tx, caller, sourceId, slug, articleOf(slug, text)),
      })
      // The draft ends before the first heading of its second part.
      const draft = markdown.split('\n## ')[0] as string
      return index % 3 === 0 ? [write(draft, at), write(markdown, at + 9 * DAY)] : [write(markdown, at)]
    }),
  ]
}

function articleOf(slug: string, markdown: string) {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? slug
  const canonicalUrl = `https://help.harbourandpine.example/${slug}`
  return { title, content: markdown, format: 'markdown' as const, canonicalUrl }
}
