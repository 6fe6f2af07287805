import buttons from '../hosted/styles/buttons.css' with { type: 'text' }
import dark from '../hosted/styles/dark.css' with { type: 'text' }
import fields from '../hosted/styles/fields.css' with { type: 'text' }
import frame from '../hosted/styles/frame.css' with { type: 'text' }
import languages from '../hosted/styles/languages.css' with { type: 'text' }
import theme from '../hosted/styles/theme.css' with { type: 'text' }
import help from './help.css' with { type: 'text' }

const onDarkDevices = `@media (prefers-color-scheme: dark) { ${dark.replace('.dark', ':root')} }`

/** The style sheet of help centres; what comes later wins. */
export const styleSheet = [theme, onDarkDevices, frame, buttons, fields, languages, help].join('\n')
