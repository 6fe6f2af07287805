/** What people write, by how content they are: an opening, and often a detail that can follow any of them. */
export const remarks = {
  happy: {
    openings: [
      'Really pleased so far.',
      'It does what it promises.',
      'We switched from spreadsheets and are not looking back.',
      'My whole team took to it within a day.',
      'Best decision we made this season.',
      'Everything just works.',
      'Thank you for making something this calm.',
      'Our guests notice the difference.',
      'I recommend you to every host I meet.',
      'Setting it up was easier than I had feared.',
    ],
    details: [
      'The calendar view alone is worth the price.',
      'No more double bookings since we started.',
      'Reminders have halved our no-shows.',
      'Tariq from your help desk was wonderful.',
      'I can finally see next month at a glance.',
      'The phone view is what I use most.',
      'Importing our old bookings took ten minutes.',
      'Payments arrive when they should, which was not the case before.',
      'Even my father, who hates computers, checks people in with it.',
      'The deposit rules saved us a lot of awkward calls.',
      'Keep the weekly summary, I read it with my coffee.',
      'If you add a dark theme for the front desk I will be even happier.',
    ],
  },
  fair: {
    openings: [
      'Good on the whole.',
      'It mostly does what we need.',
      'Solid, with a few rough edges.',
      'Getting used to it.',
      'Fine for the simple cases.',
      'We are happy with the basics.',
      'Better than what we had.',
      'No complaints, no fireworks.',
    ],
    details: [
      'Search could be quicker once there are many bookings.',
      'I would like to change several bookings at once.',
      'The reports need a way to leave out cancelled stays.',
      'It took us a while to find the tax settings.',
      'Please let us sort rooms by hand.',
      'Some texts for guests still sound a bit stiff.',
      'The calendar sync is sometimes a few minutes late.',
      'A shared to-do list for housekeeping would help a lot.',
      'Group bookings feel like an afterthought.',
      'I keep looking for an undo button.',
    ],
  },
  unhappy: {
    openings: [
      'Not there yet for us.',
      'I expected more at this price.',
      'We are thinking about going back.',
      'Frustrating, to be honest.',
      'Too many small problems.',
      'It slows us down at the desk.',
    ],
    details: [
      'The sync with our other calendar stopped twice and nobody told us.',
      'I waited three days for an answer about an invoice.',
      'Two guests were charged twice, and it took a week to sort out.',
      'Cancelling a booking takes five clicks.',
      'The app signs me out every morning.',
      'We still keep a paper diary next to it, just in case.',
      'Prices went up shortly after we joined.',
      'Half of the settings have names I do not understand.',
    ],
  },
} as const

/** What support did well or badly. */
export const supportRemarks = {
  happy: [
    'Quick, kind and to the point.',
    'Solved on the first try, thank you!',
    'Grace stayed on until it worked.',
    'Clear steps with pictures. Perfect.',
    'Faster than I dared to hope on a Sunday.',
    'You even rang me back. Nobody does that any more.',
    'Explained without making me feel silly.',
  ],
  fair: [
    'Solved in the end, after a bit of back and forth.',
    'Friendly, though I had to explain it twice.',
    'The answer was right but took a day.',
    'Helpful. A link to the article would have been enough.',
  ],
  unhappy: [
    'The answer did not fit my question.',
    'Still not solved.',
    'I was asked for the same screenshot three times.',
    'Two days of silence while our calendar was down.',
  ],
} as const

export const wishes = [
  'A waiting list for full days.',
  'Gift vouchers that guests can buy by themselves.',
  'Different prices for weekends.',
  'A view for the tablet in the kitchen.',
  'Door codes that are sent on the day of arrival.',
  'More languages for the confirmation emails.',
  'Recurring classes with a break over the holidays.',
  'A way to lend out equipment along with a booking.',
  'Notes that only housekeeping can see.',
  'Splitting one invoice between two companies.',
  'An export our bookkeeper can read without my help.',
  'Seeing at a glance who has not paid yet.',
]

export const grantPlans = [
  'We want to build a ramp and a wider door, so that everyone can reach the studio.',
  'The money would pay for six months of free pottery evenings for teenagers from our street.',
  'We would like to insulate the two oldest cabins and stop heating the valley.',
  'A second-hand piano, and somebody who teaches on it on Saturdays.',
  'Translating our signs and website into three more languages spoken in town.',
  'Replacing the broken boat lift so that wheelchair users can come aboard.',
]
