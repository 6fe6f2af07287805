/** How customers reach an inbox. */
export const channels = ['email', 'livechat', 'messaging'] as const
export type ChannelName = (typeof channels)[number]

/** What an email inbox answers by itself: that a mail has come in, or that nobody is there. */
export const automaticAnswers = ['acknowledgement', 'out_of_hours'] as const
export type AutomaticAnswer = (typeof automaticAnswers)[number]
