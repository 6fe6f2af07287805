import type { Topic } from './topic.ts'

/** Mails about money. */
export const billing: readonly Topic[] = [
  {
    inbox: 'billing',
    tags: ['refund'],
    openings: [
      [
        'Charged twice',
        'Our card was charged twice on the 3rd, once for 96 € and once more for 96 €. Please refund one of them.',
      ],
      [
        'Refund for last month',
        'We closed for the whole of last month because of the flood. Is there any chance of a credit?',
      ],
      [
        'Upgrade by mistake',
        'I clicked on Business instead of Team and cannot find the way back. I do not want to pay for 80 seats!',
      ],
    ],
    reply:
      '<p>Hello {name},</p><p>I have looked at your account and you are right. The amount goes back to the card it came from; banks take three to five days to show it. You will get a corrected invoice today.</p>',
    followUp: 'The refund has arrived. Thank you for sorting this out so quickly.',
    closing: '<p>Thank you for letting me know. I am closing this, an answer opens it again.</p>',
    note: 'Refund approved by Robin.',
  },
  {
    inbox: 'billing',
    tags: ['invoice'],
    openings: [
      [
        'Our VAT number is missing',
        'The last invoice lacks our VAT number, and our tax office is strict about that. Can you issue it again?',
        'invoice-2026-0412.pdf',
      ],
      [
        'New billing address',
        'We moved across the river. The new address is 14 Ferry Lane. Does this change older invoices?',
      ],
      [
        'Purchase order number',
        'Our head office only pays invoices that carry their order number. Where can I enter it?',
      ],
    ],
    reply:
      '<p>Hello {name},</p><p>you can enter all of this under <strong>Settings → Billing</strong>. It shows on invoices from then on; older ones stay as they are by law, but I can issue a corrected copy of the last one. Shall I?</p>',
    followUp: 'Yes please, for the last one only.',
    closing: '<p>Done: it is in your inbox, and under Settings → Billing → Documents.</p>',
  },
  {
    inbox: 'billing',
    tags: ['discount'],
    openings: [
      [
        'Non-profit discount',
        'We are a charity that teaches sailing to young people who could not afford it. Do you have special prices?',
      ],
      ['Paying by the year', 'Is it cheaper to pay for a whole year? And can we switch in the middle?'],
      [
        'Winter break',
        'Our camp site is closed from November to March. Can we pause the subscription without losing the data?',
      ],
    ],
    reply:
      '<p>Dear {name},</p><p>yes to all three of the usual questions: charities pay half, a year costs as much as ten months, and an account can sleep for up to six months for a small fee, with all of its data kept. Which one would you like?</p>',
    followUp: 'That is very generous. I will send you the papers this week.',
    closing: '<p>They have arrived and all is set up. Welcome aboard!</p>',
  },
  {
    inbox: 'billing',
    tags: ['payments'],
    openings: [
      [
        'Card expired',
        'Your reminder says that the payment failed. We have a new card, how do we enter it without being cut off?',
      ],
      ['Payout has not arrived', 'The payout of last Thursday is not on our account yet. It usually takes two days.'],
      [
        'Cancelling our account',
        'We are giving up our guest house at the end of the season. What is the notice period, and how do I get our data?',
      ],
    ],
    reply:
      '<p>Hello {name},</p><p>no need to worry: nothing is switched off while we are talking. I have put your account on hold for the reminder and looked at the last transfers. May I ask you to check the bank details under <strong>Settings → Payouts</strong>?</p>',
    followUp: 'There was a digit missing in the account number. I corrected it.',
    closing: '<p>That explains it. The transfer was sent again this morning and should be with you tomorrow.</p>',
    note: 'Finance knows. Do not send the second reminder.',
  },
]
