import { bundledLicences } from './bundled.ts' with { type: 'macro' }
import type { Licence } from './bundled.ts'

/** Put together with the program, so the executable carries it. */
export const licences: readonly Licence[] = bundledLicences()
