/** Messages nobody asked for: sender, subject and text. */
export const junk = [
  [
    'Growth Team',
    'Page 1 in 7 days, guaranteed',
    'Dear Sir or Madam, your website is losing visitors every day. Reply YES for a free audit.',
  ],
  [
    'Invoice Dept',
    'Overdue: final notice',
    'Your parcel could not be delivered. Open the attachment and confirm your bank details within 24 hours.',
  ],
  [
    'Prize Office',
    'You have been selected',
    'Congratulations! Your address was drawn from 4,000,000 entries. Claim your cruise now.',
  ],
  [
    'Crypto Desk',
    'Quick question about your savings',
    'Our clients earned 340 % last month. Shall I reserve a place for you?',
  ],
  [
    'Web Design Offers',
    'New website for 99',
    'Hello business owner, we make modern websites in 48 hours. Shall we have a call?',
  ],
  [
    'List Broker',
    '12,000 hotel managers',
    'Buy our verified list of hotel managers with phone numbers. Special price this week only.',
  ],
] as const
