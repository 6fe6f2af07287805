import type { Topic } from './topic.ts'

/** Mails to the help desk. */
export const help: readonly Topic[] = [
  {
    inbox: 'help',
    tags: ['calendar', 'bug'],
    openings: [
      [
        'Calendar is behind',
        'Hello,\n\nthe bookings from our other calendar arrive about an hour late. Yesterday two parties stood at the door for the same room. What can we do?',
      ],
      [
        'Double booking!!',
        'Room 4 was sold twice last night, once through you and once through the travel site. Please have a look, we are fully booked this weekend.',
        'floor-plan.png',
      ],
      [
        'Sync stopped on Monday',
        'Hi, since Monday nothing comes in from our second calendar. We changed its password that day, could that be it?',
      ],
    ],
    reply:
      '<p>Hi {name},</p><p>I am sorry about this. The other calendar only lets us look every few minutes, and it refused us a few times. Please open <strong>Settings → Calendars</strong> and press <em>Connect again</em>; after that we are told of changes at once.</p>',
    followUp: 'I pressed it and it says "connected". Will the bookings that were missed come in by themselves?',
    closing: '<p>Yes, they are all there now: I count 14. If anything looks odd, write to me directly.</p>',
    note: 'Token had expired on their side. Third case this month: worth a warning in the app?',
  },
  {
    inbox: 'help',
    tags: ['account'],
    openings: [
      [
        'How do I add my sister to the account?',
        'My sister will run the front desk from May. Does she need her own seat, or can we share mine?',
      ],
      [
        'New colleague cannot sign in',
        'We invited our new colleague on Friday but she says the link is no longer valid.',
      ],
      [
        'Removing a former employee',
        'Somebody left our team last week. How do I make sure they can no longer see the bookings?',
      ],
    ],
    reply:
      '<p>Hello {name},</p><p>everybody needs a seat of their own, so that you can see who changed what. Under <strong>Settings → Team</strong> you can invite people, send the invitation again and remove a seat. A removed person is signed out at once, everywhere.</p>',
    followUp: 'Found it, that was easy. Does a removed seat show on the next invoice?',
    closing: '<p>Only up to the day it was removed; the rest is credited on the next invoice.</p>',
  },
  {
    inbox: 'help',
    tags: ['emails', 'bug'],
    openings: [
      [
        'Guests do not get the confirmation',
        'Three guests told us that no confirmation arrived. We checked the addresses, they are right.',
      ],
      [
        'Confirmation emails go to spam',
        'Good morning, our confirmations land in the spam folder, at least with two of the large providers. Is there something we can set up?',
      ],
      [
        'Wrong language in the emails',
        'Our French guests get the English confirmation although their booking page was in French.',
      ],
    ],
    reply:
      '<p>Hi {name},</p><p>thank you for the examples. Two things help most: send from your own domain (there is a guide under <strong>Settings → Email</strong>), and choose the language per booking page rather than per account. I have switched the second one on for you.</p>',
    followUp: 'Thank you! I sent a test to myself and it looks right. I will ask our web person about the domain.',
    closing: '<p>Perfect. Send me a line once the records are in place, then I check them from here.</p>',
    note: 'Their domain has two SPF records. Told them kindly, may need a second go.',
  },
  {
    inbox: 'help',
    tags: ['reports'],
    openings: [
      [
        'Export for the bookkeeper',
        'Our bookkeeper asks for all payments of the last quarter in one file, with the tax in a column of its own. Where do I find that?',
      ],
      [
        'Report shows cancelled stays',
        'The occupancy report counts stays that were cancelled. That cannot be right, can it?',
      ],
      [
        'Numbers differ',
        'The dashboard says 41 bookings in March, the export has 44 lines. Which one is true?',
        'bookings.csv',
      ],
    ],
    reply:
      '<p>Hello {name},</p><p>both are right, in their way: the export has a line for every booking that was ever made, and cancelled ones have a date in the column <em>cancelled at</em>. Leave those out and the numbers agree.</p><ul><li>Reports → Payments → Export</li><li>Tick “One column per tax rate”</li></ul>',
    followUp: 'Ah, I had not seen that column. It would be good if the report said so.',
    closing: '<p>Fair point, and I passed it on. The note under the report will say so from next week.</p>',
  },
  {
    inbox: 'help',
    tags: ['calendar', 'wish'],
    openings: [
      [
        'Class on every second Tuesday',
        'I would like to offer a class every second Tuesday, but not in August. The form only knows "weekly" and "monthly".',
      ],
      [
        'Private lessons next to courses',
        'Can one teacher have open courses and private lessons without the two colliding?',
      ],
      [
        'Waiting list?',
        'Our Saturday classes are always full. Is there a waiting list that moves people up by itself?',
      ],
    ],
    reply:
      '<p>Hi {name},</p><p>this works with <strong>series</strong>: create the class once, choose <em>Repeat → custom</em>, and take out the dates that you do not want. A teacher who is in a series is blocked for everything else at that time.</p>',
    followUp: 'That did it for the dates. And when someone cancels on the day, who gets the place?',
    closing:
      '<p>The first person on the list is asked by text message and has two hours to say yes; then it is the next one’s turn.</p>',
    note: 'Good candidate for the research panel: runs 30 classes a week.',
  },
  {
    inbox: 'help',
    tags: ['developers'],
    openings: [
      [
        'Webhook for new contacts',
        'Hello, we would like to be told of new contacts in our own system. Which event do we subscribe to, and how do we check the signature?',
      ],
      ['API answers 429', 'Our nightly import stops after a while with status 429. Are we doing something wrong?'],
      [
        'Which time zone do you use?',
        'The API returns times that end in Z. Our house is in Lisbon. Do I have to convert these myself?',
      ],
    ],
    reply:
      '<p>Hi {name},</p><p>a few pointers: every key may make 120 requests a minute, and an answer with status <code>429</code> says in <code>Retry-After</code> how many seconds to wait. Times are always UTC. Signatures are described with examples in the developer guide.</p>',
    followUp: 'Waiting for Retry-After solved it, thanks. The import is through.',
    closing:
      '<p>Glad to hear it. Asking for 100 contacts per page instead of 25 will make it four times as fast, too.</p>',
  },
  {
    inbox: 'help',
    tags: ['payments', 'wish'],
    openings: [
      [
        'Deposit on group bookings',
        'We ask groups for half of the price in advance. Can your forms take that payment when the group signs up?',
      ],
      [
        'Price depends on the number of people',
        'For boat trips we charge per person, with a minimum of four. Can a form work that out?',
      ],
      [
        'Form on our own website',
        'How do I put the booking request form on our own page? I can paste code, but not more than that.',
      ],
    ],
    reply:
      '<p>Hello {name},</p><p>yes: add a <strong>payment</strong> question and give it a formula, for example <code>{PEOPLE} * 3500</code>, in cents. To show the form on your own page, copy the two lines under <em>Share → Embed</em>.</p>',
    followUp: 'It works on the test page! The amount changes with the number of people, just as I hoped.',
    closing: '<p>Lovely. Remember to publish the form once you are happy with it; until then only you can see it.</p>',
  },
  {
    inbox: 'help',
    tags: ['privacy'],
    openings: [
      [
        'Please delete my data',
        'I stayed at one of your customers’ houses two years ago and still get their newsletter. Please remove me everywhere.',
      ],
      [
        'Where is our data stored?',
        'A school wants to book with us and asks where personal data is kept and for how long. Do you have a page about that?',
      ],
      ['Leaving the newsletter', 'I clicked on unsubscribe, but another mail came today. Please stop.'],
    ],
    reply:
      '<p>Dear {name},</p><p>thank you for writing. You are unsubscribed from everything as of now. What we store, where and for how long is written down in <em>Privacy at Harbour &amp; Pine</em>; I attach the address of the page below.</p>',
    followUp: 'Thank you for the quick answer.',
    closing: '<p>You are welcome. If anything else should come, forward it to me and I will find out why.</p>',
    note: 'Checked: no open booking. Deletion done, written into the register.',
  },
]
