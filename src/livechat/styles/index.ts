import buttons from '../../hosted/styles/buttons.css' with { type: 'text' }
import fields from '../../hosted/styles/fields.css' with { type: 'text' }
import { onDarkDevices } from '../../hosted/styles/index.ts'
import languages from '../../hosted/styles/languages.css' with { type: 'text' }
import theme from '../../hosted/styles/theme.css' with { type: 'text' }
import { compact } from '../../lib/assets/compact.ts'
import entry from './entry.css' with { type: 'text' }
import frame from './frame.css' with { type: 'text' }
import talk from './talk.css' with { type: 'text' }

/** The style sheet of the chat, which looks as hosted forms do; what comes later wins. */
export const chatStyleSheet: string = compact(
  [theme, onDarkDevices, buttons, fields, frame, talk, entry, languages].join('\n'),
)
