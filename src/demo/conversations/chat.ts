import type { Topic } from './topic.ts'

/** Chats on the website. */
export const chat: readonly Topic[] = [
  {
    inbox: 'chat',
    tags: ['sales'],
    openings: [
      ['Chat from the pricing page', 'Hi! Is there a trial, or do I have to pay right away?'],
      [
        'Chat from the pricing page',
        'hello, do you have something for a single yoga teacher? the team plan is too big for me',
      ],
      ['Chat from the pricing page', 'Good evening, what happens if we need more seats only in summer?'],
    ],
    reply:
      '<p>Hi {name}! You can try everything for 30 days, no card needed. After that you pay per seat and month, and you can change the number whenever you like.</p>',
    followUp: 'great, thank you, I will give it a go tonight',
    closing: '<p>Have fun! We are here until 18:00 if something is unclear.</p>',
  },
  {
    inbox: 'chat',
    tags: ['how-to'],
    openings: [
      ['Chat from the help centre', 'I cannot find where to change the check-in time'],
      ['Chat from the help centre', 'the article about taxes mentions a button that I do not have'],
      ['Chat from the help centre', 'Is it possible to undo a cancellation? I clicked on the wrong booking...'],
    ],
    reply: '<p>Hello {name}, that one hides under the three dots on the right of the booking. Do you see them?</p>',
    followUp: 'yes!! thank you, you saved my evening',
    closing: '<p>Any time.</p>',
    note: 'The picture in the article is out of date.',
  },
  {
    inbox: 'chat',
    tags: ['bug'],
    openings: [
      ['Chat from the app', 'payment page shows a blank screen for one of our guests'],
      ['Chat from the app', 'The app signs me out every morning, is that on purpose?'],
      ['Chat from the app', 'Uploading photos of our rooms stops at 80 %', 'house.jpg'],
    ],
    reply: '<p>Thanks for telling us, {name}. Which browser is that, and does it happen in a private window, too?</p>',
    followUp: 'It is an old tablet, and in a private window it works. So it must be an extension.',
    closing: '<p>Good find. If it comes back, send us a screenshot here.</p>',
  },
  {
    inbox: 'chat',
    tags: ['events'],
    openings: [
      ['Chat from the open house page', 'Is there parking near the boat shed?'],
      ['Chat from the open house page', 'Can I bring my dog?'],
      ['Chat from the open house page', 'I signed up but got no invitation, can you check please'],
    ],
    reply:
      '<p>Hi {name}! We have just looked: you are on the list. There is parking behind the chandlery, and dogs are welcome as long as they like other dogs.</p>',
    followUp: 'wonderful, see you then',
    closing: '<p>See you there!</p>',
  },
  {
    inbox: 'chat',
    tags: ['sales'],
    openings: [
      ['Chat from the home page', 'do you work together with door lock makers?'],
      ['Chat from the home page', 'Hi, can I import bookings from a spreadsheet?'],
      ['Chat from the home page', 'Which languages does the guest page speak?'],
    ],
    reply:
      '<p>Hello {name}, yes. There is an article about exactly that in our help centre, and I can walk you through it if you like.</p>',
    followUp: 'I will read it first and come back to you',
    closing: '<p>Sounds good!</p>',
  },
  {
    inbox: 'chat',
    tags: ['developers'],
    openings: [
      ['Chat from the developer page', 'is there a sandbox for the api'],
      ['Chat from the developer page', 'my key stopped working after I made a new one'],
      ['Chat from the developer page', 'How many webhooks can one account have?'],
    ],
    reply:
      '<p>Hi {name}, keys work until somebody revokes them or they expire; the list under <strong>Settings → Developers</strong> shows when each was last used. Could it be the old one is in there as revoked?</p>',
    followUp: 'it is, a colleague tidied up. all good now',
    closing: '<p>Happens to the best of us.</p>',
  },
]
