/** How customers reach an inbox. */
export const channels = ['email', 'livechat', 'messaging'] as const
export type ChannelName = (typeof channels)[number]
