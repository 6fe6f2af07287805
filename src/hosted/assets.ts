import { bundled } from '../lib/assets/bundled.ts' with { type: 'macro' }
import type { PartName } from './client/parts/names.ts'
import { styleSheet } from './styles/index.ts'

export { styleSheet }

/** Built with the program, so the executable carries them. */
export const formScript: string = bundled('hosted/client/form')
/** Beside it, of forms that need them. */
export const partScripts: { readonly [P in PartName]: string } = {
  logic: bundled('hosted/client/parts/logic'),
  steps: bundled('hosted/client/parts/steps'),
  files: bundled('hosted/client/parts/files'),
  signature: bundled('hosted/client/parts/signature'),
  ranking: bundled('hosted/client/parts/ranking'),
  payment: bundled('hosted/client/parts/payment'),
  checkout: bundled('hosted/client/parts/checkout'),
  later: bundled('hosted/client/parts/later'),
  languages: bundled('hosted/client/parts/languages'),
}
export const embedScript: string = bundled('hosted/client/embed')

/** In the addresses of the scripts and the style sheet of a form's page: another one whenever they change. */
export const assetVersion = new Bun.CryptoHasher('sha256')
  .update(formScript)
  .update(Object.values(partScripts).join())
  .update(styleSheet)
  .digest('hex')
  .slice(0, 12)
