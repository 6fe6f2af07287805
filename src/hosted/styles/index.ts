import { compact } from '../../lib/assets/compact.ts'
import buttons from './buttons.css' with { type: 'text' }
import choices from './choices.css' with { type: 'text' }
import dark from './dark.css' with { type: 'text' }
import embedded from './embedded.css' with { type: 'text' }
import end from './end.css' with { type: 'text' }
import fields from './fields.css' with { type: 'text' }
import files from './files.css' with { type: 'text' }
import frame from './frame.css' with { type: 'text' }
import languages from './languages.css' with { type: 'text' }
import later from './later.css' with { type: 'text' }
import look from './look.css' with { type: 'text' }
import matrix from './matrix.css' with { type: 'text' }
import narrow from './narrow.css' with { type: 'text' }
import question from './question.css' with { type: 'text' }
import ranking from './ranking.css' with { type: 'text' }
import scales from './scales.css' with { type: 'text' }
import steps from './steps.css' with { type: 'text' }
import theme from './theme.css' with { type: 'text' }

/** The colours of dark pages, for devices that are. */
export const onDarkDevices = `@media (prefers-color-scheme: dark) { ${dark.replace('.dark', ':root:not(.light)')} }`

/** The style sheet of hosted forms; what comes later wins. */
export const styleSheet: string = compact(
  [
    theme,
    onDarkDevices,
    dark,
    frame,
    look,
    question,
    buttons,
    fields,
    choices,
    scales,
    matrix,
    ranking,
    files,
    end,
    later,
    steps,
    embedded,
    narrow,
    languages,
  ].join('\n'),
)
