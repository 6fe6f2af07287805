import { rule } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { type Addressed, type Channel, type Channels, DeliveryError } from '../ports/channel.ts'
import { emailChannel } from './email/channel.ts'
import type { SignInDeps } from './email/mailboxes/sign-in.ts'
import { mailerBy } from './email/mailer.ts'
import { Transports } from './email/transports.ts'

const reached: Channel['deliver'] = async (_, before) => {
  await before?.()
  return []
}

const nowhere: Addressed = { subject: null, from: null, to: [], mailId: null }

/** Every channel an inbox can be of. */
export function createChannels(deps: SignInDeps & Pick<Parts, 'meter'>): Channels {
  const transports = new Transports(deps)
  return {
    email: emailChannel((inbox) => mailerBy(transports.of(inbox), deps.meter)),
    // A visitor reads the thread itself: what is stored has arrived.
    livechat: { address: () => nowhere, deliver: reached },
    messaging: {
      address: () => nowhere,
      deliver: async () => {
        throw new DeliveryError('impossible', rule('no_messenger'))
      },
    },
  }
}
