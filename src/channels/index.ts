import type { Config } from '../config.ts'
import { type Addressed, type Channels, DeliveryError } from './channel.ts'
import { emailChannel } from './email/channel.ts'
import { createMailer } from './email/mailer.ts'

const nowhere: Addressed = { subject: null, from: null, to: [], mailId: null }

/** Every channel an inbox can be of. */
export function createChannels(config: Pick<Config, 'smtpUrl' | 'dataDir'>): Channels {
  return {
    email: emailChannel(createMailer(config)),
    // A visitor reads the thread itself: what is stored has arrived.
    livechat: { address: () => nowhere, deliver: async () => {} },
    messaging: {
      address: () => nowhere,
      deliver: async () => {
        throw new DeliveryError('impossible', 'no messenger is connected to this inbox')
      },
    },
  }
}
