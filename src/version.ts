import { version } from '../package.json' with { type: 'json' }

/** The version of frontdesk, as package.json has it; embedded when the executable is built. */
export const VERSION: string = version
