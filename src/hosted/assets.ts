import { bundled } from '../lib/assets/bundled.ts' with { type: 'macro' }
import { styleSheet } from './styles/index.ts'

export { styleSheet }

/** Built with the program, so the executable carries them. */
export const formScript: string = bundled('hosted/client/form')
/** Beside it, of a form that has logic. */
export const logicScript: string = bundled('hosted/client/logic/index')
export const embedScript: string = bundled('hosted/client/embed')

/** In the addresses of the scripts and the style sheet of a form's page: another one whenever they change. */
export const assetVersion = new Bun.CryptoHasher('sha256')
  .update(formScript)
  .update(logicScript)
  .update(styleSheet)
  .digest('hex')
  .slice(0, 12)
