import { bundledLicences } from './bundled-licences.ts' with { type: 'macro' }
import type { Licence } from './bundled-licences.ts'

/** Put together with the program, so the executable carries it. */
export const licences: readonly Licence[] = bundledLicences()
