import { createCategory, placeArticle, renameCategory } from '../articles/categories.ts'
import { upsertArticle } from '../articles/operations.ts'
import { createSource, setLanguages } from '../articles/sources.ts'
import { translateArticle } from '../articles/translations.ts'
import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import apiKeysAndWebhooks from './articles/api-keys-and-webhooks.md' with { type: 'text' }
import bookingRules from './articles/booking-rules.md' with { type: 'text' }
import changeABooking from './articles/change-a-booking.md' with { type: 'text' }
import checkInAndKeys from './articles/check-in-and-keys.md' with { type: 'text' }
import closeYourAccount from './articles/close-your-account.md' with { type: 'text' }
import connectACalendar from './articles/connect-a-calendar.md' with { type: 'text' }
import checkInAndKeysInGerman from './articles/de/check-in-and-keys.md' with { type: 'text' }
import refundsAndCancellationsInGerman from './articles/de/refunds-and-cancellations.md' with { type: 'text' }
import signInAndPasswordInGerman from './articles/de/sign-in-and-password.md' with { type: 'text' }
import depositsAndPayments from './articles/deposits-and-payments.md' with { type: 'text' }
import discountsAndVouchers from './articles/discounts-and-vouchers.md' with { type: 'text' }
import emailsToGuests from './articles/emails-to-guests.md' with { type: 'text' }
import formsOnYourWebsite from './articles/forms-on-your-website.md' with { type: 'text' }
import gettingStarted from './articles/getting-started.md' with { type: 'text' }
import housekeeping from './articles/housekeeping.md' with { type: 'text' }
import inviteYourTeam from './articles/invite-your-team.md' with { type: 'text' }
import invoicesAndBilling from './articles/invoices-and-billing.md' with { type: 'text' }
import languagesAndCurrencies from './articles/languages-and-currencies.md' with { type: 'text' }
import mobileApp from './articles/mobile-app.md' with { type: 'text' }
import privacy from './articles/privacy.md' with { type: 'text' }
import refundsAndCancellations from './articles/refunds-and-cancellations.md' with { type: 'text' }
import reportsAndExports from './articles/reports-and-exports.md' with { type: 'text' }
import reviews from './articles/reviews.md' with { type: 'text' }
import seriesAndClasses from './articles/series-and-classes.md' with { type: 'text' }
import signInAndPassword from './articles/sign-in-and-password.md' with { type: 'text' }
import taxes from './articles/taxes.md' with { type: 'text' }
import testMode from './articles/test-mode.md' with { type: 'text' }
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
  ['sign-in-and-password', signInAndPassword],
  ['booking-rules', bookingRules],
  ['change-a-booking', changeABooking],
  ['check-in-and-keys', checkInAndKeys],
  ['housekeeping', housekeeping],
  ['discounts-and-vouchers', discountsAndVouchers],
  ['taxes', taxes],
  ['languages-and-currencies', languagesAndCurrencies],
  ['reviews', reviews],
  ['mobile-app', mobileApp],
  ['test-mode', testMode],
  ['close-your-account', closeYourAccount],
]

/** Those that are there in German too. */
const inGerman: readonly (readonly [slug: string, markdown: string])[] = [
  ['refunds-and-cancellations', refundsAndCancellationsInGerman],
  ['check-in-and-keys', checkInAndKeysInGerman],
  ['sign-in-and-password', signInAndPasswordInGerman],
]

/** What the help centre is divided into. */
const categories: readonly { readonly name: string; readonly german?: string; readonly slugs: readonly string[] }[] = [
  {
    name: 'First steps',
    german: 'Erste Schritte',
    slugs: [
      'getting-started',
      'invite-your-team',
      'connect-a-calendar',
      'sign-in-and-password',
      'mobile-app',
      'test-mode',
    ],
  },
  {
    name: 'Bookings',
    german: 'Buchungen',
    slugs: [
      'booking-rules',
      'change-a-booking',
      'refunds-and-cancellations',
      'check-in-and-keys',
      'series-and-classes',
    ],
  },
  {
    name: 'Money',
    slugs: [
      'deposits-and-payments',
      'invoices-and-billing',
      'discounts-and-vouchers',
      'taxes',
      'languages-and-currencies',
    ],
  },
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
      const at = first + index * 3 * DAY
      const write = (text: string, moment: number): Step => ({
        at: moment,
        run: (tx, caller) => upsertArticle(tx, caller, sourceId, slug, articleOf(slug, text)),
      })
      // The draft ends before the first heading of its second part.
      const draft = markdown.split('\n## ')[0] as string
      return index % 3 === 0 ? [write(draft, at), write(markdown, at + 9 * DAY)] : [write(markdown, at)]
    }),
    { at: now - 3 * DAY, run: (tx, caller) => divide(tx, caller, sourceId) },
    { at: now - 2 * DAY, run: (tx, caller) => translate(tx, caller, sourceId) },
  ]
}

async function divide(tx: Tx, caller: Caller, sourceId: string): Promise<void> {
  for (const { name, german, slugs } of categories) {
    const { id } = await createCategory(tx, caller, sourceId, name)
    if (german) await renameCategory(tx, caller, sourceId, id, name, { de: german })
    for (const slug of slugs) await placeArticle(tx, caller, { sourceId, slug }, id)
  }
}

async function translate(tx: Tx, caller: Caller, sourceId: string): Promise<void> {
  await setLanguages(tx, caller, sourceId, { language: 'en', languages: ['de'] })
  for (const [slug, text] of inGerman)
    await translateArticle(tx, caller, { sourceId, slug, language: 'de' }, articleOf(slug, text))
}

function articleOf(slug: string, markdown: string) {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? slug
  // Programmers read this one where the rest of their manual is.
  const canonicalUrl =
    slug === 'api-keys-and-webhooks' ? `https://developers.harbourandpine.example/${slug}` : undefined
  return { title, content: markdown, format: 'markdown' as const, ...(canonicalUrl && { canonicalUrl }) }
}
