/**
 * What people might ask the help centre of the demo, and the article that answers it. Written before the search was
 * tuned, and only the first half was looked at while it was.
 */
export const questions: readonly (readonly [question: string, slug: string])[] = [
  ['How do I get my money back if I cancel?', 'refunds-and-cancellations'],
  ['i lost my phone and cannot get the login code', 'sign-in-and-password'],
  ['Can I add a colleague to our account?', 'invite-your-team'],
  ['why was my card declined for the subscription', 'invoices-and-billing'],
  ['Which languages can my booking page be in?', 'languages-and-currencies'],
  ['Our airbnb calendar does not block the days here any more', 'connect-a-calendar'],
  ['How do I set up a yoga class every second Tuesday?', 'series-and-classes'],
  ['Where do I find out how many towels we need?', 'housekeeping'],
  ['my confirmation emails end up in spam', 'emails-to-guests'],
  ['What is the rate limit of the API?', 'api-keys-and-webhooks'],
  ['Is our data stored in Europe?', 'privacy'],
  ['The guest says the door code does not work', 'check-in-and-keys'],
  ['how can I make people stay at least two nights on weekends', 'booking-rules'],
  ['I want to sell gift vouchers before Christmas', 'discounts-and-vouchers'],
  ['Can a guest change the number of people after booking?', 'change-a-booking'],
  ['How do I embed a form on my homepage?', 'forms-on-your-website'],
  ['I need a csv of all payments for my accountant', 'reports-and-exports'],
  ['We got a very bad rating, can I remove it?', 'reviews'],
  ['How do I ask for part of the price in advance?', 'deposits-and-payments'],
  ['How long does it take to set everything up at the beginning?', 'getting-started'],
  // Kept aside
  ['When does the bank pay out what guests have paid?', 'deposits-and-payments'],
  ['How can I reset my password?', 'sign-in-and-password'],
  ['we want to stop using your service at the end of the year', 'close-your-account'],
  ['How do I get a notification on my iPhone for each new booking?', 'mobile-app'],
  ['Does it work offline?', 'mobile-app'],
  ['a booking was cancelled by mistake, can it be brought back?', 'refunds-and-cancellations'],
  ['How do I enter the tourist tax for our town?', 'taxes'],
  ['Guest needs a receipt with the name of their company', 'taxes'],
  ['can i try a booking without paying real money', 'test-mode'],
  ['Two guests are booked into the same room!', 'change-a-booking'],
  ['How do I put my VAT number on the invoice?', 'invoices-and-billing'],
  ['How does the waiting list work when a class is full?', 'series-and-classes'],
  ['We close in winter, do we have to pay all year?', 'invoices-and-billing'],
  ['Can visitors see prices in dollars?', 'languages-and-currencies'],
  ['A member of staff has left, how do I take away their access?', 'invite-your-team'],
  ['How do I verify the signature of a webhook?', 'api-keys-and-webhooks'],
  ['a guest asks us to delete all their personal data', 'privacy'],
  ['How do I change the reminder that is sent the day before?', 'emails-to-guests'],
  ['Where can the cleaning staff see which rooms to do today?', 'housekeeping'],
  ['Can I give regular customers ten percent off?', 'discounts-and-vouchers'],
]

/** How many of them were looked at while the search was tuned. */
export const TUNED = 20
